/** Iterates over the data blocks of a level's tables, in either direction, with few long reads and read-ahead. */

import { compareBytes, compareRanges } from "../../../bytes/order.js";
import { MalformedBytes } from "../../../lsm/format/byte-cursor.js";
import { BLOCK_TRAILER } from "../../../lsm/format/checksum.js";
import { decodeEntries, EntryBlock, type Rest } from "../../../lsm/format/entry-block.js";
import type { BlockHandle } from "../../../lsm/format/footer.js";
import type { BlockIndex } from "../../../lsm/format/index-block.js";
import { chain, type MaybePromise } from "../../../lsm/source.js";
import type { BlockIterator, ScanBounds } from "./block-iterator.js";
import type { Contents, Table, TableIndex } from "./table.js";

/** The bytes of the first read. Each later read is four times as long, up to the longest. */
const FIRST_READ = 8 * 1024;
const GROWTH = 4;

/** From this length on, the next read starts before the current one is used up. */
const READ_AHEAD_FROM = 128 * 1024;

/** Consecutive blocks of a file that are read together. */
interface Span {
  readonly table: Table;
  /** The blocks in the order of the scan. */
  readonly handles: readonly BlockHandle[];
  /** The offset of their first byte. */
  readonly offset: number;
  readonly length: number;
}

export class TablesIterator implements BlockIterator {
  readonly #tables: readonly Table[];
  readonly #bounds: ScanBounds;
  readonly #longestRead: number;
  readonly #block = new EntryBlock();
  #readLength = FIRST_READ;
  /** The next table, the next partition of its index, and the next block in it. */
  #table: number;
  #index: TableIndex | undefined;
  #partition = 0;
  #blocks: BlockIndex | undefined;
  #next = 0;
  /** From this block of the partition on, in the order of the scan, no block has entries within the bounds. */
  #beyond = 0;
  #span: Span | undefined;
  #bytes: Uint8Array | undefined;
  #used = 0;
  /** The current data block, and its remaining pieces, with the next piece last. */
  #contents: Contents | undefined;
  readonly #pieces: Rest[] = [];
  #ahead: { readonly span: Span; readonly bytes: Promise<Uint8Array> } | undefined;

  /**
   * @param tables in key order, without overlaps; at least one
   * @param longestRead the bytes of the longest read
   */
  constructor(tables: readonly Table[], bounds: ScanBounds, longestRead: number) {
    this.#tables = tables;
    this.#bounds = bounds;
    this.#longestRead = longestRead;
    this.#table = firstTable(tables, bounds);
  }

  next(): MaybePromise<EntryBlock | undefined> {
    for (;;) {
      const span = this.#span;
      const isUsedUp = this.#pieces.length === 0 && this.#used === span?.handles.length;
      if (span === undefined || isUsedUp) return this.#nextSpan();
      const block = this.#decode(span, this.#pieces.pop());
      if (block !== undefined) return block;
    }
  }

  /** Waits for the read-ahead. Over a network, where it may take minutes, closing the file ends it instead. */
  async close(): Promise<void> {
    if (this.#ahead?.span.table.isFar !== true) await this.#ahead?.bytes.catch(() => undefined);
  }

  /** Decodes the next block of a span, or a piece of the current one; undefined for damage that reads leave out. */
  #decode(span: Span, piece?: Rest): EntryBlock | undefined {
    if (piece === undefined) this.#used++;
    const block = span.table.unlessDamaged(() => this.#decodeNext(span, piece), undefined) as
      | EntryBlock
      | undefined;
    if (block !== undefined) return block;
    this.#pieces.length = 0;
    this.#block.count = 0;
    return undefined;
  }

  #decodeNext(span: Span, piece: Rest | undefined): EntryBlock {
    const { table, offset } = span;
    const handle = span.handles[this.#used - 1] as BlockHandle;
    const block = this.#block;
    // The last key of the previous block, in the direction of the scan. Decoding overwrites the offsets of the block,
    // but not its keys.
    const { keys, count } = block;
    const { reverse } = this.#bounds;
    const edge = reverse ? 0 : count - 1;
    const start = block.keyStarts[edge] as number;
    const end = block.keyEnds[edge] as number;
    const sequence = block.sequences[edge] as number;
    return table.guard(handle, () => {
      if (piece === undefined)
        this.#contents = table.contents(this.#bytes as Uint8Array, handle.offset - offset, handle);
      this.#fill(this.#contents as Contents, piece);
      if (count === 0) return block;
      const order = compareEntry(keys, start, end, sequence, block, reverse);
      if (reverse ? order > 0 : order < 0) return block;
      throw new MalformedBytes("the blocks of a table are out of order");
    });
  }

  /** Decodes a piece, or the first piece of a block in the order of the scan. The other pieces go into `#pieces`. */
  #fill({ bytes, start, end }: Contents, piece: Rest | undefined): void {
    const block = this.#block;
    let rest = decodeEntries(block, bytes, start, end, piece);
    if (rest === undefined) return;
    if (!this.#bounds.reverse) {
      this.#pieces.push(rest);
      return;
    }
    if (piece !== undefined) return; // the pieces after it came first
    // A reverse scan begins with the last piece, and only decoding all pieces before it shows where it begins.
    const first = { at: start, key: new Uint8Array(0), keyBytes: 0 };
    for (let last: Rest = first; rest !== undefined; rest = decodeEntries(block, bytes, start, end, rest)) {
      this.#pieces.push(last);
      last = rest;
    }
  }

