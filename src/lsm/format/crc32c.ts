/** CRC-32C (Castagnoli), the checksum of RocksDB's log records. */

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc;
});

/** The CRC-32C of `bytes[from, to)`, unsigned. */
export function crc32c(bytes: Uint8Array, from = 0, to = bytes.length): number {
  let crc = 0xffffffff;
  for (let at = from; at < to; at++) {
    crc = (TABLE[(crc ^ (bytes[at] as number)) & 0xff] as number) ^ (crc >>> 8);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** The CRC-32C of each prefix of `bytes[from, to)`: element `n` is that of the first `n` bytes. */
export function crcOfPrefixes(bytes: Uint8Array, from: number, to: number): Uint32Array {
  const prefixes = new Uint32Array(to - from + 1);
  let state = -1;
  for (let at = from; at < to; at++) {
    state = (TABLE[(state ^ (bytes[at] as number)) & 0xff] as number) ^ (state >>> 8);
    prefixes[at - from + 1] = ~state;
  }
  return prefixes;
}

/** Whether `crc` is the CRC-32C of `bytes[from, end)` for an end from `least` up to the last byte. */
export function hasPrefixWithCrc(bytes: Uint8Array, from: number, least: number, crc: number): boolean {
  const wanted = ~crc;
  let state = -1;
  for (let at = from; at < bytes.length; at++) {
    if (at >= least && state === wanted) return true;
    state = (TABLE[(state ^ (bytes[at] as number)) & 0xff] as number) ^ (state >>> 8);
  }
  return state === wanted;
}

/** A checksum as RocksDB stores it: rotated and shifted, so that checksums of data with checksums are not weak. */
export function maskCrc(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

/** Returns the checksum of a masked one. */
export function unmaskCrc(masked: number): number {
  const rotated = (masked - 0xa282ead8) >>> 0;
  return ((rotated >>> 17) | (rotated << 15)) >>> 0;
}
