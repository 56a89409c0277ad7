/** RocksDB's log format, which MANIFESTs and write-ahead logs use. */

import { concatAll } from "../../bytes/concat.js";
import { UnreadableFormat } from "./byte-cursor.js";
import { crc32c, maskCrc } from "./crc32c.js";

/** Bytes of a block. No physical record crosses its end. */
export const BLOCK = 32_768;
/** Bytes of the header of a physical record: checksum (4), length (2), type (1). */
export const HEADER = 7;
const RECYCLABLE_HEADER = 11;

/** Types of physical records. 5 to 8 correspond to 1 to 4 in a recycled file, with the log number in the header. */
const ZERO = 0;
/** A whole record. */
export const FULL = 1;
/** The first part of a record, which ends with its block. */
export const FIRST = 2;
/** A part that fills a block. */
export const MIDDLE = 3;
/** The last part. */
export const LAST = 4;
/** Types from here on are not fragments. Those with bit 7 may be skipped. */
const META = 9;
const COMPRESSION = 9;
const TIMESTAMP_SIZES = [10, 11];
const MAY_BE_SKIPPED = 0x80;

/** One record, written by one `AddRecord` of RocksDB. */
export interface LogRecord {
  /** The offset of its first byte in the file. */
  readonly offset: number;
  /** A view into the file's bytes, or a copy when the record spans blocks. */
  readonly payload: Uint8Array;
}

/** How a log file ends. */
export type LogEnd =
  /** After a whole record, perhaps followed by padding. */
  | { readonly kind: "whole" }
  /** In the middle of a record that begins at `offset`: it was truncated, or is still being written. */
  | { readonly kind: "torn"; readonly offset: number; readonly why: string }
  /** The bytes at `offset` are not a record. The rest was not read. */
  | { readonly kind: "damaged"; readonly offset: number; readonly why: string }
  /** Before the rest of an older log, whose file was recycled. */
  | { readonly kind: "recycled"; readonly offset: number };

/** {@link scanLog} that returns all records at once, for small files. */
export function readLog(
  bytes: Uint8Array,
  number?: number,
): { readonly records: LogRecord[]; readonly end: LogEnd } {
  const records: LogRecord[] = [];
  const end = scanLog(bytes, number, (offset, payload) => {
    records.push({ offset, payload });
    return true;
  });
  return { records, end: end as LogEnd };
}

/** Where the reading of a log stands, so that it can go on when the log has become longer. */
export interface LogPosition {
  /** Where the next record begins. */
  at: number;
  /** Whether the file was used again: its records name its number. */
  recycled: boolean;
  /** Whether a record was read. */
  visited: boolean;
}

/**
 * Visits all whole records before the end or the first damage. A truncation exactly between two records cannot be
 * detected.
 *
 * @param bytes the whole file
 * @param number the number of the file, which the records of a recycled file contain
 * @param visit receives the parts of a {@link LogRecord}; returning false ends the scan
 * @param position where to begin; set to the place after the last record that was read. With it `bytes` may be the rest
 *   of the file from the beginning of a block, in which then `position.at` is
 * @returns how the log ends; undefined if `visit` ended the scan
 * @throws UnreadableFormat for a log that is compressed or has user-defined timestamps
 */
export function scanLog(
  bytes: Uint8Array,
  number: number | undefined,
  visit: (offset: number, payload: Uint8Array) => boolean,
  position: LogPosition = { at: 0, recycled: false, visited: false },
): LogEnd | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let { at, recycled, visited } = position;
  let parts: Uint8Array[] = [];
  let start = 0;
  // After the last record of a recycled file comes the middle of an older record.
  const ended = (kind: "torn" | "damaged", offset: number, why: string): LogEnd =>
    recycled ? { kind: "recycled", offset } : { kind, offset, why };
  const torn = (offset: number, why: string) => ended("torn", offset, why);
  const damaged = (offset: number, why: string) => ended("damaged", offset, why);

  while (at < bytes.length) {
    const blockEnd = at - (at % BLOCK) + BLOCK;
    if (blockEnd - at < HEADER && blockEnd <= bytes.length) {
      at = blockEnd;
      continue;
    }
    const recordStart = parts.length > 0 ? start : at;
    if (bytes.length - at < HEADER) return torn(recordStart, "the header of a record is truncated");
    const length = view.getUint16(at + 4, true);
    const type = view.getUint8(at + 6);
    if (type === ZERO && length === 0) {
      // The padding of a recycled file, or reserved space that was not used, which must be at the end.
      const isPadding = recycled && blockEnd - at < RECYCLABLE_HEADER;
      if (!isPadding && !isZero(bytes, at)) return damaged(at, "zeros are where a record should be");
      at = isPadding ? blockEnd : bytes.length;
      continue;
    }
    const recyclable = (type >= 5 && type <= 8) || type === 11 || type === 131;
    if (recyclable && !recycled && visited) return damaged(at, "a record is of a kind that this log has not");
    const header = recyclable ? RECYCLABLE_HEADER : HEADER;
    const end = at + header + length;
    if (end > blockEnd && blockEnd <= bytes.length)
      return damaged(at, "the length of a record is impossible");
    if (end > bytes.length) return torn(recordStart, "the body of a record is truncated");
    if (view.getUint32(at, true) !== maskCrc(crc32c(bytes, at + 6, end))) {
      return damaged(at, "the checksum of a record is wrong");
    }
    if (recyclable) {
      recycled = true;
      if (number !== undefined && view.getUint32(at + HEADER, true) !== number >>> 0)
        return damaged(recordStart, "a record is of another log");
    }
    if (type >= META) {
      if (parts.length > 0) return damaged(at, "the parts of a record are out of order");
      if (type === COMPRESSION && (length === 0 || bytes[at + header] !== 0))
        throw new UnreadableFormat("the log is compressed");
      if (TIMESTAMP_SIZES.includes(type) && length > 0)
        throw new UnreadableFormat("keys in the log have user-defined timestamps");
      if (type > 11 && (type & MAY_BE_SKIPPED) === 0)
        return damaged(at, `a record has the unknown type ${type}`);
      at = end;
      continue;
    }
    const fragment = type > LAST ? type - LAST : type;
    const body = bytes.subarray(at + header, end);
    const begins = fragment === FULL || fragment === FIRST;
    if (begins !== (parts.length === 0)) return damaged(at, "the parts of a record are out of order");
    if (begins) start = at;
    parts.push(body);
    if (fragment === FULL || fragment === LAST) {
      if (!visit(start, parts.length === 1 ? body : concatAll(parts))) return undefined;
      visited = true;
      parts = [];
      position.at = end;
      position.recycled = recycled;
      position.visited = visited;
    } else if (fragment !== FIRST && fragment !== MIDDLE) {
      return damaged(at, `a record has the unknown type ${type}`);
    }
    at = end;
  }
  if (parts.length > 0) return torn(start, "the last part of a record is missing");
  return { kind: "whole" };
}

function isZero(bytes: Uint8Array, from: number): boolean {
  for (let at = from; at < bytes.length; at++) if (bytes[at] !== 0) return false;
  return true;
}
