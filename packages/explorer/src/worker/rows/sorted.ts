/** Rows that pass a filter, in their own order. The keys of all of them are kept. */
import { MerostoreError, toHex } from "merostore";
import type { RawRow } from "merostore/engine";
import { Pause } from "merostore/internal";
import type { Database } from "../database/database.js";
import { compareCells } from "./cell-order.js";
import { type Cell, gridRows } from "./cells.js";
import type { ChosenRows, RowOrder } from "./choice.js";
import { type RowTest, rowTest } from "./filter.js";

/** The most rows that are kept. */
const MOST = 200_000;
/** Rows that are decoded at a time. */
const AT_ONCE = 500;

interface Kept {
  readonly key: Uint8Array;
  /** The text by which it is sorted; undefined if the row does not have the cell. */
  readonly text: string | undefined;
}

/** Rows by their number, like a {@link RowIndex}, which has the order of the keys. */
export class SortedRows {
  readonly #database: Database;
  readonly #column: string;
  readonly #rows: readonly Kept[];

  private constructor(database: Database, column: string, rows: readonly Kept[]) {
    this.#database = database;
    this.#column = column;
    this.#rows = rows;
  }

  /** The number of rows. */
  get count(): number {
    return this.#rows.length;
  }

  /**
   * Reads all rows. The content of a secret neither sorts nor finds a row.
   *
   * @throws MerostoreError INVALID_ARGUMENT for a filter that cannot be understood, and for too many rows
   */
  static async of(
    database: Database,
    rows: ChosenRows,
    { sort, where }: RowOrder,
    onProgress: (rows: number) => void,
  ): Promise<SortedRows> {
    const passes: RowTest = rowTest(where);
    const isDescending = sort.startsWith("-");
    const by = sort.replace(/^-/, "");
    const kept: Kept[] = [];
    const pause = new Pause();
    let read = 0;
    for await (const chunk of database.store.raw.scan(rows.column, rows.range).chunks()) {
      for (let from = 0; from < chunk.length; from += AT_ONCE) {
        const chosen = chunk.slice(from, from + AT_ONCE).filter(rows.isChosen);
        const shown = await gridRows(database, rows, chosen, false);
        for (const [at, { cells }] of shown.entries()) {
          if (!passes(cells)) continue;
          kept.push({ key: Uint8Array.from((chosen[at] as RawRow).key), text: textOf(cells[by]) });
          if (kept.length > MOST)
            throw new MerostoreError(
              "INVALID_ARGUMENT",
              `more than ${MOST} rows cannot be sorted or filtered: choose by the leading parts of the key`,
            );
        }
        read += chosen.length;
        onProgress(read);
        await pause.ifLong();
      }
    }
    if (by !== "") kept.sort((a, b) => compare(a, b, isDescending));
    return new SortedRows(database, rows.column, kept);
  }

  /** The rows from a number on. Rows that were deleted meanwhile are empty. */
  async page(from: number, count: number): Promise<readonly RawRow[]> {
    const keys = this.#rows.slice(from, from + count).map(({ key }) => key);
    const values = await this.#database.store.raw.getMany(this.#column, keys);
    return keys.map((key, at) => ({ key, value: values[at] ?? new Uint8Array() }));
  }

  /** The number of the first listed row whose key begins with hex digits; undefined if there is none. */
  placeOf(digits: string): number | undefined {
    const at = this.#rows.findIndex(({ key }) => toHex(key).startsWith(digits));
    return at < 0 ? undefined : at;
  }
}

function textOf(cell: Cell | undefined): string | undefined {
  if (cell === undefined || cell.look === "secret" || cell.look === "none") return undefined;
  return cell.thing?.name ?? cell.text;
}

/**
 * Compares with numbers by value. Rows without the cell come last in both directions; equal rows keep the order of
 * their keys.
 */
function compare({ text: a }: Kept, { text: b }: Kept, isDescending: boolean): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  const order = compareCells(a, b);
  return isDescending ? -order : order;
}
