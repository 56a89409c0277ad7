/** One column family at one moment: its memtables, the levels of its tables, and its range deletions. */

import { compareBytes } from "../../../bytes/order.js";
import type { ChunkSource } from "../../../engine/chunk-source.js";
import type { ByteRange, RawRow } from "../../../engine/engine.js";
import type { TableEntry } from "../../../lsm/format/encode-table.js";
import { EntryType } from "../../../lsm/format/internal-key.js";
import { chain, type MaybePromise } from "../../../lsm/source.js";
import { Pause } from "../../../pause.js";
import { ALL, longestRead, MemtableIterator, type ScanBounds } from "./block-iterator.js";
import { Cursor } from "./cursor.js";
import { Levels, mayHold } from "./levels.js";
import { type FoundEntry, findInMemory } from "./lookup.js";
import { Memtable } from "./memtable.js";
import { Merge, type MergeOptions } from "./merge.js";
import { readAll, scanOf } from "./small-family.js";
import { sizeWithin, type Table } from "./table.js";
import { TablesIterator } from "./tables-iterator.js";
import { type RangeDeletion, Tombstones } from "./tombstones.js";

/**
 * The longest read of one level, in bytes. Longer reads from a disk are not faster, and V8 frees their buffers late: only when it
 * collects the old generation.
 */
const LONGEST_READ = 256 * 1024;
const LONGEST_FAR_READ = 1024 * 1024;

/** A memtable that has at most this many times the entries of the next newer one is merged with it. */
const MERGE_RATIO = 2;

/** Entries in the order of their keys. */
export interface EntrySource {
  /** Up to `most` entries; undefined at the end. */
  next(most: number): Promise<readonly TableEntry[] | undefined>;
  close(): Promise<void>;
}

export class ColumnFamilyReader {
  /** The newest first. */
  readonly #memtables: readonly Memtable[];
  readonly #levels: Levels;
  readonly #isFar: boolean;
  /** The range deletions of the memtables. */
  readonly #newest: readonly RangeDeletion[];
  /** Those of tables that {@link #tombstones} has. */
  #ofTables: readonly RangeDeletion[] = [];
  #tombstones: Tombstones | undefined;
  readonly #keptBytes: number;
  /** True once a scan was begun: from the second one on the rows of a small family are kept. */
  #wasScanned = false;
  #rows: Promise<readonly RawRow[] | undefined> | undefined;

  private constructor(memtables: readonly Memtable[], levels: Levels, isFar: boolean, keptBytes: number) {
    this.#memtables = memtables;
    this.#levels = levels;
    this.#isFar = isFar;
    this.#keptBytes = keptBytes;
    this.#newest = memtables.flatMap(({ rangeDeletions }) => rangeDeletions);
    this.#tombstones = Tombstones.of(this.#newest);
  }

  /**
   * @param tables in any order
   * @param isFar whether a table is only opened when it is needed
   * @param keptBytes bytes of all rows up to which they are kept in memory when they are scanned again; 0 for never
   * @throws MerostoreError DATABASE_DAMAGED when those of a deeper level overlap; FORMAT_UNSUPPORTED as `checkAges`
   */
  static of(
    memtable: Memtable,
    tables: readonly Table[],
    isFar: boolean,
    keptBytes: number,
  ): ColumnFamilyReader {
    return new ColumnFamilyReader([memtable], new Levels(tables), isFar, keptBytes);
  }

  /** Returns the family with newer entries. This reader stays as it is. */
  async with(memtable: Memtable): Promise<ColumnFamilyReader> {
    let newest = memtable;
    let older = this.#memtables;
    for (let [next] = older; next !== undefined && next.count <= MERGE_RATIO * newest.count; [next] = older) {
      newest = await Memtable.merged(next, newest);
      older = older.slice(1);
    }
    return new ColumnFamilyReader([newest, ...older], this.#levels, this.#isFar, this.#keptBytes);
  }

  /** All that is not in tables. */
  async unflushed(): Promise<Memtable> {
    let [merged, ...older] = this.#memtables as [Memtable, ...Memtable[]];
    for (const memtable of older) merged = await Memtable.merged(memtable, merged);
    return merged;
  }

  /** Changes in the write-ahead logs, including those that later ones override. */
  get changes(): number {
    return this.#memtables.reduce((sum, { changes }) => sum + changes, 0);
  }

  /** Bytes of their keys and values. */
  get changedBytes(): number {
    return this.#memtables.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** The values of keys, in their order; copies. */
  async getMany(keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]> {
    const tombstones = await this.#loadTombstones((table) => keys.some((key) => mayHold(table, key)));
    const values: MaybePromise<Uint8Array | undefined>[] = [];
    const pause = new Pause();
    try {
      for (const key of keys) {
        // A lookup takes microseconds, or the time of a block with a value of megabytes.
        if (pause.isLong) await pause.ifLong();
        const value = chain(this.#find(key), (newest) => {
          if (newest === undefined || newest.type !== EntryType.Value) return undefined;
          return tombstones?.cover(key, 0, key.length, newest.sequence) ? undefined : newest.value;
        });
        // While the other keys are looked up, it may fail, and nobody has asked for it yet.
        if (value instanceof Promise) value.catch(() => undefined);
        values.push(value);
      }
    } catch (error) {
      await Promise.allSettled(values.map(async (value) => value)); // those under way read files that the caller may close
      throw error;
    }
    return values.some((value) => value instanceof Promise)
      ? Promise.all(values.map(async (value) => value))
      : (values as (Uint8Array | undefined)[]);
  }

  /** Opens a scan; closing it waits for reads that were begun ahead. */
  async scan(bounds: ScanBounds, keysOnly: boolean): Promise<ChunkSource> {
    if (this.#wasScanned && this.#isSmall()) {
      this.#rows ??= readAll(() => this.#scan(ALL, false), this.#keptBytes);
      const rows = await this.#rows;
      await new Pause().ifLong(); // scan after scan would never wait for anything else
      if (rows !== undefined) return scanOf(rows, bounds, keysOnly);
    }
    this.#wasScanned = true;
    return this.#scan(bounds, keysOnly);
  }

  #isSmall(): boolean {
    const tables = this.#levels.sorted.flat().reduce((sum, { file }) => sum + file.size, 0);
    return tables + this.changedBytes <= this.#keptBytes;
  }

