/** The tables of one column family, by level. */

import { compareBytes } from "../../../bytes/order.js";
import { firstNotBefore } from "../../../bytes/search.js";
import { damaged } from "../../../lsm/catalog/catalog.js";
import { RESTORE } from "../../../lsm/damage.js";
import { comparePositions } from "../../../lsm/format/internal-key.js";
import { chain, type MaybePromise } from "../../../lsm/source.js";
import { checkAges } from "./ages.js";
import { type FoundEntry, findInTable } from "./lookup.js";
import type { Table } from "./table.js";
import type { RangeDeletion } from "./tombstones.js";

export class Levels {
  /** Tables that may overlap. Each is read like a separate level. */
  readonly #level0: readonly Table[];
  /** Levels of tables that do not overlap. The entries of a level are newer than the entries of the next level. */
  readonly #levels: readonly (readonly Table[])[];
  /** The levels without empty ones. Each table of level 0 is a separate level. */
  readonly sorted: readonly (readonly Table[])[];
  /** The tables whose range deletions are not read yet. */
  readonly #unread: Set<Table>;
  #deletions: readonly RangeDeletion[] = [];

  /**
   * @param tables in any order
   * @throws MerostoreError DATABASE_DAMAGED if tables of a deeper level overlap; FORMAT_UNSUPPORTED as `checkAges`
   */
  constructor(tables: readonly Table[]) {
    this.#unread = new Set(tables);
    this.#level0 = tables.filter(({ file }) => file.level === 0);
    checkAges(this.#level0);
    const deeper = [...new Set(tables.map(({ file }) => file.level))].filter((level) => level > 0);
    this.#levels = deeper
      .sort((a, b) => a - b)
      .map((level) => inOrder(tables.filter(({ file }) => file.level === level)));
    this.sorted = [...this.#level0.map((table) => [table]), ...this.#levels];
  }

  /** The levels in {@link sorted}, down to a level. */
  down(level: number): readonly (readonly Table[])[] {
    return this.sorted.filter(([table]) => (table as Table).file.level <= level);
  }

  /** The newest entry of a key. */
  find(key: Uint8Array): MaybePromise<FoundEntry | undefined> {
    return this.#findInLevel0(key, 0, undefined);
  }

  /**
   * Returns the range deletions of all tables for which `touches` is true, and of tables read before. The array is the
   * same as before if there are no new ones.
   */
  async rangeDeletions(touches: (table: Table) => boolean): Promise<readonly RangeDeletion[]> {
    for (const table of [...this.#unread].filter(touches)) {
      const found = await table.rangeDeletions();
      // A concurrent call may have added them.
      if (this.#unread.delete(table) && found.length > 0) this.#deletions = this.#deletions.concat(found);
    }
    return this.#deletions;
  }

  /**
   * Finds the newest entry in the overlapping tables of level 0. If they do not have the key, finds it in the first
   * deeper level that has it.
   */
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
}

/** Finds a key from a table on: two neighbouring tables may share a key at their border. */
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

/** Returns true if a key is between the first and the last key of a table. */
export function mayHold({ file }: Table, key: Uint8Array): boolean {
  return compareBytes(file.smallest.key, key) <= 0 && compareBytes(key, file.largest.key) <= 0;
}

/** The first table whose last key is not before `key`. */
function firstEnding(tables: readonly Table[], key: Uint8Array): number {
  return firstNotBefore(tables.length, (at) => compareBytes((tables[at] as Table).file.largest.key, key) < 0);
}
