/** Reads the data blocks of tables that do not overlap, and skips unreadable blocks. */

import { copyBytes } from "../../../bytes/bytes.js";
import { toHex } from "../../../bytes/hex.js";
import { compareRanges } from "../../../bytes/order.js";
import { MalformedBytes } from "../../../lsm/format/byte-cursor.js";
import { BLOCK_TRAILER, verifyBlock } from "../../../lsm/format/checksum.js";
import { decodeEntries, EntryBlock, type Rest } from "../../../lsm/format/entry-block.js";
import type { FileSet, FileSource, MaybePromise } from "../../../lsm/source.js";
import type { BlockIterator } from "../read/block-iterator.js";
import { expanded, whyOf } from "./block-reading.js";
import { blocksOf, type DamagedTable } from "./damaged-table.js";
import { type FindingSink, finding, type RecoveryFinding } from "./finding.js";
import type { DataBlock } from "./found-table.js";

/** A table, and the number of its file. */
export interface NumberedTable {
  readonly table: DamagedTable;
  readonly number: number;
  /** The name of its column family. */
  readonly column: string;
}

/** Receives the findings and the progress of a recovery. */
export interface RecoveryEvents {
  readonly onFinding: FindingSink;
  /** Receives the number of bytes after each read. */
  readonly onRead: (bytes: number) => void;
  /** Returns a promise until the receiver of findings is ready for more; undefined if it is ready. */
  readonly settled: () => Promise<unknown> | undefined;
}

/** Consecutive blocks of a file. */
interface Span {
  readonly blocks: readonly DataBlock[];
  readonly bytes: Uint8Array;
  readonly offset: number;
}

/** The state of the current table. */
interface Open {
  readonly of: NumberedTable;
  readonly source: FileSource;
  readonly blocks: readonly DataBlock[];
  next: number;
  /** The number of entries read. */
  entries: number;
  /** The finding about the first lost block, kept until it is known whether it is the only one. */
  lost: RecoveryFinding | undefined;
  lostBlocks: number;
}

/** Iterates over the entries of tables that do not overlap, block by block. An unreadable block becomes a finding. */
export class DamagedTablesIterator implements BlockIterator {
  readonly #files: FileSet;
  readonly #tables: readonly NumberedTable[];
  readonly #readBytes: number;
  readonly #events: RecoveryEvents;
  readonly #block = new EntryBlock();
  #nextTable = 0;
  #open: Open | undefined;
  #span: Span | undefined;
  #used = 0;
  #rest: { readonly contents: Uint8Array; readonly from: Rest; readonly block: DataBlock } | undefined;
  #lastKey: Uint8Array | undefined;
  #lastSequence = 0;

  /**
   * @param tables in key order, without overlaps
   * @param readBytes the bytes of one read; a longer block is read alone
   */
  constructor(files: FileSet, tables: readonly NumberedTable[], readBytes: number, events: RecoveryEvents) {
    this.#files = files;
    this.#tables = tables;
    this.#readBytes = readBytes;
    this.#events = events;
  }

  next(): MaybePromise<EntryBlock | undefined> {
    return this.#fromSpan() ?? this.#fromFile();
  }

  async close(): Promise<void> {
    this.#open?.source.close();
    this.#open = undefined;
  }

  /** The next readable block of the span in memory. */
  #fromSpan(): EntryBlock | undefined {
    const open = this.#open;
    if (open === undefined) return undefined;
    for (;;) {
      const rest = this.#rest;
      if (rest !== undefined) {
        this.#rest = undefined;
        if (this.#decode(open, rest.block, () => rest.contents, rest.from)) return this.#block;
        continue;
      }
      const span = this.#span;
      const block = span?.blocks[this.#used];
      if (span === undefined || block === undefined) return undefined;
      this.#used++;
      const { checks, decompressors } = open.of.table.reading;
      const contents = (): Uint8Array => {
        const at = block.offset - span.offset;
        verifyBlock(checks, span.bytes, at, block);
        return expanded(span.bytes, at, block.size, decompressors, "data");
      };
      if (this.#decode(open, block, contents)) return this.#block;
    }
  }

  /** Decodes a block, or its next piece. Returns true if it could be decoded. */
  #decode(open: Open, block: DataBlock, read: () => Uint8Array, from?: Rest): boolean {
    const into = this.#block;
    try {
      const contents = read();
      const rest = decodeEntries(into, contents, 0, contents.length, from);
      this.#checkOrder(into);
      if (rest !== undefined) this.#rest = { contents, from: rest, block };
    } catch (error) {
      this.#lose(open, block, whyOf(error));
      return false;
    }
    into.age = open.of.number;
    open.entries += into.count;
    const last = into.count - 1;
    this.#lastKey = copyBytes(into.keys.subarray(into.keyStarts[last], into.keyEnds[last]));
    this.#lastSequence = into.sequences[last] as number;
    return true;
  }

  #checkOrder({ keys, keyStarts, keyEnds, sequences }: EntryBlock): void {
    const before = this.#lastKey;
    if (before === undefined) return;
    const order =
      compareRanges(before, 0, before.length, keys, keyStarts[0] as number, keyEnds[0] as number) ||
      (sequences[0] as number) - this.#lastSequence;
    if (order >= 0) throw new MalformedBytes("its keys are not after those of the block before");
  }

