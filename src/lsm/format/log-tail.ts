/** Distinguishes an unfinished write from damage in a log that does not end with a whole record. */

import { isZeros } from "../../bytes/bytes.js";
import { crc32c, hasPrefixWithCrc, maskCrc, unmaskCrc } from "./crc32c.js";
import { BLOCK, FIRST, FULL, HEADER, LAST, type LogEnd, MIDDLE } from "./log-records.js";

/** A disk writes so many bytes completely or not at all. */
const SECTOR = 512;

/**
 * LevelDB writes a long part of a record in pieces of this many bytes, so a sector may contain only the end of a piece.
 */
const PIECE = 4096;

/** Fewer zeros may also be the beginning of a checksum. */
const SURE_ZEROS = 4;

/**
 * Returns true if a log ends with a write that was never synced, as a killed writer or a power failure leaves it.
 *
 * @param bytes the whole file
 * @param end the end of the log, as `readLog` returns it
 */
export function isUnfinished(bytes: Uint8Array, end: LogEnd): boolean {
  if (end.kind === "torn") return isTornWrite(bytes, end.offset);
  return end.kind === "damaged" && isUnsynced(bytes, end.offset);
}

/**
 * Returns true if the damage is a sector that never reached the disk, or has an older version there: the file then has
 * zeros. Nothing after such a sector was synced, because a sync covers all earlier writes. Bytes that changed on the
 * disk do not look like that.
 *
 * @param bytes the whole file
 * @param offset the offset of the damage: the first byte of a record, or of a part of one
 */
export function isUnsynced(bytes: Uint8Array, offset: number): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const blockEnd = Math.min(offset - (offset % BLOCK) + BLOCK, bytes.length);
  const end = offset + HEADER + view.getUint16(offset + 4, true);
  const partEnd = end > blockEnd || view.getUint8(offset + 6) === 0 ? blockEnd : end;
  for (let at = offset; at < partEnd; ) {
    const sectorEnd = Math.min(at - (at % SECTOR) + SECTOR, bytes.length);
    if (
      isZeros(bytes, at, sectorEnd) &&
      (sectorEnd - at >= SURE_ZEROS || at > offset || lacksStart(bytes, at, end, sectorEnd))
    )
      return true;
    const piece = sectorEnd - ((sectorEnd - offset) % PIECE);
    if (piece > at && sectorEnd - piece >= SURE_ZEROS && isZeros(bytes, piece, sectorEnd)) return true;
    at = sectorEnd;
  }
  return false;
}

/**
 * Returns true if the sector at the beginning of a record is in the state before the record: it has zeros from the
 * record's first byte on. Then neither the record nor any later one was synced. A whole sector of zeros can be damage.
 */
export function isBeforeRecord(bytes: Uint8Array, offset: number): boolean {
  const sectorEnd = Math.min(offset - (offset % SECTOR) + SECTOR, bytes.length);
  return offset % SECTOR !== 0 && sectorEnd - offset >= SURE_ZEROS && isZeros(bytes, offset, sectorEnd);
}

/** Returns true if a part is complete except for the first one to three bytes of its checksum, which are zeros. */
function lacksStart(bytes: Uint8Array, offset: number, end: number, sectorEnd: number): boolean {
  if (end > bytes.length) return false;
  const checksum = new DataView(new ArrayBuffer(4));
  checksum.setUint32(0, maskCrc(crc32c(bytes, offset + 6, end)), true);
  for (let at = sectorEnd; at < offset + 4; at++)
    if (bytes[at] !== checksum.getUint8(at - offset)) return false;
  return true;
}

/** Returns true if a block after the damaged one has a whole record. */
export function hasLaterRecord(bytes: Uint8Array, offset: number): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let isBegun = false;
  for (let block = offset - (offset % BLOCK) + BLOCK; block < bytes.length; block += BLOCK) {
    const blockEnd = Math.min(block + BLOCK, bytes.length);
    for (let at = block; at + HEADER <= blockEnd; ) {
      const type = view.getUint8(at + 6);
      const end = at + HEADER + view.getUint16(at + 4, true);
      const isWhole = end <= blockEnd && view.getUint32(at, true) === maskCrc(crc32c(bytes, at + 6, end));
      if (!isWhole || type < FULL || type > LAST) {
        isBegun = false;
        break;
      }
      if (type === FULL || (type === LAST && isBegun)) return true;
      isBegun = type === FIRST || (type === MIDDLE && isBegun);
      at = end;
    }
  }
  return false;
}

/**
 * Returns true if a torn log ends as after the kill of a writer: only the beginning of one more record follows the
 * whole records. Otherwise the length of a record was changed, so that it seems longer than the file, and acknowledged
 * records may follow. A file that was truncated later looks like an unfinished write.
 *
 * @param bytes the whole file
 * @param offset of the torn record, as `readLog` returns it
 */
export function isTornWrite(bytes: Uint8Array, offset: number): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = offset; at < bytes.length; ) {
    const blockEnd = at - (at % BLOCK) + BLOCK;
    if (bytes.length - at < HEADER || isZeros(bytes, at)) return true;
    const type = view.getUint8(at + 6);
    const end = at + HEADER + view.getUint16(at + 4, true);
    if (type < FULL || type > LAST || end > blockEnd) return false;
    // All parts except the last one fill their block.
    if ((type === FIRST || type === MIDDLE) && end !== blockEnd) return false;
    if (end > bytes.length)
      return !hasPrefixWithCrc(bytes, at + 6, at + HEADER, unmaskCrc(view.getUint32(at, true)));
    at = end;
  }
  return true;
}
