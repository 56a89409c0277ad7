/**
 * The level of a key in the tree of a page. It depends on a hash of the key, so the same keys always make the same
 * tree.
 */

/** Key → level, 0 to 255. */
export type LevelOf = (key: Uint8Array) => number;

const SEED = 0xbeef;

/**
 * Returns the number of zero bytes at the low end of the key's hash: one key in 256 is above level 0, one in 65536
 * above level 1. The level of a hash of 0 is 255.
 */
export const levelOf: LevelOf = (key) => {
  const hash = murmur3(key, SEED);
  if (hash === 0) return 255;
  return Math.floor((31 - Math.clz32(hash & -hash)) / 8);
};

/** MurmurHash3_x86_32. */
export function murmur3(bytes: Uint8Array, seed: number): number {
  const whole = bytes.length & ~3;
  let hash = seed;
  for (let at = 0; at < whole; at += 4) {
    hash = rotate(hash ^ mixed(word(bytes, at, 4)), 13);
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0;
  }
  if (whole < bytes.length) hash ^= mixed(word(bytes, whole, bytes.length - whole));
  hash ^= bytes.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Reads up to four bytes as a little-endian number. */
function word(bytes: Uint8Array, at: number, size: number): number {
  let value = 0;
  for (let offset = size - 1; offset >= 0; offset--) value = (value << 8) | (bytes[at + offset] as number);
  return value;
}

function mixed(value: number): number {
  return Math.imul(rotate(Math.imul(value, 0xcc9e2d51), 15), 0x1b873593);
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
