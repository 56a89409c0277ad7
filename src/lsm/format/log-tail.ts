/** Distinction between an unfinished write and damage in a log that ends in the middle of a record. */

import { hasPrefixWithCrc, unmaskCrc } from "./crc32c.js";
import { BLOCK, FIRST, FULL, HEADER, LAST, MIDDLE } from "./log-records.js";

/**
 * Whether a torn log ends like that of a killed writer: only the beginning of one more record follows the whole
 * records. Otherwise the record only seems longer than the file because its length was changed, and acknowledged
 * records may follow. A file that was truncated later looks like an unfinished write.
 *
 * @param bytes the whole file
 * @param offset of the torn record, as `readLog` returns it
 */
export function isTornWrite(bytes: Uint8Array, offset: number): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = offset; at < bytes.length; ) {
    const blockEnd = at - (at % BLOCK) + BLOCK;
    if (bytes.length - at < HEADER) return true;
    const type = view.getUint8(at + 6);
    const end = at + HEADER + view.getUint16(at + 4, true);
    if (type < FULL || type > LAST || end > blockEnd) return false;
    // All parts but the last one fill their block.
    if ((type === FIRST || type === MIDDLE) && end !== blockEnd) return false;
    if (end > bytes.length)
      return !hasPrefixWithCrc(bytes, at + 6, at + HEADER, unmaskCrc(view.getUint32(at, true)));
    at = end;
  }
  return true;
}
