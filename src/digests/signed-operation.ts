/**
 * Signed operations: the signature covers a domain and all fields but the signature, not hashed; the id is the SHA-256
 * of the same bytes (schema 4.6, 4.7).
 */
import { concat } from "../bytes/concat.js";
import type { Codec } from "../codec/index.js";
import { sha256 } from "../crypto/index.js";
import { utf8 } from "./utf8.js";

/** Bytes of the signature that every signed operation ends with. */
const SIGNATURE_SIZE = 64;

/** The computations for a signed operation of type `T`. */
export interface SignedOperation<T> {
  /** `domain ‖ borsh(operation)` without its last 64 bytes. @throws EncodeError */
  signingBytes(operation: T): Uint8Array;
  /** SHA-256 of the signing bytes: the operation's id, by which others name it as parent. @throws EncodeError */
  id(operation: T): Uint8Array;
}

/**
 * The computations for a codec whose last field is the signature.
 *
 * @param sizeAfter bytes after the signature, which it does not cover; 0 by default
 */
export function signedOperation<T>(
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
