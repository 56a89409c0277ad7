/**
 * Encodes table files: plain or LZ4 data blocks, XXH3 checksums. RocksDB reads format version 5 since 6.27. The
 * checksums of version 6 also depend on the file and the place of a block. The index has whole keys and whole handles,
 * and the properties say so.
 */

import { copyBytes, grown } from "../../bytes/bytes.js";
import { compareBytes } from "../../bytes/order.js";
import { ByteWriter } from "./byte-writer.js";
import { BLOCK_TRAILER, type Checksum, contextModifier } from "./checksum.js";
import { BlockBuilder } from "./encode-block.js";
import { FILTER_NAME, FilterBuilder } from "./encode-filter.js";
import { compressLz4 } from "./encode-lz4.js";
import { EXTENDED_MAGIC, FOOTER, MAGIC } from "./footer.js";
import { comparePositions, EntryType, type InternalKey, MAX_SEQUENCE, TRAILER } from "./internal-key.js";

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

/** A data block ends when its entries have so many bytes. */
const DATA_BLOCK = 4096;

/** The number of entries from one whole key to the next in a data block. */
const RESTART_INTERVAL = 16;

/** The kind of compression in the trailer of a block. */
const LZ4 = 4;

/** Blocks are returned together when they have so many bytes. */
const PIECE = 1024 * 1024;
/** The first size of the buffer for these blocks. */
const FIRST_PIECE = 8 * 1024;

const FOOTER_HANDLES = 40;

/** The form of a table. */
export interface TableForm {
  /** The format version. */
  readonly version: 5 | 6;
  /** True to compress data blocks if that makes them shorter. */
  readonly lz4: boolean;
  /** Bits of the Bloom filter for each key; 0 for a table without one. */
  readonly bloomBits: number;
}

/** Encodes a table entry by entry. */
export class TableEncoder {
  readonly #column: { readonly id: number; readonly name: string };
  readonly #form: TableForm;
  readonly #file: BlockFile;
  readonly #bounds = new Bounds();
  readonly #index = new BlockBuilder(1);
  readonly #data = new BlockBuilder(RESTART_INTERVAL);
  readonly #filter: FilterBuilder;
  readonly #counts = { entries: 0, deletions: 0, keys: 0, values: 0, blocks: 0 };
  #last: InternalKey | undefined;
  #key = new Uint8Array(0);

  /** @param column the column family */
  constructor(
    column: { readonly id: number; readonly name: string },
    form: TableForm,
    checksum: TableChecksum,
  ) {
    this.#column = column;
    this.#form = form;
    this.#filter = new FilterBuilder(form.bloomBits);
    this.#file = new BlockFile(checksum, form.version < 6 ? 0 : randomBase());
  }

  /** The bytes of the blocks so far. */
  get size(): number {
    return this.#file.size;
  }

