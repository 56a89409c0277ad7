/** Checks the lengths in a Snappy block before the library uses them. */

import { ByteCursor, MalformedBytes } from "./byte-cursor.js";

/** Number of bytes after the first byte of a copy, by its lowest two bits. 0 is a literal. */
const COPY_BYTES = [0, 1, 2, 4];

/** Literals from this length on store their length minus 1 in separate bytes. */
const SHORT_LITERALS = 60;

/**
 * Checks the lengths. The library reads a literal's length of four bytes as signed, and may then loop forever.
 *
 * @param bytes the uncompressed size, then literals and copies
 * @throws MalformedBytes unless these add up to that size and end with the bytes
 */
export function checkSnappyLengths(bytes: Uint8Array): void {
  const fields = new ByteCursor(bytes);
  const size = fields.varint();
  let at = fields.position;
  let expanded = 0;
  while (at < bytes.length) {
    const tag = bytes[at++] as number;
    const high = tag >>> 2;
    const kind = tag & 3;
    if (kind === 0) {
      let length = high + 1;
      if (high >= SHORT_LITERALS) {
        length = 1;
        for (let byte = 0; byte <= high - SHORT_LITERALS; byte++)
          length += (bytes[at++] ?? 0) * 2 ** (8 * byte);
      }
      at += length;
      expanded += length;
    } else {
      at += COPY_BYTES[kind] as number;
      expanded += kind === 1 ? (high & 7) + 4 : high + 1;
    }
  }
  if (at !== bytes.length || expanded !== size)
    throw new MalformedBytes("the size of a compressed block is not the declared size");
}
