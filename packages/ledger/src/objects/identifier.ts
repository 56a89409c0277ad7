/** Object identifiers: a digest, and the number of an encryption key. Nothing is encrypted here. */

import type { Json } from "merostore/codec";
import { copyBytes, equalBytes, isBytes, MerostoreError, toHex } from "merostore/internal";
import type { ObjectDigest } from "./digest.js";

/** The name of a piece: its digest, and the number of the key that it would be encrypted with. */
export interface ObjectIdentifier {
  /** A whole number from 0 to 2^32 - 1. */
  readonly keyIndex: number;
  /** 1 to 33 bytes: a type byte, and the content itself if it has at most 32 bytes, else a hash of it. */
  readonly digest: ObjectDigest;
}

export function equalIdentifiers(a: ObjectIdentifier, b: ObjectIdentifier): boolean {
  return a.keyIndex === b.keyIndex && equalBytes(a.digest, b.digest);
}

/**
 * Copies an identifier of a caller.
 * @throws MerostoreError INVALID_ARGUMENT for a digest that is not bytes
 */
export function copyIdentifier({ keyIndex, digest }: ObjectIdentifier): ObjectIdentifier {
  if (isBytes(digest)) return { keyIndex, digest: copyBytes(digest) };
  throw new MerostoreError("INVALID_ARGUMENT", "the digest of an identifier must be bytes");
}

/** Returns the JSON form of an identifier. */
export function identifierJson({ keyIndex, digest }: ObjectIdentifier): Json {
  return { keyIndex, digest: toHex(digest) };
}