  async #scan(bounds: ScanBounds, keysOnly: boolean): Promise<ChunkSource> {
    const tombstones = await this.#loadTombstones((table) => isWithin(table, bounds));
    const { reverse } = bounds;
    return this.#merge(this.#levels.sorted, bounds, { reverse, keysOnly, tombstones, asEntries: false });
  }

  /**
   * The newest entry of each key in memory and in the tables down to a level, deletions included, and the range deletions there. What those
   * delete is left out.
   */
  async entries(
    level: number,
  ): Promise<{ readonly entries: EntrySource; readonly rangeDeletions: readonly RangeDeletion[] }> {
    const levels = this.#levels.down(level);
    const ofTables = await Promise.all(levels.flat().map((table) => table.rangeDeletions()));
    const rangeDeletions = [...this.#newest, ...ofTables.flat()];
    const tombstones = Tombstones.of(rangeDeletions);
    const options = { reverse: false, keysOnly: false, tombstones, asEntries: true };
    return { entries: this.#merge(levels, ALL, options) as EntrySource, rangeDeletions };
  }

  #merge(levels: readonly (readonly Table[])[], bounds: ScanBounds, options: MergeOptions): ChunkSource {
    const read = longestRead(levels.length, this.#isFar ? LONGEST_FAR_READ : LONGEST_READ);
    const cursors = levels.map((tables) => new Cursor(new TablesIterator(tables, bounds, read), bounds));
    for (const memtable of this.#memtables)
      if (memtable.count > 0)
        cursors.push(new Cursor(new MemtableIterator(memtable, bounds, options.keysOnly), bounds));
    const rows = new Merge(cursors, options);
    const pause = new Pause();
    return {
      next: async (most) => {
        await pause.ifLong();
        return rows.next(most);
      },
      close: async () => void (await Promise.all(cursors.map((cursor) => cursor.close()))),
    };
  }

  /** Estimated bytes of the rows of a range. */
  async size(range: ByteRange): Promise<number> {
    let size = this.#memtables.reduce((sum, memtable) => sum + memorySize(memtable, range), 0);
    for (const table of this.#levels.sorted.flat())
      size += await table.unlessDamaged(() => sizeWithin(table, range), 0);
    return Math.round(size);
  }

  #find(key: Uint8Array): MaybePromise<FoundEntry | undefined> {
    for (const memtable of this.#memtables) {
      const found = findInMemory(memtable, key);
      if (found !== undefined) return found;
    }
    return this.#levels.find(key);
  }

  /**
   * The range deletions, at least those of the tables that a read touches: the first and the last key of a table include
   * what it deletes.
   */
  async #loadTombstones(touches: (table: Table) => boolean): Promise<Tombstones | undefined> {
    const ofTables = await this.#levels.rangeDeletions(this.#isFar ? touches : () => true);
    if (ofTables !== this.#ofTables) {
      this.#ofTables = ofTables;
      this.#tombstones = Tombstones.of([...this.#newest, ...ofTables]);
    }
    return this.#tombstones;
  }
}

function isWithin({ file }: Table, { gte: from, lt: to }: ScanBounds): boolean {
  if (from !== undefined && compareBytes(file.largest.key, from) < 0) return false;
  return to === undefined || compareBytes(file.smallest.key, to) < 0;
}

/** The share of the log's bytes that corresponds to the entries in the range. */
function memorySize(memtable: Memtable, { gte: from, lt: to }: ByteRange): number {
  if (memtable.count === 0) return 0;
  const first = from === undefined ? 0 : memtable.find(from);
  const last = to === undefined ? memtable.count : memtable.find(to);
  return (memtable.bytes * Math.max(0, last - first)) / memtable.count;
}
