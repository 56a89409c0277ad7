/**
 * Encoding of table files: data blocks plain or LZ4, CRC-32C, format version 5, which every RocksDB since 6.6 reads. The index has whole keys and
 * whole handles, as its properties say.
 */

import { copyBytes } from "../../bytes/bytes.js";
import { compareBytes } from "../../bytes/order.js";
import { ByteWriter } from "./byte-writer.js";
import { BLOCK_TRAILER, ChecksumType } from "./checksum.js";
import { crc32c, maskCrc } from "./crc32c.js";
import { BlockBuilder } from "./encode-block.js";
import { FILTER_NAME, FilterBuilder } from "./encode-filter.js";
import { compressLz4 } from "./encode-lz4.js";
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

/** Bytes after the key of a row: sequence number and type. */
const SUFFIX = 8;

/** The kind of compression in the trailer of a block. */
const LZ4 = 4;

const VERSION = 5;
const FOOTER_HANDLES = 40;

/** Encodes a table while its entries come. */
export class TableEncoder {
  readonly #column: { readonly id: number; readonly name: string };
  readonly #lz4: boolean;
  readonly #file = new BlockFile();
  readonly #bounds = new Bounds();
  readonly #index = new BlockBuilder(1);
  readonly #data = new BlockBuilder(RESTART_INTERVAL);
  readonly #filter = new FilterBuilder();
  readonly #counts = { entries: 0, deletions: 0, keys: 0, values: 0, blocks: 0 };
  #last: InternalKey | undefined;
  #key = new Uint8Array(0);

  /**
   * @param column the column family
   * @param lz4 whether data blocks are compressed that become shorter so
   */
  constructor(column: { readonly id: number; readonly name: string }, lz4: boolean) {
    this.#column = column;
    this.#lz4 = lz4;
  }

  /** Bytes of the blocks so far. */
  get size(): number {
    return this.#file.size;
  }

