/**
 * The records of a damaged log: reading goes on at the next record whose checksum holds. RocksDB ends a log at the first
 * damage instead.
 */

import { concatAll } from "../../bytes/concat.js";
import { UnreadableFormat } from "./byte-cursor.js";
import { CrcRanges } from "./crc-ranges.js";
import { crc32c, maskCrc } from "./crc32c.js";
import { BLOCK, FIRST, FULL, HEADER, LAST, type LogRecord } from "./log-records.js";

/** Bytes `[offset, end)` of a log in which no record can be read. */
export interface LogGap {
  readonly offset: number;
  readonly end: number;
  readonly why: string;
  /** Whether it is the beginning of a record, undamaged, and the file ends within that record. */
  readonly isTruncated: boolean;
}

/** A record, or bytes without one. */
export type LogPiece =
  | { readonly record: LogRecord; readonly gap?: undefined }
  | { readonly gap: LogGap; readonly record?: undefined };

/** Bytes of the header of a record in a file that was used again: it also has the number of the log. */
const RECYCLABLE_HEADER = 11;
/** The highest type of a part of a record: the last part in a file that was used again. */
const LAST_RECYCLABLE = 8;
const COMPRESSION = 9;
const TIMESTAMP_SIZES = [10, 11];
const RECYCLABLE_META = [11, 131];

const TRUNCATED_BODY = "the body of a record is truncated";

/** One physical record whose checksum holds. */
interface Part {
  /** FULL, FIRST, MIDDLE or LAST; a higher number for one that is no part of a record. */
  readonly type: number;
  readonly body: Uint8Array;
  readonly end: number;
  /** A part of the log that the file was before. */
  readonly isForeign: boolean;
}

/**
 * Reads the records of a log in their order. Records of several parts come whole or not at all.
 *
 * @param bytes the whole file
 * @param number the number of the file, which the records of a recycled file contain
 * @throws UnreadableFormat for a log that is compressed or has user-defined timestamps
 */
export function* salvageLog(bytes: Uint8Array, number: number | undefined): Generator<LogPiece> {
  const log = new DamagedLog(bytes, number);
  let parts: Uint8Array[] = [];
  let start = 0;
  /** Where the bytes without a record begin. */
  let lost: Omit<LogGap, "end"> | undefined;
  for (let at = 0; at < bytes.length; ) {
    const blockEnd = blockEndOf(at);
    if (blockEnd - at < HEADER && blockEnd <= bytes.length) {
      at = blockEnd;
      continue;
    }
    if (blockEnd - at < RECYCLABLE_HEADER && log.isZero(at, blockEnd)) {
      at = blockEnd; // the padding of a file that was used again
      continue;
    }
    if (at >= log.end && lost === undefined) break; // reserved space that was not used
    const part = log.partAt(at);
    if (typeof part === "string") {
      const isTruncated = at + HEADER > bytes.length || part === TRUNCATED_BODY;
      lost ??= { offset: parts.length > 0 ? start : at, why: part, isTruncated };
      parts = [];
      at = log.next(at);
      continue;
    }
    if (part.isForeign) break;
    const begins = part.type === FULL || part.type === FIRST;
    if (part.type > LAST) {
      at = part.end;
      continue;
    }
    if (begins !== (parts.length === 0)) {
      const why = "the parts of a record are not together";
      lost ??= { offset: parts.length > 0 ? start : at, why, isTruncated: false };
      parts = [];
    }
    if (begins) {
      if (lost !== undefined) yield { gap: { ...lost, end: at } };
      lost = undefined;
      start = at;
    }
    at = part.end;
    if (lost !== undefined) continue;
    parts.push(part.body);
    if (part.type !== FULL && part.type !== LAST) continue;
    yield { record: { offset: start, payload: parts.length === 1 ? part.body : concatAll(parts) } };
    parts = [];
  }
  if (parts.length > 0)
    lost = { offset: start, why: "the last part of a record is missing", isTruncated: true };
  if (lost !== undefined) yield { gap: { ...lost, end: bytes.length } };
}