  #nextSpan(): MaybePromise<EntryBlock | undefined> {
    const ahead = this.#ahead;
    if (ahead !== undefined) {
      this.#ahead = undefined;
      return ahead.bytes.then((bytes) => this.#begin(ahead.span, bytes));
    }
    return chain(this.#loadBlocks(), (blocks) => this.#readSpan(blocks));
  }

  #readSpan(blocks: BlockIndex | undefined): MaybePromise<EntryBlock | undefined> {
    if (blocks === undefined) return undefined;
    const span = this.#guard(() => this.#cutSpan(blocks));
    const bytes = span.table.read(span.offset, new Uint8Array(span.length));
    return chain(bytes, (read) => this.#begin(span, read));
  }

  #begin(span: Span, bytes: Uint8Array): MaybePromise<EntryBlock | undefined> {
    this.#span = span;
    this.#bytes = bytes;
    this.#used = 0;
    this.#readAhead();
    return this.next();
  }

  /** Starts the next read, if its blocks are known without reading. */
  #readAhead(): void {
    const blocks = this.#blocks;
    if (this.#readLength < READ_AHEAD_FROM || blocks === undefined || !this.#hasBlock(blocks)) return;
    if (this.#isBeyond()) return;
    const span = this.#guard(() => this.#cutSpan(blocks));
    const bytes = (async () => span.table.read(span.offset, new Uint8Array(span.length)))();
    bytes.catch(() => undefined); // `#nextSpan` awaits it, unless the scan ends before
    this.#ahead = { span, bytes };
  }

  #hasBlock(blocks: BlockIndex): boolean {
    return this.#bounds.reverse ? this.#next >= 0 : this.#next < blocks.length;
  }