  /**
   * Adds an entry, in the order of internal keys, each key once. Its key must not change until the next call.
   *
   * @returns the bytes of a data block, if one ends with it
   */
  add(entry: TableEntry): Uint8Array | undefined {
    const { key, value, type } = entry;
    const length = key.length + SUFFIX;
    if (this.#key.length < length) this.#key = new Uint8Array(2 * length);
    fillInternalKey(this.#key, entry);
    this.#data.add(this.#key.subarray(0, length), value);
    if (this.#last === undefined) this.#bounds.add(keyOf(entry), keyOf(entry));
    else this.#bounds.addSequence(entry.sequence);
    this.#last = entry;
    this.#filter.add(key);
    this.#counts.entries++;
    this.#counts.keys += length;
    this.#counts.values += value.length;
    if (type !== EntryType.Value) this.#counts.deletions++;
    return this.#data.size >= DATA_BLOCK ? this.#endBlock() : undefined;
  }

  /**
   * Returns the rest of the bytes, and the description of the table. It has at least one entry, or one range deletion.
   *
   * @param rangeDeletions in the order of internal keys
   */
  finish(rangeDeletions: readonly TableEntry[]): {
    readonly bytes: readonly Uint8Array[];
    readonly table: EncodedTable;
  } {
    const file = this.#file;
    const bounds = this.#bounds;
    const counts = this.#counts;
    const pieces: Uint8Array[] = [];
    if (!this.#data.isEmpty) pieces.push(this.#endBlock());
    if (this.#last !== undefined) bounds.add(this.#last, this.#last);
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
      pieces.push(bytes);
    }
    const filter = this.#filter.finish();
    if (filter !== undefined) {
      const { bytes, handle } = file.block(filter);
      meta.set(FILTER_NAME, handle);
      pieces.push(bytes);
    }
    const indexBlock = file.block(this.#index.finish());
    pieces.push(indexBlock.bytes);
    const properties = file.block(
      namedBlock({
        "rocksdb.block.based.table.index.type": new ByteWriter().u32(0).bytes,
        "rocksdb.block.based.table.prefix.filtering": utf8("0"),
        "rocksdb.block.based.table.whole.key.filtering": utf8("1"),
        "rocksdb.column.family.id": varint(this.#column.id),
        "rocksdb.column.family.name": utf8(this.#column.name),
        "rocksdb.comparator": utf8("leveldb.BytewiseComparator"),
        "rocksdb.compression": utf8(this.#lz4 ? "LZ4" : "NoCompression"),
        "rocksdb.data.size": varint(dataSize),
        "rocksdb.deleted.keys": varint(counts.deletions + rangeDeletions.length),
        ...(filter && { "rocksdb.filter.policy": utf8("bloomfilter") }),
        "rocksdb.filter.size": varint(filter?.length ?? 0),
        "rocksdb.fixed.key.length": varint(0),
        "rocksdb.format.version": varint(0),
        "rocksdb.index.key.is.user.key": varint(0),
        "rocksdb.index.size": varint(indexBlock.bytes.length),
        "rocksdb.index.value.is.delta.encoded": varint(0),
        "rocksdb.merge.operands": varint(0),
        "rocksdb.num.data.blocks": varint(counts.blocks),
        "rocksdb.num.filter_entries": varint(filter === undefined ? 0 : this.#filter.count),
        "rocksdb.num.entries": varint(counts.entries + rangeDeletions.length),
        "rocksdb.num.range-deletions": varint(rangeDeletions.length),
        "rocksdb.raw.key.size": varint(counts.keys),
        "rocksdb.raw.value.size": varint(counts.values),
      }),
    );
    pieces.push(properties.bytes);
    meta.set("rocksdb.properties", properties.handle);
    const metaindex = file.block(namedBlock(Object.fromEntries(meta)));
    pieces.push(metaindex.bytes, footer(metaindex.handle, indexBlock.handle));
    return {
      bytes: pieces,
      table: { size: file.size + 1 + FOOTER_HANDLES + 12, ...bounds.result() },
    };
  }

  #endBlock(): Uint8Array {
    const contents = this.#data.finish();
    const compressed = this.#lz4 ? compressLz4(contents) : undefined;
    const { bytes, handle } =
      compressed === undefined
        ? this.#file.block(contents)
        : this.#file.block(new ByteWriter().varint(contents.length).raw(compressed).bytes, LZ4);
    this.#index.add(this.#data.lastKey, handle);
    this.#counts.blocks++;
    return bytes;
  }
}

/** Returns the key as a table has it. */
export function internalKey(key: InternalKey): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(key.key.length + SUFFIX);
  fillInternalKey(bytes, key);
  return bytes;
}

function fillInternalKey(bytes: Uint8Array, { key, sequence, type }: InternalKey): void {
  bytes.set(key);
  let rest = sequence;
  bytes[key.length] = type;
  for (let at = key.length + 1; at < key.length + SUFFIX; at++) {
    bytes[at] = rest % 256;
    rest = Math.floor(rest / 256);
  }
}

/** The blocks of a file, one after another. */
class BlockFile {
  size = 0;

  /** Returns the bytes of a block, and its handle as a value. */
  block(contents: Uint8Array, compression = 0): { readonly bytes: Uint8Array; readonly handle: Uint8Array } {
    const bytes = new Uint8Array(contents.length + BLOCK_TRAILER);
    bytes.set(contents);
    bytes[contents.length] = compression;
    const checksum = maskCrc(crc32c(bytes, 0, contents.length + 1));
    new DataView(bytes.buffer).setUint32(contents.length + 1, checksum, true);
    const handle = new ByteWriter().varint(this.size).varint(contents.length).bytes;
    this.size += bytes.length;
    return { bytes, handle };
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
    this.addSequence(sequence);
  }

  addSequence(sequence: number): void {
    if (sequence < this.#lowest) this.#lowest = sequence;
    if (sequence > this.#highest) this.#highest = sequence;
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
  return { key: copyBytes(key), sequence, type };
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

function varint(value: number): Uint8Array {
  return new ByteWriter().varint(value).bytes;
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
