/** Object identifiers: a digest, and the number of the key under which the object would be encrypted. */
import { copyBytes, isBytes } from "../../bytes/bytes.js";
import { concat } from "../../bytes/concat.js";
import { toHex } from "../../bytes/hex.js";
import { equalBytes } from "../../bytes/order.js";
import type { Json } from "../../codec/index.js";
import { MerostoreError } from "../../errors.js";
import type { KeyPart } from "../rows/key-template.js";
import { DIGEST_SIZE, isInline, isValidDigest, type ObjectDigest } from "./digest.js";

export interface ObjectIdentifier {
  /** A whole number from 0 to 2^32 - 1. */
  readonly keyIndex: number;
  readonly digest: ObjectDigest;
}

export function equalIdentifiers(a: ObjectIdentifier, b: ObjectIdentifier): boolean {
  return a.keyIndex === b.keyIndex && equalBytes(a.digest, b.digest);
}

/**
 * Copies an identifier that a caller owns, or that a caller gets.
 * @throws MerostoreError INVALID_ARGUMENT for a digest that is not bytes
 */
export function copyIdentifier({ keyIndex, digest }: ObjectIdentifier): ObjectIdentifier {
  if (isBytes(digest)) return { keyIndex, digest: copyBytes(digest) };
  throw new MerostoreError("INVALID_ARGUMENT", "the digest of an identifier must be bytes");
}

/** An identifier of something inside merostore's own rows, as JSON. */
export function identifierJson({ keyIndex, digest }: ObjectIdentifier): Json {
  return { keyIndex, digest: toHex(digest) };
}

const SIZE = DIGEST_SIZE + 4;

/**
 * The identifier in the key of a status row: digest (33) ‖ key index (u32, little-endian), 37 bytes. The digest comes
 * first, so that all identifiers with one digest lie together.
 */
export function identifierPart<const N extends string>(name: N): KeyPart<N, ObjectIdentifier> {
  return {
    name,
    size: SIZE,
    encode({ keyIndex, digest }) {
      const index = new Uint8Array(4);
      new DataView(index.buffer).setUint32(0, keyIndex, true);
      return concat(digest, index);
    },
    decode(bytes) {
      const digest = bytes.subarray(0, DIGEST_SIZE);
      if (bytes.length !== SIZE || !isValidDigest(digest) || isInline(digest)) return undefined;
      const keyIndex = new DataView(bytes.buffer, bytes.byteOffset + DIGEST_SIZE).getUint32(0, true);
      return { keyIndex, digest };
    },
    toJson: identifierJson,
  };
}

/** A digest in a key, 33 bytes: never an inline one. */
export function digestPart<const N extends string>(name: N): KeyPart<N, ObjectDigest> {
  return {
    name,
    size: DIGEST_SIZE,
    encode: (digest) => digest,
    decode: (bytes) => (isValidDigest(bytes) && !isInline(bytes) ? bytes : undefined),
    toJson: toHex,
  };
}
