import { b32, type Decoded, struct, u64, vec } from "../../codec/index.js";

/** The last sequence of a group's log and the heads of its operations. From 12 bytes. */
export const GroupOpHeadValue = struct("GroupOpHeadValue", { sequence: u64, dagHeads: vec(b32) });
export type GroupOpHeadValue = Decoded<typeof GroupOpHeadValue>;
