/**
 * Encoding of table files: plain blocks, CRC-32C, format version 5, which every RocksDB since 6.6 reads. The index has whole keys and
 * whole handles, as its properties say. Tables have no filter.
 */

import { copyBytes } from "../../bytes/bytes.js";
import { compareBytes } from "../../bytes/order.js";
import { ByteWriter } from "./byte-writer.js";
import { BLOCK_TRAILER, ChecksumType } from "./checksum.js";
import { crc32c, maskCrc } from "./crc32c.js";
import { comparePositions, EntryType, type InternalKey, MAX_SEQUENCE } from "./internal-key.js";

/** An entry. The value of a range deletion is the end of its range. */
export interface TableEntry extends InternalKey {
  readonly value: Uint8Array;
}

/** The description of a table in a MANIFEST. */
export interface EncodedTable {
  /** Bytes. */
  readonly size: number;
  readonly smallest: InternalKey;
  readonly largest: InternalKey;
  readonly smallestSequence: number;
  readonly largestSequence: number;
}

/** Bytes of entries from which on a data block ends. */
const DATA_BLOCK = 4096;

/** Entries of a data block between two that have their whole key. */
const RESTART_INTERVAL = 16;

const VERSION = 5;
const FOOTER_HANDLES = 40;

/**
 * Yields the bytes of a table, and returns its description.
 *
 * @param column the column family
 * @param entries in the order of internal keys; at least one, or one range deletion
 * @param rangeDeletions in that order too
 */
export function* encodeTable(
  column: { readonly id: number; readonly name: string },
  entries: Iterable<TableEntry>,
  rangeDeletions: readonly TableEntry[],
): Generator<Uint8Array, EncodedTable> {
  const file = new BlockFile();
  const bounds = new Bounds();
  const index = new BlockBuilder(1);
  const data = new BlockBuilder(RESTART_INTERVAL);
  const counts = { entries: 0, deletions: 0, keys: 0, values: 0, blocks: 0 };
  let last = new Uint8Array(0);
  const endBlock = (): Uint8Array => {
    const { bytes, handle } = file.block(data.finish());
    index.add(last, handle);
    counts.blocks++;
    return bytes;
  };
  for (const entry of entries) {
    const key = internalKey(entry);
    data.add(key, entry.value);
    last = key;
    bounds.add(entry, entry);
    counts.entries++;
    counts.keys += key.length;
    counts.values += entry.value.length;
    if (entry.type !== EntryType.Value) counts.deletions++;
    if (data.size >= DATA_BLOCK) yield endBlock();
  }
  if (!data.isEmpty) yield endBlock();
  const dataSize = file.size;

  const meta = new Map<string, Uint8Array>();
  if (rangeDeletions.length > 0) {
    const ranges = new BlockBuilder(1);
    for (const range of rangeDeletions) {
      ranges.add(internalKey(range), range.value);
      bounds.add(
        range,
        { key: range.value, sequence: MAX_SEQUENCE, type: EntryType.RangeDeletion },
        range.sequence,
      );
    }
    const { bytes, handle } = file.block(ranges.finish());
    meta.set("rocksdb.range_del", handle);
    yield bytes;
  }
  const indexBlock = file.block(index.finish());
  yield indexBlock.bytes;
  const properties = file.block(
    namedBlock({
      "rocksdb.block.based.table.index.type": new ByteWriter().u32(0).bytes,
      "rocksdb.block.based.table.prefix.filtering": utf8("0"),
      "rocksdb.block.based.table.whole.key.filtering": utf8("1"),
      "rocksdb.column.family.id": varint(column.id),
      "rocksdb.column.family.name": utf8(column.name),
      "rocksdb.comparator": utf8("leveldb.BytewiseComparator"),
      "rocksdb.compression": utf8("NoCompression"),
      "rocksdb.data.size": varint(dataSize),
      "rocksdb.deleted.keys": varint(counts.deletions + rangeDeletions.length),
      "rocksdb.filter.size": varint(0),
      "rocksdb.fixed.key.length": varint(0),
      "rocksdb.format.version": varint(0),
      "rocksdb.index.key.is.user.key": varint(0),
      "rocksdb.index.size": varint(indexBlock.bytes.length),
      "rocksdb.index.value.is.delta.encoded": varint(0),
      "rocksdb.merge.operands": varint(0),
      "rocksdb.num.data.blocks": varint(counts.blocks),
      "rocksdb.num.entries": varint(counts.entries + rangeDeletions.length),
      "rocksdb.num.range-deletions": varint(rangeDeletions.length),
      "rocksdb.raw.key.size": varint(counts.keys),
      "rocksdb.raw.value.size": varint(counts.values),
    }),
  );
  yield properties.bytes;
  meta.set("rocksdb.properties", properties.handle);
  const metaindex = file.block(namedBlock(Object.fromEntries(meta)));
  yield metaindex.bytes;
  yield footer(metaindex.handle, indexBlock.handle);
  return { size: file.size + 1 + FOOTER_HANDLES + 12, ...bounds.result() };
}

