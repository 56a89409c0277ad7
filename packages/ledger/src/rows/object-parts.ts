/** Digests and object identifiers as parts of keys. */
import { concat, toHex } from "merostore/internal";
import { DIGEST_SIZE, isInline, isValidDigest, type ObjectDigest } from "../objects/digest.js";
import { identifierJson, type ObjectIdentifier } from "../objects/identifier.js";
import type { KeyPart } from "./key-template.js";

const SIZE = DIGEST_SIZE + 4;

/**
 * Declares an identifier in the key of a status row: digest (33) ‖ key index (u32, little-endian), 37 bytes. The digest comes
 * first, so the rows of all identifiers with one digest are adjacent.
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

/** Declares a digest in a key, 33 bytes: never an inline one. */
export function digestPart<const N extends string>(name: N): KeyPart<N, ObjectDigest> {
  return {
    name,
    size: DIGEST_SIZE,
    encode: (digest) => digest,
    decode: (bytes) => (isValidDigest(bytes) && !isInline(bytes) ? bytes : undefined),
    toJson: toHex,
  };
}
