/** Checksums of blocks. The hash functions are WebAssembly modules, loaded when a table first needs one. */

import type { IHasher } from "hash-wasm";
import { wordAt } from "../../bytes/bytes.js";
import { MalformedBytes } from "./byte-cursor.js";
import { crc32c, maskCrc } from "./crc32c.js";

/** Kinds of checksums, as in RocksDB's `ChecksumType`. */
export const ChecksumType = { None: 0, Crc32c: 1, XxHash: 2, XxHash64: 3, Xxh3: 4 } as const;

/** Bytes after the contents of a block: type of compression u8, checksum u32. */
export const BLOCK_TRAILER = 5;

/** Computes the checksum of `bytes[start, end)`. The last byte is the type of compression. */
export type Checksum = (bytes: Uint8Array, start: number, end: number) => number;

/** The factor with which XXH3 includes the last byte. */
const LAST_BYTE = 0x6b9083d9;

/** The loader of each kind. Loading all of hash-wasm would take ten times as long as loading one function. */
const loaders: Readonly<Record<number, () => Promise<Checksum>>> = {
  [ChecksumType.None]: async () => () => 0,
  [ChecksumType.Crc32c]: async () => (bytes, start, end) => maskCrc(crc32c(bytes, start, end)),
  [ChecksumType.XxHash]: async () => {
    const { default: library } = await import("hash-wasm/dist/xxhash32.umd.min.js");
    return low32(await library.createXXHash32());
  },
  [ChecksumType.XxHash64]: async () => {
    const { default: library } = await import("hash-wasm/dist/xxhash64.umd.min.js");
    return low32(await library.createXXHash64());
  },
  [ChecksumType.Xxh3]: async () => {
    const { default: library } = await import("hash-wasm/dist/xxhash3.umd.min.js");
    const hash = low32(await library.createXXHash3());
    return (bytes, start, end) => {
      const last = Math.imul(bytes[end - 1] as number, LAST_BYTE);
      return (hash(bytes, start, end - 1) ^ last) >>> 0;
    };
  },
};

const loaded = new Map<number, Promise<Checksum>>();

/** Loads the checksum of a kind; undefined if there is no such kind. */
export function loadChecksum(type: number): Promise<Checksum> | undefined {
  const found = loaded.get(type) ?? loaders[type]?.();
  if (found !== undefined) loaded.set(type, found);
  return found;
}

/** The low 32 bits of a hash: its last four bytes. */
function low32(hasher: IHasher): Checksum {
  return (bytes, start, end) => {
    hasher.init();
    hasher.update(bytes.subarray(start, end));
    const digest = hasher.digest("binary");
    const at = digest.length - 4;
    const high = ((digest[at] as number) << 24) | ((digest[at + 1] as number) << 16);
    return (high | ((digest[at + 2] as number) << 8) | (digest[at + 3] as number)) >>> 0;
  };
}

/** Returns the number that is added to a checksum for the offset of its block, so that a moved block does not match. */
export function contextModifier(base: number, offset: number): number {
  if (base === 0) return 0;
  return (base ^ ((offset >>> 0) + Math.floor(offset / 2 ** 32))) >>> 0;
}

/** The parameters that check the blocks of a table, from its footer. */
export interface BlockChecks {
  readonly checksum: Checksum;
  /** The base of the checksums' part that depends on the place of a block; 0 before version 6. */
  readonly baseContext: number;
}

/** The place of a block in its file. */
export interface BlockPlace {
  readonly offset: number;
  /** The bytes of its contents. */
  readonly size: number;
}

/** Returns true if the checksum of a block is right. Its bytes begin at `at`. */
export function isVerified(
  { checksum, baseContext }: BlockChecks,
  bytes: Uint8Array,
  at: number,
  { offset, size }: BlockPlace,
): boolean {
  const end = at + size + 1;
  return wordAt(bytes, end) === (checksum(bytes, at, end) + contextModifier(baseContext, offset)) >>> 0;
}

/** Throws unless the checksum of a block is right, as {@link isVerified}. @throws MalformedBytes */
export function verifyBlock(checks: BlockChecks, bytes: Uint8Array, at: number, block: BlockPlace): void {
  if (!isVerified(checks, bytes, at, block)) throw new MalformedBytes("the checksum of a block is wrong");
}
