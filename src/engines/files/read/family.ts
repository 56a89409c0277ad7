/** One column family as it was when the database was opened: its levels, its memtable and its range deletions. */

import { compareBytes } from "../../../bytes/order.js";
import { firstNotBefore } from "../../../bytes/search.js";
import type { ChunkSource } from "../../../engine/chunk-source.js";
import type { ByteRange } from "../../../engine/engine.js";
import { damaged } from "../../../lsm/catalog/catalog.js";
import { RESTORE } from "../../../lsm/damage.js";
import { comparePositions, EntryType } from "../../../lsm/format/internal-key.js";
import { chain, type MaybePromise } from "../../../lsm/source.js";
import { Pause } from "../../../pause.js";
import { checkAges } from "./ages.js";
import { MemtableIterator, type ScanBounds } from "./block-iterator.js";
import { Cursor } from "./cursor.js";
import { type FoundEntry, findInMemory, findInTable } from "./lookup.js";
import type { Memtable } from "./memtable.js";
import { Merge } from "./merge.js";
import { sizeWithin, type Table } from "./table.js";
import { TablesIterator } from "./tables-iterator.js";
import { type RangeDeletion, Tombstones } from "./tombstones.js";

/** The reads of all levels of a scan together, and the longest and the shortest read of one level, in bytes. */
const READS_TOGETHER = 16 * 1024 * 1024;
const LONGEST_READ = 1024 * 1024;
const SHORTEST_READ = 64 * 1024;

/** Keys that are looked up before the time is asked for. */
const TURN = 64;

export class ColumnFamilyReader {
  readonly memtable: Memtable;
  /** Tables that may overlap: each is read like a level of its own. */
  readonly #level0: readonly Table[];
  /** Levels of tables that do not overlap; the entries of a level are newer than those of the next. */
  readonly #levels: readonly (readonly Table[])[];
  /** Tables whose range deletions are not read yet. */
  readonly #unread: Set<Table>;
  readonly #isFar: boolean;
  #deletions: readonly RangeDeletion[];
  #tombstones: Tombstones | undefined;

