/** Encodes the records of a write-ahead log, which `write-batch.ts` and `log-records.ts` read. */

import { ByteWriter } from "./byte-writer.js";
import { crc32c, maskCrc } from "./crc32c.js";
import { EntryType } from "./internal-key.js";
import { BLOCK, FIRST, FULL, HEADER, LAST, MIDDLE } from "./log-records.js";

/** One change of a batch. */
interface BatchChange {
  /** The id of the column family. */
  readonly column: number;
  readonly type: typeof EntryType.Value | typeof EntryType.Deletion | typeof EntryType.RangeDeletion;
  /** The key, or the first key of a range. */
  readonly key: Uint8Array;
  /** The value, or the end of a range; undefined for a deletion. */
  readonly value: Uint8Array | undefined;
}

/** The tags of changes of family 0, and of other families, whose id follows. */
const TAGS = {
  [EntryType.Value]: [1, 5],
  [EntryType.Deletion]: [0, 4],
  [EntryType.RangeDeletion]: [15, 14],
} as const;

/** Returns a batch. The k-th change has the sequence number + k. */
export function encodeBatch(sequence: number, changes: readonly BatchChange[]): Uint8Array {
  const batch = new ByteWriter().u64(sequence).u32(changes.length);
  for (const { column, type, key, value } of changes) {
    const [ofDefault, ofOthers] = TAGS[type];
    if (column === 0) batch.byte(ofDefault);
    else batch.byte(ofOthers).varint(column);
    batch.prefixed(key);
    if (value !== undefined) batch.prefixed(value);
  }
  return batch.bytes;
}

/**
 * Returns the bytes that append a record to a log: its parts, each with a header, and zeros where a block ends.
 *
 * @param end the present bytes of the log
 */
export function encodeRecord(payload: Uint8Array, end: number): Uint8Array {
  const parts: { readonly at: number; readonly from: number; readonly to: number }[] = [];
  let at = end;
  for (let from = 0; parts.length === 0 || from < payload.length; ) {
    const left = BLOCK - (at % BLOCK);
    if (left < HEADER) {
      at += left;
      continue;
    }
    const to = Math.min(payload.length, from + left - HEADER);
    parts.push({ at, from, to });
    at += HEADER + to - from;
    from = to;
  }
  const bytes = new Uint8Array(at - end);
  const view = new DataView(bytes.buffer);
  for (const [index, part] of parts.entries()) {
    const start = part.at - end;
    const bodyEnd = start + HEADER + part.to - part.from;
    const isLast = index === parts.length - 1;
    view.setUint16(start + 4, part.to - part.from, true);
    bytes[start + 6] = index === 0 ? (isLast ? FULL : FIRST) : isLast ? LAST : MIDDLE;
    bytes.set(payload.subarray(part.from, part.to), start + HEADER);
    view.setUint32(start, maskCrc(crc32c(bytes, start + 6, bodyEnd)), true);
  }
  return bytes;
}
