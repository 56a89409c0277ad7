import { sha256 as portable } from "@noble/hashes/sha2";
import { nodeCrypto } from "./node-crypto.js";

/** Up to so many bytes in all, parts are put together and hashed in one call: a third of what several calls cost. */
const SHORT = 4096;

/** SHA-256 of what comes piece by piece. */
export interface Sha256 {
  /** Takes in more bytes. */
  update(bytes: Uint8Array): unknown;
  /** The hash, 32 bytes. To be asked for once, at the end. */
  digest(): Uint8Array;
}

/** Begins a SHA-256 whose parts come one after another. */
export const startSha256: () => Sha256 =
  nodeCrypto === undefined
    ? () => portable.create()
    : nodeCrypto.createHash.bind(undefined, "sha256", undefined);

/** SHA-256 of the parts laid one after another, 32 bytes. */
export const sha256: (...parts: readonly Uint8Array[]) => Uint8Array =
  nodeCrypto === undefined ? withNoble : withNode(nodeCrypto);

function withNode({ createHash, hash }: NonNullable<typeof nodeCrypto>): typeof sha256 {
  const buffer = new Uint8Array(SHORT);
  return (...parts) => {
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
    // As a text, of which each character is a byte: a Buffer costs as much again as the hash itself.
    const digest = hash("sha256", buffer.subarray(0, length), "binary");
    buffer.fill(0, 0, length); // it may have been a secret
    const bytes = new Uint8Array(digest.length);
    for (let at = 0; at < bytes.length; at++) bytes[at] = digest.charCodeAt(at);
    return bytes;
  };
}

function withNoble(...parts: readonly Uint8Array[]): Uint8Array {
  const hash = portable.create();
  for (const part of parts) hash.update(part);
  return hash.digest();
}
