import { SignedGroupOp } from "../payloads/group-operation.js";
import { SignedGroupOp010 } from "../payloads/group-operation-010.js";
import { SignedGroupOp011 } from "../payloads/group-operation-011.js";
import { signedOperation } from "./signed-operation.js";

const rule010 = signedOperation("calimero.group.v1", SignedGroupOp010);
const rule011 = signedOperation("calimero.group.v1", SignedGroupOp011);
const rule = signedOperation("calimero.group.v1", SignedGroupOp);

/**
 * The bytes that the signer of a group operation of core-0.10 signs: `"calimero.group.v1" ‖ all fields but the
 * signature`.
 */
export const groupOpSigningBytes010 = rule010.signingBytes;
/** The id of a group operation of core-0.10: SHA-256 of {@link groupOpSigningBytes010}. 32 bytes. */
export const groupOpId010 = rule010.id;

/**
 * The same in core-0.11. An operation that a node got from others is logged with the signature of the namespace
 * operation that carried it, which does not cover these bytes.
 */
export const groupOpSigningBytes011 = rule011.signingBytes;
/** The id of a group operation of core-0.11: SHA-256 of {@link groupOpSigningBytes011}. 32 bytes. */
export const groupOpId011 = rule011.id;

/** The same in core-1.0, of an operation in any layout. */
export const groupOpSigningBytes = rule.signingBytes;
/** The id of a group operation of core-1.0: SHA-256 of {@link groupOpSigningBytes}. 32 bytes. */
export const groupOpId = rule.id;
