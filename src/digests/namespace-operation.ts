import { SignedNamespaceOp } from "../payloads/namespace-operation.js";
import { SignedNamespaceOp011 } from "../payloads/namespace-operation-011.js";
import { signedOperation } from "./signed-operation.js";

const rule = signedOperation("calimero.namespace.v1", SignedNamespaceOp);
const rule011 = signedOperation("calimero.namespace.v1", SignedNamespaceOp011);

/**
 * What the signer of a namespace operation of core-0.10 signs: `"calimero.namespace.v1" ‖ all fields but the signature`.
 * That revision verifies permissively.
 */
export const namespaceOpSigningBytes = rule.signingBytes;
/** The id of a namespace operation of core-0.10, the second half of its key: SHA-256 of the signing bytes. 32 bytes. */
export const namespaceOpId = rule.id;

/** The same in core-0.11, which verifies strictly. */
export const namespaceOpSigningBytes011 = rule011.signingBytes;
/** The id of a namespace operation of core-0.11: SHA-256 of the signing bytes. 32 bytes. */
export const namespaceOpId011 = rule011.id;
