import { sha256 as portable } from "@noble/hashes/sha2";
import { nodeCrypto } from "./node-crypto.js";

/**
 * Parts of at most this many bytes in all are copied together and hashed in one call, at a third of the cost of several
 * calls.
 */
const SHORT = 4096;

/** An incremental SHA-256. */
export interface Sha256 {
  /** Adds bytes. */
  update(bytes: Uint8Array): unknown;
  /** Returns the hash, 32 bytes. Call it once, at the end. */
  digest(): Uint8Array;
}

/** Starts an incremental SHA-256. */
export const startSha256: () => Sha256 =
  nodeCrypto === undefined
    ? () => portable.create()
    : nodeCrypto.createHash.bind(undefined, "sha256", undefined);

/** {@link sha256} of any number of parts: a call takes at most about a hundred thousand arguments. */
export const sha256All: (parts: readonly Uint8Array[]) => Uint8Array =
  nodeCrypto === undefined ? withNoble : withNode(nodeCrypto);

/** Returns the SHA-256 of the concatenated parts, 32 bytes. */
export function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  return sha256All(parts);
}

function withNode({ createHash, hash }: NonNullable<typeof nodeCrypto>): typeof sha256All {
  const buffer = new Uint8Array(SHORT);
  return (parts) => {
    let length = 0;
    for (const part of parts) length += part.length;
    if (length > SHORT) {
      const long = createHash("sha256");
      for (const part of parts) long.update(part);
      return new Uint8Array(long.digest());
    }
    let end = 0;
    for (const part of parts) {
      buffer.set(part, end);
      end += part.length;
    }
    // A text with a character for each byte: allocating a Buffer would cost as much as the hash.
    const digest = hash("sha256", buffer.subarray(0, length), "binary");
    buffer.fill(0, 0, length); // it may hold a secret
    const bytes = new Uint8Array(digest.length);
    for (let at = 0; at < bytes.length; at++) bytes[at] = digest.charCodeAt(at);
    return bytes;
  };
}

function withNoble(parts: readonly Uint8Array[]): Uint8Array {
  const hash = portable.create();
  for (const part of parts) hash.update(part);
  return hash.digest();
}
