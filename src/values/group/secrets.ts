import { b32, type Decoded, secret, struct, u64 } from "../../codec/index.js";

/** An Ed25519 seed. 32 bytes. */
export const GroupSigningKeyValue = struct("GroupSigningKeyValue", { privateKey: secret(b32) });
export type GroupSigningKeyValue = Decoded<typeof GroupSigningKeyValue>;

/** A group's AES-256 key and when it was made (Unix seconds). 40 bytes. */
export const GroupKeyValue = struct("GroupKeyValue", { groupKey: secret(b32), createdAt: u64 });
export type GroupKeyValue = Decoded<typeof GroupKeyValue>;
