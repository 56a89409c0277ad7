import { b32, bytes, type Decoded, payload, struct, u64, vec } from "../../codec/index.js";
import { SignedGroupOp } from "../../payloads/group-operation.js";
import { SignedGroupOp010 } from "../../payloads/group-operation-010.js";

/** A logged operation, in a byte string. From 4 bytes. */
export const GroupOpLogValue010 = payload(bytes, SignedGroupOp010);
/** A logged operation of core-0.11, in a byte string. From 4 bytes. */
export const GroupOpLogValue = payload(bytes, SignedGroupOp);

/** The last sequence of a group's log and the heads of its operations. From 12 bytes. */
export const GroupOpHeadValue = struct("GroupOpHeadValue", { sequence: u64, dagHeads: vec(b32) });
export type GroupOpHeadValue = Decoded<typeof GroupOpHeadValue>;

/** Nonces of a signer that were used: all up to `floor`, and those `above` it, ascending. From 12 bytes. */
export const GroupLocalGovNonceWindowValue = struct("GroupLocalGovNonceWindowValue", {
  floor: u64,
  above: vec(u64),
});
export type GroupLocalGovNonceWindowValue = Decoded<typeof GroupLocalGovNonceWindowValue>;
