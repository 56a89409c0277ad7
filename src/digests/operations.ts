/**
 * Ids and signed bytes of operations on groups and namespaces: the signature covers a domain and all fields but the
 * signature, not hashed; the id is the SHA-256 of the same bytes (schema 4.6, 4.7).
 */
import { concat } from "../bytes/concat.js";
import type { Codec } from "../codec/index.js";
import { sha256 } from "../crypto/index.js";
import { SignedGroupOp } from "../payloads/group-operation.js";
import { SignedGroupOp010 } from "../payloads/group-operation-010.js";
import { SignedGroupOp011 } from "../payloads/group-operation-011.js";
import { AdmitterEndorsement, SignedNamespaceOp } from "../payloads/namespace-operation.js";
import { SignedNamespaceOp010 } from "../payloads/namespace-operation-010.js";
import { SignedNamespaceOp011 } from "../payloads/namespace-operation-011.js";
import { utf8 } from "./domain-digest.js";

/** Bytes of the signature that every signed operation ends with. */
const SIGNATURE_SIZE = 64;

/** The computations for a signed operation of type `T`. */
interface SignedOperation<T> {
  /** `domain ‖ borsh(operation)` without its last 64 bytes. @throws EncodeError */
  signingBytes(operation: T): Uint8Array;
  /** SHA-256 of the signing bytes: the operation's id, which its children name as parent. @throws EncodeError */
  id(operation: T): Uint8Array;
}

/**
 * The computations for a codec whose last field is the signature.
 *
 * @param sizeAfter bytes after the signature, which it does not cover; 0 by default
 */
function signedOperation<T>(
  domain: string,
  codec: Codec<T>,
  sizeAfter: (operation: T) => number = () => 0,
): SignedOperation<T> {
  const prefix = utf8(domain);
  const signingBytes = (operation: T): Uint8Array => {
    const bytes = codec.encode(operation);
    return concat(prefix, bytes.subarray(0, bytes.length - SIGNATURE_SIZE - sizeAfter(operation)));
  };
  return { signingBytes, id: (operation) => sha256(signingBytes(operation)) };
}

const ofGroup010 = signedOperation("calimero.group.v1", SignedGroupOp010);
const ofGroup011 = signedOperation("calimero.group.v1", SignedGroupOp011);
const ofGroup = signedOperation("calimero.group.v1", SignedGroupOp);

/**
 * The bytes that the signer of a group operation of core-0.10 signs: `"calimero.group.v1" ‖ all fields but the
 * signature`.
 */
export const groupOpSigningBytes010 = ofGroup010.signingBytes;
/** The id of a group operation of core-0.10: SHA-256 of {@link groupOpSigningBytes010}. 32 bytes. */
export const groupOpId010 = ofGroup010.id;

/**
 * The same in core-0.11. A received operation is logged with the signature of the namespace operation that carried it,
 * which does not cover these bytes.
 */
export const groupOpSigningBytes011 = ofGroup011.signingBytes;
/** The id of a group operation of core-0.11: SHA-256 of {@link groupOpSigningBytes011}. 32 bytes. */
export const groupOpId011 = ofGroup011.id;

/** The same in core-1.0, of an operation in any layout. */
export const groupOpSigningBytes = ofGroup.signingBytes;
/** The id of a group operation of core-1.0: SHA-256 of {@link groupOpSigningBytes}. 32 bytes. */
export const groupOpId = ofGroup.id;

const ofNamespace010 = signedOperation("calimero.namespace.v1", SignedNamespaceOp010);
const ofNamespace011 = signedOperation("calimero.namespace.v1", SignedNamespaceOp011);
const ofNamespace = signedOperation("calimero.namespace.v1", SignedNamespaceOp, (operation) => {
  if (operation.kind === "core-0.11") return 0;
  return operation.admitterEndorsement === null ? 1 : 1 + AdmitterEndorsement.size.min;
});

/**
 * The bytes that the signer of a namespace operation of core-0.10 signs: `"calimero.namespace.v1" ‖ all fields but the
 * signature`. That revision verifies permissively.
 */
export const namespaceOpSigningBytes010 = ofNamespace010.signingBytes;
/** The id of a namespace operation of core-0.10, the second half of its key: SHA-256 of the signing bytes. 32 bytes. */
export const namespaceOpId010 = ofNamespace010.id;

/** The same in core-0.11, which verifies strictly. */
export const namespaceOpSigningBytes011 = ofNamespace011.signingBytes;
/** The id of a namespace operation of core-0.11: SHA-256 of the signing bytes. 32 bytes. */
export const namespaceOpId011 = ofNamespace011.id;

/** The same in core-1.0, of an operation in any layout. The endorsement after the signature is not covered. */
export const namespaceOpSigningBytes = ofNamespace.signingBytes;
/** The id of a namespace operation of core-1.0: SHA-256 of the signing bytes. 32 bytes. */
export const namespaceOpId = ofNamespace.id;

/** The computations for operations of any revision: only those of core-0.10 have a `stateHash`, of core-1.0 a `kind`. */
function anyOperation<A extends object, B extends object, C extends object>(
  of010: SignedOperation<A>,
  of011: SignedOperation<B>,
  of10: SignedOperation<C>,
): SignedOperation<A | B | C> {
  const of = (operation: A | B | C): SignedOperation<A | B | C> =>
    "stateHash" in operation ? of010 : "kind" in operation ? of10 : of011;
  return {
    signingBytes: (operation) => of(operation).signingBytes(operation),
    id: (operation) => of(operation).id(operation),
  };
}

/** The signed bytes and the id of a group operation of any revision. */
export const anyGroupOp = anyOperation(ofGroup010, ofGroup011, ofGroup);

/** The signed bytes and the id of a namespace operation of any revision. */
export const anyNamespaceOp = anyOperation(ofNamespace010, ofNamespace011, ofNamespace);

const ADMIT = utf8("calimero.admit.v1");

/**
 * The bytes that an admitter signs, not hashed: `"calimero.admit.v1" ‖ namespace b32 ‖ member's account b32 ‖ the
 * invitation's nonce b32`. 113 bytes.
 */
export function admitterSigningBytes(
  namespaceId: Uint8Array,
  member: Uint8Array,
  invitationNonce: Uint8Array,
): Uint8Array {
  return concat(ADMIT, namespaceId, member, invitationNonce);
}
