/**
 * Reads the records of a damaged log. After damage it continues at the next record with a right checksum, while RocksDB
 * ends a log at the first damage.
 */

import { copyBytes, isZeros } from "../../bytes/bytes.js";
import { concatAll } from "../../bytes/concat.js";
import { CrcRanges } from "./crc-ranges.js";
import { crc32c, maskCrc } from "./crc32c.js";
import {
  BLOCK,
  checkMeta,
  FIRST,
  FULL,
  HEADER,
  isRecyclable,
  LAST,
  type LogRecord,
  RECYCLABLE_HEADER,
} from "./log-records.js";

/** Bytes `[offset, end)` of a log in which no record can be read. */
interface LogGap {
  readonly offset: number;
  readonly end: number;
  readonly why: string;
  /** True if the bytes are the undamaged beginning of a record, and the file ends within it. */
  readonly isTruncated: boolean;
}

/** A record, or bytes without one. */
export type LogPiece =
  | { readonly record: LogRecord; readonly gap?: undefined }
  | { readonly gap: LogGap; readonly record?: undefined };

/** The highest type of a part of a record: the last part in a recycled file. */
const LAST_RECYCLABLE = 8;

const TRUNCATED_BODY = "the body of a record is truncated";

/** A physical record with a right checksum. */
interface Fragment {
  /** FULL, FIRST, MIDDLE or LAST; higher for a physical record that is no part of a record. */
  readonly type: number;
  readonly body: Uint8Array;
  readonly end: number;
  /** True if it belongs to the older log of a recycled file. */
  readonly isForeign: boolean;
}

/**
 * Reads the records of a log in their order. A record in several parts is read as a whole or not at all.
 *
 * @param bytes the whole file
 * @param number the number of the file, which the records of a recycled file contain
 * @throws UnreadableFormat for a log that is compressed or has user-defined timestamps
 */
export function salvageLog(bytes: Uint8Array, number?: number): Iterable<LogPiece> {
  const used = bytes.findLastIndex((byte) => byte !== 0) + 1;
  return new LogSalvage(number, { size: bytes.length, used }).read(bytes);
}

/** {@link salvageLog} for a file in pieces. */
export class LogSalvage {
  readonly #number: number | undefined;
  /** The size of the file, and the offset of the zeros at its end. */
  readonly #size: number;
  readonly #used: number;
  /** The offset of the next piece. */
  #base = 0;
  /** The parts of an incomplete record, and its offset. */
  #parts: Uint8Array[] = [];
  #start = 0;
  /** The beginning of the current gap. */
  #lost: Omit<LogGap, "end"> | undefined;
  #ended = false;

  constructor(number: number | undefined, { size, used }: { readonly size: number; readonly used: number }) {
    this.#number = number;
    this.#size = size;
    this.#used = used;
  }

