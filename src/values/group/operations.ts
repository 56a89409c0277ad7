/** The log of a group's operations. */
import { b32, bytes, type Decoded, payload, struct, u64, vec } from "../../codec/index.js";
import { SignedGroupOp } from "../../payloads/group-operation.js";
import { SignedGroupOp010 } from "../../payloads/group-operation-010.js";
import { SignedGroupOp011 } from "../../payloads/group-operation-011.js";

/** A logged operation, in a byte string. From 4 bytes. */
export const GroupOpLogValue = payload(bytes, SignedGroupOp);
/** A logged operation in core-0.11, in a byte string. From 4 bytes. */
export const GroupOpLogValue011 = payload(bytes, SignedGroupOp011);
/** A logged operation in core-0.10, in a byte string. From 4 bytes. */
export const GroupOpLogValue010 = payload(bytes, SignedGroupOp010);

/** The last sequence of a group's log and the heads of its operations. From 12 bytes. */
export const GroupOpHeadValue = struct("GroupOpHeadValue", {
  /** Number of the last logged operation, from 1. */
  sequence: u64,
  /** Ids of the operations that no other follows, 32 bytes each; at most 64. */
  dagHeads: vec(b32),
});
export type GroupOpHeadValue = Decoded<typeof GroupOpHeadValue>;

/** Nonces of a signer that were used in a group. From 12 bytes. */
export const GroupLocalGovNonceWindowValue = struct("GroupLocalGovNonceWindowValue", {
  /** All nonces up to this one were used. */
  floor: u64,
  /** Nonces above `floor` that were used, ascending; at most 4096. */
  above: vec(u64),
});
export type GroupLocalGovNonceWindowValue = Decoded<typeof GroupLocalGovNonceWindowValue>;
