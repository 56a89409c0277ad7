/** One column family as it was when the database was opened: its sorted runs and its range deletions. */

import { compareBytes } from "../../../bytes/order.js";
import type { ByteRange } from "../../engine.js";
import { damaged } from "../catalog/catalog.js";
import { comparePositions, EntryType } from "../format/internal-key.js";
import { Cursor } from "./cursor.js";
import { firstWith, MemoryFeed, type ScanBounds } from "./feed.js";
import { type Found, findInMemory, findInTable, valueOf } from "./lookup.js";
import type { Memtable } from "./memtable.js";
import { Merge } from "./merge.js";
import { sizeWithin, type Table } from "./table.js";
import { TableFeed } from "./table-feed.js";
import { Tombstones } from "./tombstones.js";

/** The reads of all runs of a scan together, and the longest and the shortest of one run's reads, in bytes. */
const READS_TOGETHER = 16 * 1024 * 1024;
const LONGEST_READ = 1024 * 1024;
const SHORTEST_READ = 64 * 1024;

/** A scan under way. */
export interface FamilyScan {
  readonly rows: Merge;
  /** Waits for reads under way. */
  close(): Promise<void>;
}

export class Family {
  readonly memtable: Memtable;
  /** Tables that may overlap, each a run of its own. */
  readonly #level0: readonly Table[];
  /** Runs of tables that do not overlap; the entries of a run are newer than those of the next. */
  readonly #levels: readonly (readonly Table[])[];
  #tombstones: Promise<Tombstones | undefined> | undefined;

  /** @param tables in any order. @throws MerostoreError DATABASE_DAMAGED when those of a deeper level overlap */
  constructor(memtable: Memtable, tables: readonly Table[]) {
    this.memtable = memtable;
    this.#level0 = tables.filter(({ file }) => file.level === 0);
    const deeper = [...new Set(tables.map(({ file }) => file.level))].filter((level) => level > 0);
    this.#levels = deeper
      .sort((a, b) => a - b)
      .map((level) => inOrder(tables.filter(({ file }) => file.level === level)));
  }

  /** The value of a key; a copy. */
  async get(key: Uint8Array): Promise<Uint8Array | undefined> {
    const tombstones = await this.#loadTombstones();
    let newest = findInMemory(this.memtable, key);
    if (newest === undefined) newest = await this.#findInTables(key);
    if (newest === undefined || newest.type !== EntryType.Value) return undefined;
    if (tombstones?.cover(key, 0, key.length, newest.sequence)) return undefined;
    return valueOf(newest);
  }

  async scan(bounds: ScanBounds, keysOnly: boolean): Promise<FamilyScan> {
    const tombstones = await this.#loadTombstones();
    const runs = [...this.#level0.map((table) => [table]), ...this.#levels].filter((run) => run.length > 0);
    const longest = Math.floor(READS_TOGETHER / Math.max(1, runs.length));
    const read = Math.max(SHORTEST_READ, Math.min(LONGEST_READ, longest));
    const cursors = runs.map((tables) => new Cursor(new TableFeed(tables, bounds, read), bounds));
    if (this.memtable.blocks.length > 0)
      cursors.push(new Cursor(new MemoryFeed(this.memtable.blocks, bounds), bounds));
    return {
      rows: new Merge(cursors, { reverse: bounds.reverse, keysOnly, tombstones }),
      close: async () => void (await Promise.all(cursors.map((cursor) => cursor.close()))),
    };
  }

  /** Estimated bytes of the rows of a range. */
  async size(range: ByteRange): Promise<number> {
    let size = memorySize(this.memtable, range);
    for (const table of [...this.#level0, ...this.#levels.flat()]) size += await sizeWithin(table, range);
    return Math.round(size);
  }

  async #findInTables(key: Uint8Array): Promise<Found | undefined> {
    let newest: Found | undefined;
    for (const table of this.#level0) {
      if (!mayHold(table, key)) continue;
      const found = await findInTable(table, key);
      if (found !== undefined && (newest === undefined || found.sequence > newest.sequence)) newest = found;
    }
    if (newest !== undefined) return newest;
    for (const level of this.#levels) {
      // Two tables in a row may share a key at their border.
      for (let at = firstEnding(level, key); at < level.length && mayHold(level[at] as Table, key); at++) {
        const found = await findInTable(level[at] as Table, key);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  #loadTombstones(): Promise<Tombstones | undefined> {
    this.#tombstones ??= (async () => {
      const deletions = [...this.memtable.rangeDeletions];
      for (const table of [...this.#level0, ...this.#levels.flat()])
        deletions.push(...(await table.rangeDeletions()));
      return deletions.length === 0 ? undefined : new Tombstones(deletions);
    })();
    return this.#tombstones;
  }
}

function inOrder(tables: Table[]): Table[] {
  tables.sort((a, b) => comparePositions(a.file.smallest, b.file.smallest));
  for (const [at, table] of tables.entries()) {
    const before = tables[at - 1];
    if (before === undefined || comparePositions(before.file.largest, table.file.smallest) < 0) continue;
    throw damaged(
      `${before.where} and ${table.where} overlap, as tables of level ${table.file.level} never do`,
      "Restore the whole folder from a copy.",
    );
  }
  return tables;
}

function mayHold({ file }: Table, key: Uint8Array): boolean {
  return compareBytes(file.smallest.key, key) <= 0 && compareBytes(key, file.largest.key) <= 0;
}

/** The first table whose last key is not before `key`. */
function firstEnding(tables: readonly Table[], key: Uint8Array): number {
  let low = 0;
  let high = tables.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareBytes((tables[middle] as Table).file.largest.key, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Of the log's bytes as many as the range has of its blocks. */
function memorySize({ blocks, bytes }: Memtable, { from, to }: ByteRange): number {
  if (blocks.length === 0) return 0;
  const first = from === undefined ? 0 : firstWith(blocks, from);
  const last = to === undefined ? blocks.length : Math.min(blocks.length, firstWith(blocks, to) + 1);
  return (bytes * Math.max(0, last - first)) / blocks.length;
}