function blockEndOf(at: number): number {
  return at - (at % BLOCK) + BLOCK;
}

class DamagedLog {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #number: number | undefined;
  /** Where the zeros at the end of the file begin. */
  readonly end: number;
  /** The block that is searched, and its checksums. */
  #searched: { readonly blockEnd: number; readonly ranges: CrcRanges } | undefined;

  constructor(bytes: Uint8Array, number: number | undefined) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#number = number;
    let end = bytes.length;
    while (end > 0 && bytes[end - 1] === 0) end--;
    this.end = end;
  }

  /** Whether bytes are zeros, as far as the file goes. */
  isZero(from: number, to: number): boolean {
    return this.#bytes.subarray(from, to).every((byte) => byte === 0);
  }

  /** The part of a record at a place, or why there is none. @throws UnreadableFormat */
  partAt(at: number): Part | string {
    const bytes = this.#bytes;
    if (bytes.length - at < HEADER) return "the header of a record is truncated";
    const type = this.#view.getUint8(at + 6);
    const recyclable = isRecyclable(type);
    const header = recyclable ? RECYCLABLE_HEADER : HEADER;
    const end = at + header + this.#view.getUint16(at + 4, true);
    if (type === 0 && end === at + HEADER) return "zeros are where a record should be";
    if (end > blockEndOf(at)) return "the length of a record is impossible";
    if (end > bytes.length) return TRUNCATED_BODY;
    if (this.#view.getUint32(at, true) !== maskCrc(crc32c(bytes, at + 6, end)))
      return "the checksum of a record is wrong";
    const body = bytes.subarray(at + header, end);
    const isForeign =
      recyclable &&
      this.#number !== undefined &&
      this.#view.getUint32(at + HEADER, true) !== this.#number >>> 0;
    if (isForeign) return { type, body, end, isForeign };
    if (type === COMPRESSION && body[0] !== 0) throw new UnreadableFormat("the log is compressed");
    if (TIMESTAMP_SIZES.includes(type) && body.length > 0)
      throw new UnreadableFormat("keys in the log have user-defined timestamps");
    if (type === 0) return "a record has the unknown type 0";
    const fragment = type > LAST && type <= LAST_RECYCLABLE ? type - LAST : type;
    return { type: fragment, body, end, isForeign };
  }

  /** The next place where a record may be, after one where there is none. */
  next(at: number): number {
    const bytes = this.#bytes;
    const blockEnd = Math.min(blockEndOf(at), bytes.length);
    if (blockEnd - at < HEADER) return blockEnd;
    // Mostly the body is damaged and the length is right: then bytes in it are not taken for a record.
    const type = this.#view.getUint8(at + 6);
    const header = isRecyclable(type) ? RECYCLABLE_HEADER : HEADER;
    const follower = at + header + this.#view.getUint16(at + 4, true);
    if (follower > at + HEADER && this.#isLikely(follower, blockEnd)) return follower;
    if (this.#searched?.blockEnd !== blockEnd)
      this.#searched = { blockEnd, ranges: new CrcRanges(bytes, at, blockEnd) };
    const { ranges } = this.#searched;
    for (let place = at + 1; place + HEADER <= blockEnd; place++) {
      const kind = bytes[place + 6] as number;
      if (kind < FULL || kind > LAST_RECYCLABLE) continue;
      const end = place + (kind > LAST ? RECYCLABLE_HEADER : HEADER) + this.#view.getUint16(place + 4, true);
      if (end > blockEnd) continue;
      if (this.#view.getUint32(place, true) === maskCrc(ranges.of(place + 6, end))) return place;
    }
    return blockEnd;
  }

  /** Whether a record begins at a place, or the block ends there. */
  #isLikely(at: number, blockEnd: number): boolean {
    if (at > blockEnd) return false;
    if (at === this.#bytes.length || blockEndOf(at - 1) - at < HEADER) return true;
    return blockEnd - at >= HEADER && typeof this.partAt(at) !== "string";
  }
}

function isRecyclable(type: number): boolean {
  return (type > LAST && type <= LAST_RECYCLABLE) || RECYCLABLE_META.includes(type);
}
