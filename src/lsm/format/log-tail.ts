/** Telling a write that was never finished from damage, where a log ends in the middle of a record. */

import { hasPrefixWithCrc, unmaskCrc } from "./crc32c.js";
import { BLOCK, FIRST, FULL, HEADER, LAST, MIDDLE } from "./log-records.js";

/**
 * Whether a log that is torn ends as one does whose writer was killed: nothing stands after the whole records but the
 * beginning of one more. Otherwise the record looks longer than the file because its length was changed, and what follows
 * may be records that were acknowledged. A file that was shortened later looks like a write that was not finished.
 *
 * @param bytes the whole file
 * @param offset of the record that is torn, as `readLog` gives it
 */
export function isTornWrite(bytes: Uint8Array, offset: number): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = offset; at < bytes.length; ) {
    const blockEnd = at - (at % BLOCK) + BLOCK;
    if (bytes.length - at < HEADER) return true;
    const type = view.getUint8(at + 6);
    const end = at + HEADER + view.getUint16(at + 4, true);
    if (type < FULL || type > LAST || end > blockEnd) return false;
    // Parts that another follows fill their block.
    if ((type === FIRST || type === MIDDLE) && end !== blockEnd) return false;
    if (end > bytes.length)
      return !hasPrefixWithCrc(bytes, at + 6, at + HEADER, unmaskCrc(view.getUint32(at, true)));
    at = end;
  }
  return true;
}