  /**
   * @param tables in any order
   * @param isFar whether a table is only opened when it is needed
   * @throws MerostoreError DATABASE_DAMAGED when those of a deeper level overlap; FORMAT_UNSUPPORTED as `checkAges`
   */
  constructor(memtable: Memtable, tables: readonly Table[], isFar: boolean) {
    this.memtable = memtable;
    this.#unread = new Set(tables);
    this.#isFar = isFar;
    this.#deletions = memtable.rangeDeletions;
    this.#tombstones = this.#deletions.length === 0 ? undefined : new Tombstones(this.#deletions);
    this.#level0 = tables.filter(({ file }) => file.level === 0);
    checkAges(this.#level0);
    const deeper = [...new Set(tables.map(({ file }) => file.level))].filter((level) => level > 0);
    this.#levels = deeper
      .sort((a, b) => a - b)
      .map((level) => inOrder(tables.filter(({ file }) => file.level === level)));
  }

  /** The values of keys, in their order; copies. */
  async getMany(keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]> {
    const tombstones = await this.#loadTombstones((table) => keys.some((key) => mayHold(table, key)));
    const values: MaybePromise<Uint8Array | undefined>[] = [];
    const pause = new Pause();
    try {
      for (const key of keys) {
        if (values.length % TURN === TURN - 1) await pause.ifLong();
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
    const tombstones = await this.#loadTombstones((table) => isWithin(table, bounds));
    const levels = [...this.#level0.map((table) => [table]), ...this.#levels].filter(
      ({ length }) => length > 0,
    );
    const longest = Math.floor(READS_TOGETHER / Math.max(1, levels.length));
    const read = Math.max(SHORTEST_READ, Math.min(LONGEST_READ, longest));
    const cursors = levels.map((tables) => new Cursor(new TablesIterator(tables, bounds, read), bounds));
    if (this.memtable.count > 0)
      cursors.push(new Cursor(new MemtableIterator(this.memtable, bounds, keysOnly), bounds));
    const rows = new Merge(cursors, { reverse: bounds.reverse, keysOnly, tombstones });
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
    let size = memorySize(this.memtable, range);
    for (const table of [...this.#level0, ...this.#levels.flat()])
      size += await table.unlessDamaged(() => sizeWithin(table, range), 0);
    return Math.round(size);
  }

  #find(key: Uint8Array): MaybePromise<FoundEntry | undefined> {
    return findInMemory(this.memtable, key) ?? this.#findInLevel0(key, 0, undefined);
  }

  /** The newest of all tables that overlap; if none has the key, that of the first level which has it. */
  #findInLevel0(
    key: Uint8Array,
    at: number,
    newest: FoundEntry | undefined,
  ): MaybePromise<FoundEntry | undefined> {
    const next = this.#level0.findIndex((table, index) => index >= at && mayHold(table, key));
    if (next < 0) return newest ?? this.#findInLevels(key, 0);
    return chain(findInTable(this.#level0[next] as Table, key), (found) => {
      const isNewer = found !== undefined && (newest === undefined || found.sequence > newest.sequence);
      return this.#findInLevel0(key, next + 1, isNewer ? found : newest);
    });
  }

  #findInLevels(key: Uint8Array, level: number): MaybePromise<FoundEntry | undefined> {
    const tables = this.#levels[level];
    if (tables === undefined) return undefined;
    return chain(findInLevel(tables, firstEnding(tables, key), key), (found) =>
      found === undefined ? this.#findInLevels(key, level + 1) : found,
    );
  }

  /**
   * The range deletions, at least those of the tables that a read touches: the first and the last key of a table include
   * what it deletes.
   */
  async #loadTombstones(touches: (table: Table) => boolean): Promise<Tombstones | undefined> {
    const unread = this.#unread.size === 0 ? [] : [...this.#unread];
    for (const table of this.#isFar ? unread.filter(touches) : unread) {
      const found = await table.rangeDeletions();
      // Another read may have taken them meanwhile.
      if (!this.#unread.delete(table) || found.length === 0) continue;
      this.#deletions = this.#deletions.concat(found);
      this.#tombstones = new Tombstones(this.#deletions);
    }
    return this.#tombstones;
  }
}

/** Two tables in a row may share a key at their border. */
function findInLevel(
  tables: readonly Table[],
  at: number,
  key: Uint8Array,
): MaybePromise<FoundEntry | undefined> {
  const table = tables[at];
  if (table === undefined || !mayHold(table, key)) return undefined;
  return chain(findInTable(table, key), (found) =>
    found === undefined ? findInLevel(tables, at + 1, key) : found,
  );
}

function inOrder(tables: Table[]): Table[] {
  tables.sort((a, b) => comparePositions(a.file.smallest, b.file.smallest));
  for (const [at, table] of tables.entries()) {
    const before = tables[at - 1];
    if (before === undefined || comparePositions(before.file.largest, table.file.smallest) < 0) continue;
    throw damaged(
      `${before.where} and ${table.where} overlap, as tables of level ${table.file.level} never do`,
      RESTORE,
    );
  }
  return tables;
}

function isWithin({ file }: Table, { from, to }: ScanBounds): boolean {
  if (from !== undefined && compareBytes(file.largest.key, from) < 0) return false;
  return to === undefined || compareBytes(file.smallest.key, to) < 0;
}

function mayHold({ file }: Table, key: Uint8Array): boolean {
  return compareBytes(file.smallest.key, key) <= 0 && compareBytes(key, file.largest.key) <= 0;
}

/** The first table whose last key is not before `key`. */
function firstEnding(tables: readonly Table[], key: Uint8Array): number {
  return firstNotBefore(tables.length, (at) => compareBytes((tables[at] as Table).file.largest.key, key) < 0);
}

/** The share of the log's bytes that corresponds to the entries in the range. */
function memorySize(memtable: Memtable, { from, to }: ByteRange): number {
  if (memtable.count === 0) return 0;
  const first = from === undefined ? 0 : memtable.find(from);
  const last = to === undefined ? memtable.count : memtable.find(to);
  return (memtable.bytes * Math.max(0, last - first)) / memtable.count;
}
