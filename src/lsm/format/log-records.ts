/** Reads RocksDB's log format, which MANIFESTs and write-ahead logs use. */

import { copyBytes, isZeros } from "../../bytes/bytes.js";
import { concatAll } from "../../bytes/concat.js";
import { UnreadableFormat } from "./byte-cursor.js";
import { crc32c, maskCrc } from "./crc32c.js";

/** Bytes of a block. No physical record crosses its end. */
export const BLOCK = 32_768;
/** Bytes of the header of a physical record: checksum (4), length (2), type (1). */
export const HEADER = 7;
/** The bytes of the header in a recycled file, which also has the number of the log (4). */
export const RECYCLABLE_HEADER = 11;

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
/** Types from here on are not fragments. Types with bit 7 may be skipped. */
const META = 9;
const COMPRESSION = 9;
const TIMESTAMP_SIZES = [10, 11];
const MAY_BE_SKIPPED = 0x80;

/** Returns true for the types of physical records in a recycled file. */
export function isRecyclable(type: number): boolean {
  return (type > LAST && type < META) || type === 11 || type === 131;
}

/**
 * Checks a physical record that is not a fragment.
 *
 * @throws UnreadableFormat for a log that is compressed or has user-defined timestamps
 */
export function checkMeta(type: number, body: Uint8Array): void {
  if (type === COMPRESSION && body[0] !== 0) throw new UnreadableFormat("the log is compressed");
  if (TIMESTAMP_SIZES.includes(type) && body.length > 0)
    throw new UnreadableFormat("keys in the log have user-defined timestamps");
}

/** A record, which one `AddRecord` of RocksDB wrote. */
export interface LogRecord {
  /** The offset of its first byte in the file. */
  readonly offset: number;
  /** A view of the file's bytes, or a copy if the record spans blocks. */
  readonly payload: Uint8Array;
}

/** The end of a log file. */
export type LogEnd =
  /** After a whole record, perhaps followed by padding. */
  | { readonly kind: "whole" }
  /** In the middle of a record at `offset`: it was truncated, or its write is not finished. */
  | { readonly kind: "torn"; readonly offset: number; readonly why: string }
  /** The bytes at `offset` are not a record. The rest was not read. */
  | { readonly kind: "damaged"; readonly offset: number; readonly why: string }
  /** Before the rest of an older log in a recycled file. */
  | { readonly kind: "recycled"; readonly offset: number };

/** Reads all whole records of a small file: those before its end or the first damage. @throws as {@link LogScanner} */
export function readLog(
  bytes: Uint8Array,
  number?: number,
): { readonly records: LogRecord[]; readonly end: LogEnd } {
  const records: LogRecord[] = [];
  const scanner = new LogScanner(number, (offset, payload) => records.push({ offset, payload }) > 0);
  return { end: scanner.read(bytes, true) as LogEnd, records };
}

/** The position of a reader in a log. The reader can continue there when the log has grown. */
export interface LogPosition {
  /** The offset of the next record. */
  at: number;
  /** True if the file is recycled: its records name its number. */
  recycled: boolean;
  /** True if a record was read. */
  visited: boolean;
}

/** Receives the parts of a {@link LogRecord}. Returning false ends the scan. */
type RecordVisitor = (offset: number, payload: Uint8Array) => boolean;

/**
 * Visits all whole records of a log before the end or the first damage. The file is read in pieces. A truncation exactly
 * between two records cannot be detected.
 */
export class LogScanner {
  readonly #number: number | undefined;
  readonly #visit: RecordVisitor;
  readonly #position: LogPosition;
  /** The parts of an incomplete record, and its offset. */
  #parts: Uint8Array[] = [];
  #start = 0;
  /** The offset of zeros after which only zeros may follow. */
  #zerosFrom: number | undefined;
  /** The offset of the next piece. */
  #base = 0;
  #ended = false;
  #recycled: boolean;

  /**
   * @param number the number of the file, which the records of a recycled file contain
   * @param position the beginning of the scan; it is set to the place after the last record read. With it, the first
   *   piece may begin with a later block of the file, and `position.at` is an offset in this piece
   */
  constructor(
    number: number | undefined,
    visit: RecordVisitor,
    position: LogPosition = { at: 0, recycled: false, visited: false },
  ) {
    this.#number = number;
    this.#visit = visit;
    this.#position = position;
    this.#recycled = position.recycled;
  }

  /** True if the scan is over. */
  get ended(): boolean {
    return this.#ended;
  }