  /** Returns true if neither the next block nor any later one can have entries within the bounds. */
  #isBeyond(): boolean {
    return this.#bounds.reverse ? this.#next <= this.#beyond : this.#next >= this.#beyond;
  }

  /** Loads the index of the partition with the next block; undefined at the end of the level. */
  #loadBlocks(): MaybePromise<BlockIndex | undefined> {
    const { reverse } = this.#bounds;
    const step = reverse ? -1 : 1;
    for (;;) {
      const blocks = this.#blocks;
      if (blocks !== undefined) {
        if (this.#hasBlock(blocks)) return blocks;
        this.#blocks = undefined;
        this.#partition += step;
      }
      const index = this.#index;
      if (index !== undefined && this.#partition >= 0 && this.#partition < index.length) {
        const partition = this.#unlessDamaged(() => index.partition(this.#partition));
        if (partition instanceof Promise)
          return partition.then((read) => this.#enter(read)).then(() => this.#loadBlocks());
        this.#enter(partition);
        continue;
      }
      if (index !== undefined) {
        this.#index = undefined;
        this.#table += step;
      }
      const table = this.#tables[this.#table];
      if (table === undefined) return undefined;
      const { gte: from, lt: to } = this.#bounds;
      const found = this.#unlessDamaged(() => table.index(from !== undefined || to !== undefined));
      if (found instanceof Promise)
        return found.then((read) => this.#open(read)).then(() => this.#loadBlocks());
      this.#open(found);
    }
  }

  #open(index: TableIndex | undefined): void {
    if (index === undefined) {
      this.#table += this.#bounds.reverse ? -1 : 1;
      return;
    }
    this.#index = index;
    this.#partition = this.#guard(() => firstOf(index, this.#bounds));
  }

  #enter(blocks: BlockIndex | undefined): void {
    if (blocks === undefined) {
      this.#partition += this.#bounds.reverse ? -1 : 1;
      return;
    }
    this.#blocks = blocks;
    this.#next = this.#guard(() => firstOf(blocks, this.#bounds));
    this.#beyond = this.#guard(() => firstBeyond(blocks, this.#bounds));
  }

  /** Reads a part of the current table's index; undefined for damage that reads leave out. */
  #unlessDamaged<T>(read: () => MaybePromise<T>): MaybePromise<T | undefined> {
    return (this.#tables[this.#table] as Table).unlessDamaged<T | undefined>(read, undefined);
  }

  /** Runs a function that reads the current table's index. Its errors then name the file. */
  #guard<T>(work: () => T): T {
    return (this.#tables[this.#table] as Table).guard(undefined, work);
  }

  /** Takes the next consecutive blocks, up to the length of one read, but at least one. */
  #cutSpan(blocks: BlockIndex): Span {
    const step = this.#bounds.reverse ? -1 : 1;
    const handles: BlockHandle[] = [];
    let length = 0;
    let before: BlockHandle | undefined;
    for (; this.#next >= 0 && this.#next < blocks.length; this.#next += step) {
      const handle = blocks.handle(this.#next);
      const size = handle.size + BLOCK_TRAILER;
      if (before !== undefined) {
        const [first, second] = step === 1 ? [before, handle] : [handle, before];
        if (first.offset + first.size + BLOCK_TRAILER !== second.offset) break;
        if (length + size > this.#readLength || this.#isBeyond()) break;
      }
      handles.push(handle);
      length += size;
      before = handle;
    }
    this.#readLength = Math.min(this.#longestRead, GROWTH * this.#readLength);
    const [first, last] = [handles[0] as BlockHandle, handles.at(-1) as BlockHandle];
    const table = this.#tables[this.#table] as Table;
    return { table, handles, offset: Math.min(first.offset, last.offset), length };
  }
}

/**
 * Returns the first place of an index in the order of a scan; a place beyond its end if it has nothing within the
 * bounds.
 */
function firstOf(
  index: { readonly length: number; find(key: Uint8Array): number },
  { gte: from, lt: to, reverse }: ScanBounds,
): number {
  if (!reverse) return from === undefined ? 0 : index.find(from);
  return to === undefined ? index.length - 1 : Math.min(index.find(to), index.length - 1);
}

/**
 * Returns the first block, in the order of a scan, that surely has no entries within the bounds. The index key of a
 * block is at or after its last entry, so the key of the previous block is the lower bound of a block.
 */
function firstBeyond(blocks: BlockIndex, { gte: from, lt: to, reverse }: ScanBounds): number {
  if (reverse) return from === undefined ? -1 : blocks.find(from) - 1;
  return to === undefined ? blocks.length : blocks.find(to) + 1;
}

/** Compares an entry with the first or last entry of a block: negative if the entry comes before it. */
function compareEntry(
  keys: Uint8Array,
  start: number,
  end: number,
  sequence: number,
  block: EntryBlock,
  last: boolean,
): number {
  const at = last ? block.count - 1 : 0;
  const { keyStarts, keyEnds, sequences } = block;
  return (
    compareRanges(keys, start, end, block.keys, keyStarts[at] as number, keyEnds[at] as number) ||
    (sequences[at] as number) - sequence
  );
}

/**
 * Returns the table in which a scan begins: the first table with entries at or after `gte` or, in reverse, the last one
 * with entries before `lt`.
 */
function firstTable(tables: readonly Table[], { gte: from, lt: to, reverse }: ScanBounds): number {
  if (!reverse) {
    if (from === undefined) return 0;
    const found = tables.findIndex(({ file }) => compareBytes(file.largest.key, from) >= 0);
    return found < 0 ? tables.length : found;
  }
  if (to === undefined) return tables.length - 1;
  return tables.findLastIndex(({ file }) => compareBytes(file.smallest.key, to) < 0);
}
