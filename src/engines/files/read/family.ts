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
 * The longest read of one level, in bytes. Longer reads from a disk are not faster, and V8 frees their buffers late,
 * when it collects the old generation.
 */
const LONGEST_READ = 256 * 1024;
const LONGEST_FAR_READ = 1024 * 1024;

/** Two neighbouring memtables are merged if the older one has at most this many times the entries of the newer one. */
const MERGE_RATIO = 2;

/** Entries in the order of their keys. */
interface EntrySource {
  /** Up to `most` entries; undefined at the end. */
  next(most: number): Promise<readonly TableEntry[] | undefined>;
  close(): Promise<void>;
}

export class ColumnFamilyReader {
  /** The memtables, newest first. */
  readonly #memtables: readonly Memtable[];
  readonly #levels: Levels;
  readonly #isFar: boolean;
  /** The range deletions of the memtables. */
  readonly #newest: readonly RangeDeletion[];
  /** The range deletions of tables that are in {@link #tombstones}. */
  #ofTables: readonly RangeDeletion[] = [];
  #tombstones: Tombstones | undefined;
  readonly #keptBytes: number;
  /** True after the first scan. From the second scan on, the rows of a small family are kept in memory. */
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
   * @param isFar whether tables are opened only when they are needed
   * @param keptBytes the rows stay in memory at the second scan if they have at most so many bytes; 0 for never
   * @throws MerostoreError DATABASE_DAMAGED if tables of a deeper level overlap; FORMAT_UNSUPPORTED as `checkAges`
   */
  static of(
    memtable: Memtable,
    tables: readonly Table[],
    isFar: boolean,
    keptBytes: number,
  ): ColumnFamilyReader {
    return new ColumnFamilyReader([memtable], new Levels(tables), isFar, keptBytes);
  }

  /** Returns a reader of the family with newer entries. This reader does not change. */
  async with(memtable: Memtable): Promise<ColumnFamilyReader> {
    let newest = memtable;
    let older = this.#memtables;
    for (let [next] = older; next !== undefined && next.count <= MERGE_RATIO * newest.count; [next] = older) {
      newest = await Memtable.merged(next, newest);
      older = older.slice(1);
    }
    return new ColumnFamilyReader([newest, ...older], this.#levels, this.#isFar, this.#keptBytes);
  }

  /** The entries that are not in tables. */
  async unflushed(): Promise<Memtable> {
    let [merged, ...older] = this.#memtables as [Memtable, ...Memtable[]];
    for (const memtable of older) merged = await Memtable.merged(memtable, merged);
    return merged;
  }

  /** The number of changes in the write-ahead logs, including overridden ones. */
  get changes(): number {
    return this.#memtables.reduce((sum, { changes }) => sum + changes, 0);
  }

  /** The bytes of the keys and values of these changes. */
  get changedBytes(): number {
    return this.#memtables.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Returns copies of the values of keys, in the order of the keys. */
  async getMany(keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]> {
    const tombstones = await this.#loadTombstones((table) => keys.some((key) => mayHold(table, key)));
    const values: MaybePromise<Uint8Array | undefined>[] = [];
    const pause = new Pause();
    try {
      for (const key of keys) {
        // A lookup takes microseconds, or longer if it reads a block with a value of megabytes.
        if (pause.isLong) await pause.ifLong();
        const value = chain(this.#find(key), (newest) => {
          if (newest === undefined || newest.type !== EntryType.Value) return undefined;
          return tombstones?.cover(key, 0, key.length, newest.sequence) ? undefined : newest.value;
        });
        // It may fail while other keys are looked up, before anything awaits it.
        if (value instanceof Promise) value.catch(() => undefined);
        values.push(value);
      }
    } catch (error) {
      await Promise.allSettled(values.map(async (value) => value)); // they read files that the caller may close
      throw error;
    }
    return values.some((value) => value instanceof Promise)
      ? Promise.all(values.map(async (value) => value))
      : (values as (Uint8Array | undefined)[]);
  }

  /** Opens a scan. Closing the scan waits for its read-ahead. */
  async scan(bounds: ScanBounds, keysOnly: boolean): Promise<ChunkSource> {
    if (this.#wasScanned && this.#isSmall()) {
      this.#rows ??= readAll(() => this.#scan(ALL, false), this.#keptBytes);
      const rows = await this.#rows;
      await new Pause().ifLong(); // a loop of such scans would otherwise never yield to the event loop
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
   * Returns the newest entry of each key in memory and in the tables down to a level, and the range deletions there.
   * Deletions are entries too. Entries that a range deletion hides are left out.
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

  /** Estimates the bytes of the rows in a range. */
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
   * Loads the range deletions, at least for the tables that a read touches. The key range of a table includes the
   * ranges that it deletes.
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

/** The bytes of a memtable, in proportion to its entries in the range. */
function memorySize(memtable: Memtable, { gte: from, lt: to }: ByteRange): number {
  if (memtable.count === 0) return 0;
  const first = from === undefined ? 0 : memtable.find(from);
  const last = to === undefined ? memtable.count : memtable.find(to);
  return (memtable.bytes * Math.max(0, last - first)) / memtable.count;
}