  /**
   * @param bytes the next bytes of the file: whole blocks, except at the end of the file. They must not change before
   *   the iteration ends
   */
  *read(bytes: Uint8Array): Generator<LogPiece, void, undefined> {
    if (!this.#ended) yield* this.#records(new DamagedBlocks(bytes, this.#number), bytes.length);
    this.#parts = this.#parts.map((part) => (part.buffer === bytes.buffer ? copyBytes(part) : part));
    this.#base += bytes.length;
    if (this.#base < this.#size) return;
    if (this.#parts.length > 0)
      this.#lost = { offset: this.#start, why: "the last part of a record is missing", isTruncated: true };
    if (this.#lost !== undefined) yield { gap: { ...this.#lost, end: this.#size } };
  }

  *#records(blocks: DamagedBlocks, length: number): Generator<LogPiece, void, undefined> {
    const base = this.#base;
    for (let at = 0; at < length; ) {
      const blockEnd = blockEndOf(at);
      if (blockEnd - at < HEADER && blockEnd <= length) {
        at = blockEnd;
        continue;
      }
      if (blockEnd - at < RECYCLABLE_HEADER && blocks.isZeros(at, blockEnd)) {
        at = blockEnd; // the padding of a recycled file
        continue;
      }
      const isUnused = base + at >= this.#used && this.#lost === undefined;
      const part = isUnused ? undefined : blocks.partAt(at);
      if (typeof part === "string") {
        this.#lose(base + at, part, at + HEADER > length || part === TRUNCATED_BODY);
        at = blocks.next(at);
        continue;
      }
      if (part === undefined || part.isForeign) {
        this.#ended = true;
        return;
      }
      if (part.type > LAST) {
        at = part.end;
        continue;
      }
      const begins = part.type === FULL || part.type === FIRST;
      if (begins !== (this.#parts.length === 0))
        this.#lose(base + at, "the parts of a record are not together", false);
      if (begins) {
        if (this.#lost !== undefined) yield { gap: { ...this.#lost, end: base + at } };
        this.#lost = undefined;
        this.#start = base + at;
      }
      at = part.end;
      if (this.#lost !== undefined) continue;
      this.#parts.push(part.body);
      if (part.type !== FULL && part.type !== LAST) continue;
      const parts = this.#parts;
      this.#parts = [];
      const payload = parts.length === 1 ? part.body : concatAll(parts);
      yield { record: { offset: this.#start, payload } };
    }
  }

  /** Begins a gap, and adds the parts of an incomplete record to it. */
  #lose(offset: number, why: string, isTruncated: boolean): void {
    this.#lost ??= { offset: this.#parts.length > 0 ? this.#start : offset, why, isTruncated };
    this.#parts = [];
  }
}

function blockEndOf(at: number): number {
  return at - (at % BLOCK) + BLOCK;
}

/** Whole blocks of a log. At the end of the file, the last block may be incomplete. */
class DamagedBlocks {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #number: number | undefined;
  /** The block of the current search, and its checksums. */
  #searched: { readonly blockEnd: number; readonly ranges: CrcRanges } | undefined;

  constructor(bytes: Uint8Array, number: number | undefined) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#number = number;
  }

  /** Returns true if the bytes up to `to`, or to the end of the file, are zeros. */
  isZeros(from: number, to: number): boolean {
    return isZeros(this.#bytes, from, Math.min(to, this.#bytes.length));
  }

  /** Reads the part of a record at an offset, or returns the reason why none begins there. @throws UnreadableFormat */
  partAt(at: number): Fragment | string {
    const bytes = this.#bytes;
    if (bytes.length - at < HEADER) return "the header of a record is truncated";
    const type = this.#view.getUint8(at + 6);
    const recyclable = isRecyclable(type);
    const header = recyclable ? RECYCLABLE_HEADER : HEADER;
    const end = at + header + this.#view.getUint16(at + 4, true);
    if (type === 0 && end === at + HEADER) return "zeros are where a record should be";
    if (end > blockEndOf(at)) return "the length of a record is impossible";
    if (end > bytes.length) return TRUNCATED_BODY;
    if (this.#view.getUint32(at, true) !== maskCrc(this.#crc(at + 6, end)))
      return "the checksum of a record is wrong";
    const body = bytes.subarray(at + header, end);
    const isForeign =
      recyclable &&
      this.#number !== undefined &&
      this.#view.getUint32(at + HEADER, true) !== this.#number >>> 0;
    if (isForeign) return { type, body, end, isForeign };
    checkMeta(type, body);
    if (type === 0) return "a record has the unknown type 0";
    const fragment = type > LAST && type <= LAST_RECYCLABLE ? type - LAST : type;
    return { type: fragment, body, end, isForeign };
  }

  /** Returns the next offset at which a record may begin. */
  next(at: number): number {
    const bytes = this.#bytes;
    const blockEnd = Math.min(blockEndOf(at), bytes.length);
    if (blockEnd - at < HEADER) return blockEnd;
    // Usually the body is damaged and the length is right. Then the body is skipped, so that bytes in it cannot look
    // like a record.
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

  /** Returns the CRC of bytes in a block. A block may have thousands of headers with false lengths. */
  #crc(from: number, to: number): number {
    const blockEnd = Math.min(blockEndOf(from), this.#bytes.length);
    return this.#searched?.blockEnd === blockEnd
      ? this.#searched.ranges.of(from, to)
      : crc32c(this.#bytes, from, to);
  }

  /** Returns true if a record begins at an offset, or the block ends there. */
  #isLikely(at: number, blockEnd: number): boolean {
    if (at > blockEnd) return false;
    if (at === this.#bytes.length || blockEndOf(at - 1) - at < HEADER) return true;
    return blockEnd - at >= HEADER && typeof this.partAt(at) !== "string";
  }
}