  #lose(open: Open, { offset, size, after, until }: DataBlock, why: string): void {
    const { table, column } = open.of;
    const lost = finding(table.name, `a block of rows is left out: ${why}`, {
      offset,
      bytes: size + BLOCK_TRAILER,
      column,
      firstKey: after === undefined ? null : toHex(after),
      lastKey: until === undefined ? null : toHex(until),
    });
    open.lostBlocks++;
    if (open.lostBlocks === 1) {
      open.lost = lost;
      return;
    }
    this.#tellLost(open, undefined);
    this.#events.onFinding(lost);
  }

  #tellLost(open: Open, entries: number | undefined): void {
    if (open.lost !== undefined) this.#events.onFinding({ ...open.lost, entries: entries ?? null });
    open.lost = undefined;
  }

  async #fromFile(): Promise<EntryBlock | undefined> {
    for (;;) {
      const found = this.#fromSpan();
      if (found !== undefined) return found;
      this.#span = undefined;
      const open = this.#open ?? (await this.#openNext());
      if (open === undefined) return undefined;
      if (open.next >= open.blocks.length) this.#end(open);
      else await this.#readSpan(open);
    }
  }

  async #openNext(): Promise<Open | undefined> {
    const of = this.#tables[this.#nextTable++];
    if (of === undefined) return undefined;
    let source: FileSource | undefined;
    try {
      source = await this.#files.open(of.table.name);
      if (source === undefined) throw new MalformedBytes("the file is gone");
      const blocks = await blocksOf(source, of.table);
      this.#open = { of, source, blocks, next: 0, entries: 0, lost: undefined, lostBlocks: 0 };
      return this.#open;
    } catch (error) {
      source?.close();
      const { name, size } = of.table;
      const message = `the table is left out: ${whyOf(error)}`;
      this.#events.onFinding(finding(name, message, { bytes: size, column: of.column }));
      return this.#openNext();
    }
  }

  #end(open: Open): void {
    const { origin, index } = open.of.table;
    const all = index === undefined ? undefined : origin?.entries;
    const isOnly = open.lostBlocks === 1 && all !== undefined && all >= open.entries;
    this.#tellLost(open, isOnly ? (all as number) - open.entries : undefined);
    open.source.close();
    this.#open = undefined;
  }

  /** Reads the next consecutive blocks. */
  async #readSpan(open: Open): Promise<void> {
    const blocks: DataBlock[] = [];
    let length = 0;
    for (; open.next < open.blocks.length; open.next++) {
      const block = open.blocks[open.next] as DataBlock;
      const before = blocks.at(-1);
      const size = block.size + BLOCK_TRAILER;
      if (before !== undefined && before.offset + before.size + BLOCK_TRAILER !== block.offset) break;
      if (before !== undefined && length + size > this.#readBytes) break;
      blocks.push(block);
      length += size;
    }
    const { offset } = blocks[0] as DataBlock;
    this.#used = 0;
    try {
      this.#span = { blocks, offset, bytes: await open.source.read(offset, new Uint8Array(length)) };
    } catch (error) {
      if (blocks.length === 1) this.#lose(open, blocks[0] as DataBlock, whyOf(error));
      else {
        whyOf(error); // throws any error that is not about damage
        await this.#readEach(open, blocks);
      }
    }
    this.#events.onRead(length);
  }

  /** Reads blocks one by one if the disk cannot read them together, and keeps the readable ones. */
  async #readEach(open: Open, blocks: readonly DataBlock[]): Promise<void> {
    const first = blocks[0] as DataBlock;
    const last = blocks.at(-1) as DataBlock;
    const bytes = new Uint8Array(last.offset + last.size + BLOCK_TRAILER - first.offset);
    const read: DataBlock[] = [];
    for (const block of blocks) {
      const at = block.offset - first.offset;
      try {
        await open.source.read(block.offset, bytes.subarray(at, at + block.size + BLOCK_TRAILER));
        read.push(block);
      } catch (error) {
        this.#lose(open, block, whyOf(error));
      }
    }
    this.#span = { blocks: read, offset: first.offset, bytes };
  }
}
