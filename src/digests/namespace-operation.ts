import { concat } from "../bytes/concat.js";
import { AdmitterEndorsement, SignedNamespaceOp } from "../payloads/namespace-operation.js";
import { SignedNamespaceOp010 } from "../payloads/namespace-operation-010.js";
import { SignedNamespaceOp011 } from "../payloads/namespace-operation-011.js";
import { signedOperation } from "./signed-operation.js";
import { utf8 } from "./utf8.js";

const rule010 = signedOperation("calimero.namespace.v1", SignedNamespaceOp010);
const rule011 = signedOperation("calimero.namespace.v1", SignedNamespaceOp011);
const rule = signedOperation("calimero.namespace.v1", SignedNamespaceOp, (operation) => {
  if (operation.kind === "core-0.11") return 0;
  return operation.admitterEndorsement === null ? 1 : 1 + AdmitterEndorsement.size.min;
});

/**
 * The bytes that the signer of a namespace operation of core-0.10 signs: `"calimero.namespace.v1" ‖ all fields but the
 * signature`. That revision verifies permissively.
 */
export const namespaceOpSigningBytes010 = rule010.signingBytes;
/** The id of a namespace operation of core-0.10, the second half of its key: SHA-256 of the signing bytes. 32 bytes. */
export const namespaceOpId010 = rule010.id;

/** The same in core-0.11, which verifies strictly. */
export const namespaceOpSigningBytes011 = rule011.signingBytes;
/** The id of a namespace operation of core-0.11: SHA-256 of the signing bytes. 32 bytes. */
export const namespaceOpId011 = rule011.id;

/** The same in core-1.0, of an operation in any layout. The endorsement after the signature is not covered. */
export const namespaceOpSigningBytes = rule.signingBytes;
/** The id of a namespace operation of core-1.0: SHA-256 of the signing bytes. 32 bytes. */
export const namespaceOpId = rule.id;

const ADMIT = utf8("calimero.admit.v1");

/**
 * The bytes that an admitter signs, not hashed: `"calimero.admit.v1" ‖ namespace b32 ‖ member's account b32 ‖ the invitation's
 * nonce b32`. 113 bytes.
 */
export function admitterSigningBytes(
  namespaceId: Uint8Array,
  member: Uint8Array,
  invitationNonce: Uint8Array,
): Uint8Array {
  return concat(ADMIT, namespaceId, member, invitationNonce);
}
