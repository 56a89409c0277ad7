/** CRC-32C (Castagnoli), the checksum of RocksDB's log records. */

const newTable = () => new Uint32Array(256);
/** The effect of the last byte on the CRC. `T1` to `T7` have the effect of a byte before 1 to 7 more bytes. */
const TABLE = newTable();
const T1 = newTable();
const T2 = newTable();
const T3 = newTable();
const T4 = newTable();
const T5 = newTable();
const T6 = newTable();
const T7 = newTable();
for (let byte = 0; byte < 256; byte++) {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  TABLE[byte] = crc;
}
for (let byte = 0; byte < 256; byte++) {
  let crc = TABLE[byte] as number;
  for (const table of [T1, T2, T3, T4, T5, T6, T7]) {
    crc = (TABLE[crc & 0xff] as number) ^ (crc >>> 8);
    table[byte] = crc;
  }
}

/**
 * Returns the unsigned CRC-32C of `bytes[from, to)`. It reads eight bytes at a time, nearly three times as fast as
 * single bytes.
 */
export function crc32c(bytes: Uint8Array, from = 0, to = bytes.length): number {
  let crc = -1;
  let at = from;
  for (; at + 8 <= to; at += 8) {
    crc =
      (T7[(crc ^ (bytes[at] as number)) & 0xff] as number) ^
      (T6[((crc >>> 8) ^ (bytes[at + 1] as number)) & 0xff] as number) ^
      (T5[((crc >>> 16) ^ (bytes[at + 2] as number)) & 0xff] as number) ^
      (T4[(crc >>> 24) ^ (bytes[at + 3] as number)] as number) ^
      (T3[bytes[at + 4] as number] as number) ^
      (T2[bytes[at + 5] as number] as number) ^
      (T1[bytes[at + 6] as number] as number) ^
      (TABLE[bytes[at + 7] as number] as number);
  }
  for (; at < to; at++) crc = (TABLE[(crc ^ (bytes[at] as number)) & 0xff] as number) ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** Returns the CRC-32C of each prefix of `bytes[from, to)`: element `n` belongs to the first `n` bytes. */
export function crcOfPrefixes(bytes: Uint8Array, from: number, to: number): Uint32Array {
  const prefixes = new Uint32Array(to - from + 1);
  let state = -1;
  for (let at = from; at < to; at++) {
    state = (TABLE[(state ^ (bytes[at] as number)) & 0xff] as number) ^ (state >>> 8);
    prefixes[at - from + 1] = ~state;
  }
  return prefixes;
}

/** Returns true if `crc` is the CRC-32C of `bytes[from, end)` for any end from `least` up to the last byte. */
export function hasPrefixWithCrc(bytes: Uint8Array, from: number, least: number, crc: number): boolean {
  const wanted = ~crc;
  let state = -1;
  for (let at = from; at < bytes.length; at++) {
    if (at >= least && state === wanted) return true;
    state = (TABLE[(state ^ (bytes[at] as number)) & 0xff] as number) ^ (state >>> 8);
  }
  return state === wanted;
}

/** Masks a checksum as RocksDB stores it: rotated and shifted, because a CRC of data that contains CRCs is weak. */
export function maskCrc(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

/** Returns the checksum of a masked one. */
export function unmaskCrc(masked: number): number {
  const rotated = (masked - 0xa282ead8) >>> 0;
  return ((rotated >>> 17) | (rotated << 15)) >>> 0;
}
