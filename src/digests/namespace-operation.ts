import { SignedNamespaceOp010 } from "../payloads/namespace-operation-010.js";
import { SignedNamespaceOp011 } from "../payloads/namespace-operation-011.js";
import { signedOperation } from "./signed-operation.js";

const rule010 = signedOperation("calimero.namespace.v1", SignedNamespaceOp010);
const rule = signedOperation("calimero.namespace.v1", SignedNamespaceOp011);

/**
 * The bytes that the signer of a namespace operation of core-0.10 signs: `"calimero.namespace.v1" ‖ all fields but the
 * signature`. That revision verifies permissively.
 */
export const namespaceOpSigningBytes010 = rule010.signingBytes;
/** The id of a namespace operation of core-0.10, the second half of its key: SHA-256 of the signing bytes. 32 bytes. */
export const namespaceOpId010 = rule010.id;

/** The same in core-0.11, which verifies strictly. */
export const namespaceOpSigningBytes011 = rule.signingBytes;
/** The id of a namespace operation of core-0.11: SHA-256 of the signing bytes. 32 bytes. */
export const namespaceOpId011 = rule.id;