/** Returns the key as a table has it. */
export function internalKey({ key, sequence, type }: InternalKey): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(key.length + 8);
  bytes.set(key);
  const view = new DataView(bytes.buffer);
  view.setUint32(key.length, (sequence % 2 ** 24) * 256 + type, true);
  view.setUint32(key.length + 4, Math.floor(sequence / 2 ** 24), true);
  return bytes;
}

/** The blocks of a file, one after another. */
class BlockFile {
  size = 0;

  /** Returns the bytes of a block, and its handle as a value. */
  block(contents: Uint8Array): { readonly bytes: Uint8Array; readonly handle: Uint8Array } {
    const bytes = new Uint8Array(contents.length + BLOCK_TRAILER); // byte 0 of the trailer: not compressed
    bytes.set(contents);
    const checksum = maskCrc(crc32c(bytes, 0, contents.length + 1));
    new DataView(bytes.buffer).setUint32(contents.length + 1, checksum, true);
    const handle = new ByteWriter().varint(this.size).varint(contents.length).bytes;
    this.size += bytes.length;
    return { bytes, handle };
  }
}

/** Builds the contents of a block. */
class BlockBuilder {
  readonly #interval: number;
  readonly #writer = new ByteWriter();
  #restarts: number[] = [0];
  #count = 0;
  #last = new Uint8Array(0);

  constructor(interval: number) {
    this.#interval = interval;
  }

  get size(): number {
    return this.#writer.length;
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  add(key: Uint8Array<ArrayBuffer>, value: Uint8Array): void {
    const isRestart = this.#count % this.#interval === 0;
    if (isRestart && this.#count > 0) this.#restarts.push(this.#writer.length);
    const shared = isRestart ? 0 : sharedLength(this.#last, key);
    this.#writer
      .varint(shared)
      .varint(key.length - shared)
      .varint(value.length);
    this.#writer.raw(key.subarray(shared)).raw(value);
    this.#last = key;
    this.#count++;
  }

  /** Returns the contents, and begins the next block. */
  finish(): Uint8Array {
    for (const restart of this.#restarts) this.#writer.u32(restart);
    const contents = copyBytes(this.#writer.u32(this.#restarts.length).bytes);
    this.#writer.clear();
    this.#restarts = [0];
    this.#count = 0;
    return contents;
  }
}

/** The first and the last entry, and the lowest and the highest sequence number. */
class Bounds {
  #smallest: InternalKey | undefined;
  #largest: InternalKey | undefined;
  #lowest = Number.MAX_SAFE_INTEGER;
  #highest = 0;

  add(first: InternalKey, last: InternalKey, sequence = first.sequence): void {
    if (this.#smallest === undefined || comparePositions(first, this.#smallest) < 0) this.#smallest = first;
    if (this.#largest === undefined || comparePositions(last, this.#largest) > 0) this.#largest = last;
    this.#lowest = Math.min(this.#lowest, sequence);
    this.#highest = Math.max(this.#highest, sequence);
  }

  result(): Omit<EncodedTable, "size"> {
    return {
      smallest: keyOf(this.#smallest as InternalKey),
      largest: keyOf(this.#largest as InternalKey),
      smallestSequence: this.#lowest,
      largestSequence: this.#highest,
    };
  }
}

function keyOf({ key, sequence, type }: InternalKey): InternalKey {
  return { key, sequence, type };
}

/** A block of values by name. */
function namedBlock(values: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const block = new BlockBuilder(1);
  const named = Object.entries(values).map(([name, value]) => ({ name: utf8(name), value }));
  for (const { name, value } of named.sort((a, b) => compareBytes(a.name, b.name))) block.add(name, value);
  return block.finish();
}

function footer(metaindex: Uint8Array, index: Uint8Array): Uint8Array {
  const bytes = new ByteWriter().byte(ChecksumType.Crc32c).raw(metaindex).raw(index);
  while (bytes.length < 1 + FOOTER_HANDLES) bytes.byte(0);
  return bytes.u32(VERSION).u32(0x85f4cff7).u32(0x88e241b7).bytes;
}

function sharedLength(a: Uint8Array, b: Uint8Array): number {
  const most = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < most && a[shared] === b[shared]) shared++;
  return shared;
}

function varint(value: number): Uint8Array {
  return new ByteWriter().varint(value).bytes;
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
