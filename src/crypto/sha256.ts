import { sha256 as portable } from "@noble/hashes/sha2";
import { nodeCrypto } from "./node-crypto.js";

/** SHA-256 of what comes piece by piece. */
export interface Sha256 {
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

function withNode({ createHash }: NonNullable<typeof nodeCrypto>): typeof sha256 {
  return (...parts) => {
    const hash = createHash("sha256");
    for (const part of parts) hash.update(part);
    const digest = hash.digest();
    return new Uint8Array(digest.buffer, digest.byteOffset, digest.length);
  };
}

function withNoble(...parts: readonly Uint8Array[]): Uint8Array {
  const hash = portable.create();
  for (const part of parts) hash.update(part);
  return hash.digest();
}
