/** Writes logs of records or of physical records of any type, and seals changed bytes again. */

import { concatAll } from "../../../../src/bytes/concat.js";
import { crc32c, maskCrc } from "../../../../src/lsm/format/crc32c.js";
import { encodeRecord } from "../../../../src/lsm/format/encode-log.js";
import { BLOCK, HEADER } from "../../../../src/lsm/format/log-records.js";
import { type Bytes, internalKey, join, prefixed, u32, u64, varint } from "./byte-writer.js";

/** A log of whole records, as RocksDB lays them out. */
export function log(records: readonly Uint8Array[]): Uint8Array {
  let end = 0;
  return concatAll(
    records.map((record) => {
      const encoded = encodeRecord(record, end);
      end += encoded.length;
      return encoded;
    }),
  );
}

/** A physical record, sealed. */
export function physical(type: number, payload: Uint8Array): Uint8Array {
  const record = new Uint8Array(HEADER + payload.length);
  new DataView(record.buffer).setUint16(4, payload.length, true);
  record[6] = type;
  record.set(payload, HEADER);
  sealRecord(record, 0, record.length);
  return record;
}

/** Writes the checksums of all records of a log. Each record is as long as its header says. */
export function sealLog(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + HEADER <= bytes.length; ) {
    const left = BLOCK - (at % BLOCK);
    if (left < HEADER) {
      at += left;
      continue;
    }
    const type = view.getUint8(at + 6);
    const isRecyclable = (type >= 5 && type <= 8) || type === 11 || type === 131;
    const end = at + view.getUint16(at + 4, true) + (isRecyclable ? 11 : HEADER);
    if (end > bytes.length) return;
    sealRecord(bytes, at, end);
    at = end;
  }
}

function sealRecord(bytes: Uint8Array, at: number, end: number): void {
  const sum = maskCrc(crc32c(bytes, at + 6, end));
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(at, sum, true);
}

/** A write batch: sequence number, the announced number of changes, and the changes. */
export function batch(sequence: number | bigint, count: number, ...changes: readonly Bytes[]): Uint8Array {
  return join(u64(sequence), u32(count), ...changes);
}

/** The changes of family `column`. */
export const change = {
  put: (column: number | bigint, key: Bytes, value: Bytes) =>
    join(Uint8Array.of(5), varint(column), prefixed(key), prefixed(value)),
  delete: (column: number | bigint, key: Bytes) => join(Uint8Array.of(4), varint(column), prefixed(key)),
  deleteRange: (column: number | bigint, from: Bytes, to: Bytes) =>
    join(Uint8Array.of(14), varint(column), prefixed(from), prefixed(to)),
};

/** Fields of version edits. */
export const edit = {
  comparator: (name: Bytes) => join(varint(1), prefixed(name)),
  logNumber: (value: number | bigint) => join(varint(2), varint(value)),
  nextFile: (value: number | bigint) => join(varint(3), varint(value)),
  lastSequence: (value: number | bigint) => join(varint(4), varint(value)),
  column: (id: number | bigint) => join(varint(200), varint(id)),
  add: (name: Bytes) => join(varint(201), prefixed(name)),
  drop: () => varint(202),
  remaining: (value: number | bigint) => join(varint(300), varint(value)),
  deletedFile: (level: number | bigint, number: number | bigint) =>
    join(varint(6), varint(level), varint(number)),
  newFile: (file: NewFile) =>
    join(
      varint(103),
      varint(file.level),
      varint(file.number),
      varint(file.size),
      prefixed(file.smallest ?? internalKey("key100", 2 ** 40, 1)),
      prefixed(file.largest ?? internalKey("key999", 1, 1)),
      varint(file.smallestSequence ?? 1),
      varint(file.largestSequence ?? 2 ** 40),
      ...(file.fields ?? []),
      varint(1),
    ),
};

export interface NewFile {
  readonly level: number | bigint;
  readonly number: number | bigint;
  readonly size: number | bigint;
  readonly smallest?: Uint8Array;
  readonly largest?: Uint8Array;
  readonly smallestSequence?: number | bigint;
  readonly largestSequence?: number | bigint;
  /** Custom fields: tag, then the bytes with their length. */
  readonly fields?: readonly Uint8Array[];
}