  /**
   * Adds an entry, in the order of internal keys, each key once. Its key must not change until the next call.
   *
   * @returns a piece of the file, when there are enough bytes for one
   */
  add(entry: TableEntry): Uint8Array | undefined {
    const { key, value, type } = entry;
    const length = key.length + TRAILER;
    if (this.#key.length < length) this.#key = new Uint8Array(2 * length);
    fillInternalKey(this.#key, entry);
    this.#data.add(this.#key, value, length);
    if (this.#last === undefined) this.#bounds.add(keyOf(entry), keyOf(entry));
    else this.#bounds.addSequence(entry.sequence);
    this.#last = entry;
    this.#filter.add(key);
    this.#counts.entries++;
    this.#counts.keys += length;
    this.#counts.values += value.length;
    if (type !== EntryType.Value) this.#counts.deletions++;
    if (this.#data.size < DATA_BLOCK) return undefined;
    this.#endBlock();
    return this.#file.waiting < PIECE ? undefined : this.#file.take();
  }

  /**
   * Returns the rest of the bytes, and the description of the table. It has at least one entry, or one range deletion.
   *
   * @param rangeDeletions in the order of internal keys
   * @param pause called repeatedly
   */
  async finish(
    rangeDeletions: readonly TableEntry[],
    pause: () => Promise<void>,
  ): Promise<{ readonly bytes: Uint8Array; readonly table: EncodedTable }> {
    const file = this.#file;
    const bounds = this.#bounds;
    const counts = this.#counts;
    if (!this.#data.isEmpty) this.#endBlock();
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
      meta.set("rocksdb.range_del", copyBytes(file.block(ranges.finish())));
    }
    const filter = await this.#filter.finish(pause);
    if (filter !== undefined) {
      meta.set(FILTER_NAME, copyBytes(file.block(filter)));
    }
    const indexAt = file.size;
    const index = copyBytes(file.block(this.#index.finish()));
    const indexSize = file.size - indexAt;
    if (this.#form.version >= 6) meta.set("rocksdb.index", index);
    const properties = file.block(
      namedBlock({
        "rocksdb.block.based.table.index.type": new ByteWriter().u32(0).bytes,
        "rocksdb.block.based.table.prefix.filtering": utf8("0"),
        "rocksdb.block.based.table.whole.key.filtering": utf8("1"),
        "rocksdb.column.family.id": varint(this.#column.id),
        "rocksdb.column.family.name": utf8(this.#column.name),
        "rocksdb.comparator": utf8("leveldb.BytewiseComparator"),
        "rocksdb.compression": utf8(this.#form.lz4 ? "LZ4" : "NoCompression"),
        "rocksdb.data.size": varint(dataSize),
        "rocksdb.deleted.keys": varint(counts.deletions + rangeDeletions.length),
        ...(filter && { "rocksdb.filter.policy": utf8("bloomfilter") }),
        "rocksdb.filter.size": varint(filter?.length ?? 0),
        "rocksdb.fixed.key.length": varint(0),
        "rocksdb.format.version": varint(0),
        "rocksdb.index.key.is.user.key": varint(0),
        "rocksdb.index.size": varint(indexSize),
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
    meta.set("rocksdb.properties", copyBytes(properties));
    const contents = namedBlock(Object.fromEntries(meta));
    const metaindex = file.block(contents);
    if (this.#form.version < 6) file.add(footer(file.checksum.type, metaindex, index));
    else file.add(footer6(file, contents.length));
    return { bytes: file.take(), table: { size: file.size, ...bounds.result() } };
  }

  #endBlock(): void {
    const contents = this.#data.finish();
    const compressed = this.#form.lz4 ? compressLz4(contents) : undefined;
    const handle =
      compressed === undefined
        ? this.#file.block(contents)
        : this.#file.block(new ByteWriter().varint(contents.length).raw(compressed).bytes, LZ4);
    this.#index.add(this.#data.lastKey, handle);
    this.#counts.blocks++;
  }
}

/** Encodes an internal key. */
export function internalKey(key: InternalKey): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(key.key.length + TRAILER);
  fillInternalKey(bytes, key);
  return bytes;
}

function fillInternalKey(bytes: Uint8Array, { key, sequence, type }: InternalKey): void {
  const { length } = key;
  for (let at = 0; at < length; at++) bytes[at] = key[at] as number;
  const low = sequence % 2 ** 24;
  const high = (sequence - low) / 2 ** 24;
  bytes[length] = type;
  for (let at = 0; at < 3; at++) bytes[length + 1 + at] = low >>> (8 * at);
  for (let at = 0; at < 4; at++) bytes[length + 4 + at] = high >>> (8 * at);
}

/** The checksum of the blocks of a table. */
interface TableChecksum {
  /** Its kind, as in `ChecksumType`. */
  readonly type: number;
  readonly of: Checksum;
}

/** The blocks of a file, one after another. */
class BlockFile {
  readonly checksum: TableChecksum;
  /** The base of the checksums' part that depends on the place of a block; 0 before version 6. */
  readonly base: number;
  /** The bytes of the file so far. */
  size = 0;
  /** The number of bytes that `take` has not returned yet. */
  waiting = 0;
  #bytes = new Uint8Array(FIRST_PIECE);
  readonly #handle = new ByteWriter();

  constructor(checksum: TableChecksum, base: number) {
    this.checksum = checksum;
    this.base = base;
  }

  /** Adds a block. Returns its handle as a value: a view until the next block. */
  block(contents: Uint8Array, compression = 0): Uint8Array {
    this.#handle.clear();
    const handle = this.#handle.varint(this.size).varint(contents.length).bytes;
    const modifier = contextModifier(this.base, this.size);
    const start = this.waiting;
    const end = start + contents.length + 1;
    this.#reserve(contents.length + BLOCK_TRAILER);
    const bytes = this.#bytes;
    bytes.set(contents, start);
    bytes[end - 1] = compression;
    const checksum = this.checksum.of(bytes, start, end) + modifier;
    for (let at = 0; at < 4; at++) bytes[end + at] = checksum >>> (8 * at);
    return handle;
  }

  /** Adds bytes outside blocks. */
  add(bytes: Uint8Array): void {
    const start = this.waiting;
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, start);
  }

  /** Returns the waiting bytes. */
  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.waiting);
    this.#bytes = new Uint8Array(this.#bytes.length);
    this.waiting = 0;
    return taken;
  }

  #reserve(length: number): void {
    const needed = this.waiting + length;
    if (needed > this.#bytes.length)
      this.#bytes = grown(this.#bytes, new Uint8Array(Math.max(2 * this.#bytes.length, needed)));
    this.waiting = needed;
    this.size += length;
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

/** Encodes a block of values by name. */
function namedBlock(values: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const block = new BlockBuilder(1);
  const named = Object.entries(values).map(([name, value]) => ({ name: utf8(name), value }));
  for (const { name, value } of named.sort((a, b) => compareBytes(a.name, b.name))) block.add(name, value);
  return block.finish();
}

function footer(checksum: number, metaindex: Uint8Array, index: Uint8Array): Uint8Array {
  const bytes = new ByteWriter().byte(checksum).raw(metaindex).raw(index);
  return ended(bytes, 5);
}

/** Encodes the footer of version 6. The metaindex is right before it. */
function footer6({ checksum, base, size }: BlockFile, metaindexSize: number): Uint8Array {
  const withSum = (sum: number): Uint8Array => {
    const bytes = new ByteWriter().byte(checksum.type).u32(EXTENDED_MAGIC).u32(sum).u32(base);
    return ended(bytes.u32(metaindexSize), 6);
  };
  return withSum((checksum.of(withSum(0), 0, FOOTER) + contextModifier(base, size)) >>> 0);
}

function ended(bytes: ByteWriter, version: number): Uint8Array {
  while (bytes.length < 1 + FOOTER_HANDLES) bytes.byte(0);
  return bytes.u32(version).u32(MAGIC[1]).u32(MAGIC[0]).bytes;
}

/** Returns a random base of checksums, which makes two equal bases unlikely. */
function randomBase(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] || 1;
}

function varint(value: number): Uint8Array {
  return new ByteWriter().varint(value).bytes;
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
