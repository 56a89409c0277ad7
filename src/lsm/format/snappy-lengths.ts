/** The lengths in a block that was compressed with Snappy, checked before the library follows them. */

import { ByteCursor, MalformedBytes } from "./byte-cursor.js";

/** Bytes of a copy after its first: by the lowest two bits of that. 0 is a literal. */
const COPY_BYTES = [0, 1, 2, 4];

/** Literals from this length on have it, less 1, in bytes of its own. */
const SHORT_LITERALS = 60;

/**
 * The library takes a literal's length of four bytes as signed, and may then read the same bytes for ever.
 *
 * @param bytes the uncompressed size, then literals and copies
 * @throws MalformedBytes unless these have that size together and end with the bytes
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
    throw new MalformedBytes("a compressed block has another size than it says");
}