  /**
   * Reads the next piece of the file.
   *
   * @param bytes whole blocks, except at the end of the file; not used after the call
   * @param isLast whether the file ends with them
   * @returns the end of the log; undefined if it continues, or if `visit` ended the scan
   * @throws UnreadableFormat for a log that is compressed or has user-defined timestamps
   */
  read(bytes: Uint8Array, isLast: boolean): LogEnd | undefined {
    const end = this.#scan(bytes, isLast);
    this.#ended ||= end !== undefined;
    if (!this.#ended)
      this.#parts = this.#parts.map((part) => (part.buffer === bytes.buffer ? copyBytes(part) : part));
    this.#base += bytes.length;
    return end;
  }

  #scan(bytes: Uint8Array, isLast: boolean): LogEnd | undefined {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const base = this.#base;
    const position = this.#position;
    let at = Math.max(0, position.at - base);
    // After the last record of a recycled file comes the middle of an older record.
    const ended = (kind: "torn" | "damaged", offset: number, why: string): LogEnd =>
      this.#recycled ? { kind: "recycled", offset } : { kind, offset, why };
    const torn = (offset: number, why: string) => ended("torn", offset, why);
    const damaged = (offset: number, why: string) => ended("damaged", offset, why);

    if (this.#zerosFrom !== undefined) {
      if (!isZeros(bytes)) return damaged(this.#zerosFrom, "zeros are where a record should be");
      at = bytes.length;
    } else if (this.#parts.length > 0) at = 0;
    while (at < bytes.length) {
      const blockEnd = at - (at % BLOCK) + BLOCK;
      if (blockEnd - at < HEADER && blockEnd <= bytes.length) {
        at = blockEnd;
        continue;
      }
      const recordStart = this.#parts.length > 0 ? this.#start : base + at;
      if (bytes.length - at < HEADER) return torn(recordStart, "the header of a record is truncated");
      const length = view.getUint16(at + 4, true);
      const type = view.getUint8(at + 6);
      if (type === ZERO && length === 0) {
        // The padding of a recycled file, or unused reserved space, which must be at the end.
        const isPadding = this.#recycled && blockEnd - at < RECYCLABLE_HEADER;
        if (!isPadding && !isZeros(bytes, at))
          return damaged(base + at, "zeros are where a record should be");
        if (!isPadding) this.#zerosFrom = base + at;
        at = isPadding ? blockEnd : bytes.length;
        continue;
      }
      const recyclable = isRecyclable(type);
      if (recyclable && !this.#recycled && position.visited)
        return damaged(base + at, "a record is of a kind that this log has not");
      const header = recyclable ? RECYCLABLE_HEADER : HEADER;
      const end = at + header + length;
      if (end > blockEnd && blockEnd <= bytes.length)
        return damaged(base + at, "the length of a record is impossible");
      if (end > bytes.length) return torn(recordStart, "the body of a record is truncated");
      if (view.getUint32(at, true) !== maskCrc(crc32c(bytes, at + 6, end))) {
        return damaged(base + at, "the checksum of a record is wrong");
      }
      if (recyclable) {
        this.#recycled = true;
        if (this.#number !== undefined && view.getUint32(at + HEADER, true) !== this.#number >>> 0)
          return damaged(recordStart, "a record is of another log");
      }
      if (type >= META) {
        if (this.#parts.length > 0) return damaged(base + at, "the parts of a record are out of order");
        checkMeta(type, bytes.subarray(at + header, end));
        if (type > 11 && (type & MAY_BE_SKIPPED) === 0)
          return damaged(base + at, `a record has the unknown type ${type}`);
        at = end;
        continue;
      }
      const fragment = type > LAST ? type - LAST : type;
      const body = bytes.subarray(at + header, end);
      const begins = fragment === FULL || fragment === FIRST;
      if (begins !== (this.#parts.length === 0))
        return damaged(base + at, "the parts of a record are out of order");
      if (begins) this.#start = base + at;
      this.#parts.push(body);
      if (fragment === FULL || fragment === LAST) {
        const parts = this.#parts;
        this.#parts = [];
        if (!this.#visit(this.#start, parts.length === 1 ? body : concatAll(parts))) {
          this.#ended = true;
          return undefined;
        }
        position.at = base + end;
        position.recycled = this.#recycled;
        position.visited = true;
      } else if (fragment !== FIRST && fragment !== MIDDLE) {
        return damaged(base + at, `a record has the unknown type ${type}`);
      }
      at = end;
    }
    if (!isLast) return undefined;
    if (this.#parts.length > 0) return torn(this.#start, "the last part of a record is missing");
    return { kind: "whole" };
  }
}
