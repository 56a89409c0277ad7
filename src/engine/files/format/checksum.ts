/**
 * Checksums of blocks. The hash functions are WebAssembly, loaded once; each block costs one call.
 */

import type { IHasher } from "hash-wasm";
import { crc32c, maskCrc } from "./crc32c.js";

/** Kinds of checksums, as in RocksDB's `ChecksumType`. */
export const ChecksumType = { None: 0, Crc32c: 1, XxHash: 2, XxHash64: 3, Xxh3: 4 } as const;

/** Bytes after the contents of a block: type of compression u8, checksum u32. */
export const BLOCK_TRAILER = 5;

/** The checksum of bytes, their last one being the type of compression. */
export type Checksum = (bytes: Uint8Array, start: number, end: number) => number;

/** How XXH3 takes in the last byte. */
const LAST_BYTE = 0x6b9083d9;

let loaded: Promise<ReadonlyMap<number, Checksum>> | undefined;

/** The checksums by kind. Loaded at the first call; settled at once after that. */
export function loadChecksums(): Promise<ReadonlyMap<number, Checksum>> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<ReadonlyMap<number, Checksum>> {
  const { createXXHash3, createXXHash32, createXXHash64 } = await import("hash-wasm");
  const [xxh3, xxhash, xxhash64] = await Promise.all([createXXHash3(), createXXHash32(), createXXHash64()]);
  return new Map<number, Checksum>([
    [ChecksumType.None, () => 0],
    [ChecksumType.Crc32c, (bytes, start, end) => maskCrc(crc32c(bytes, start, end))],
    [ChecksumType.XxHash, (bytes, start, end) => low32(xxhash, bytes, start, end)],
    [ChecksumType.XxHash64, (bytes, start, end) => low32(xxhash64, bytes, start, end)],
    [
      ChecksumType.Xxh3,
      (bytes, start, end) => {
        const last = Math.imul(bytes[end - 1] as number, LAST_BYTE);
        return (low32(xxh3, bytes, start, end - 1) ^ last) >>> 0;
      },
    ],
  ]);
}

/** The low 32 bits of a hash: its last four bytes. */
function low32(hasher: IHasher, bytes: Uint8Array, start: number, end: number): number {
  hasher.init();
  hasher.update(bytes.subarray(start, end));
  const digest = hasher.digest("binary");
  const at = digest.length - 4;
  return (
    (((digest[at] as number) << 24) |
      ((digest[at + 1] as number) << 16) |
      ((digest[at + 2] as number) << 8) |
      (digest[at + 3] as number)) >>>
    0
  );
}

/** What is added to a checksum for the place of its block, so that a block in another place does not match. */
export function contextModifier(base: number, offset: number): number {
  if (base === 0) return 0;
  return (base ^ ((offset >>> 0) + Math.floor(offset / 2 ** 32))) >>> 0;
}
