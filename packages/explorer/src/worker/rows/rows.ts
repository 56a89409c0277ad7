/** Rows of a kind: their number, their columns, and any page of them. */
import { fromHex } from "merostore";
import type { RawRow } from "merostore/engine";
import type { Database } from "../database/database.js";
import { columnsOf, type GridColumn, type GridRow, toldRows } from "./cells.js";
import { type ChosenRows, chooseRows, type RowChoice } from "./choice.js";
import { RowIndex } from "./index.js";
import { SortedRows } from "./sorted.js";

/** The facts about a choice of rows that the page keeps. */
export interface Grid {
  readonly column: string;
  /** The number of rows. */
  readonly count: number;
  readonly columns: readonly GridColumn[];
  /** The leading parts in the words of a command: `contextId=lobby`. */
  readonly words: readonly string[];
  /** The names of all parts of the key, in their order. */
  readonly parts: readonly string[];
}

/** The number of rows whose fields decide the columns. */
const SAMPLED = 60;

interface Chosen {
  readonly rows: ChosenRows;
  readonly index: RowIndex | SortedRows;
}

/** The rows of a choice, with an index of all of them. */
export async function rows(
  database: Database,
  choice: RowChoice,
  revealSecrets: boolean,
  onProgress: (rows: number) => void,
): Promise<Grid> {
  const { rows, index } = await chosen(database, choice, onProgress);
  // The first rows by key decide the columns, so sorting and filtering do not change them.
  const sample = await toldRows(database, rows, await firstRows(database, rows), revealSecrets);
  return {
    column: rows.column,
    count: index.count,
    columns: columnsOf(rows, sample),
    words: rows.words,
    parts: rows.key?.PARTS.map(({ name }) => name) ?? [],
  };
}

async function firstRows({ store }: Database, { column, range, isChosen }: ChosenRows): Promise<RawRow[]> {
  const first: RawRow[] = [];
  for await (const row of store.raw.scan(column, range)) {
    if (isChosen(row)) first.push(row);
    if (first.length === SAMPLED) break;
  }
  return first;
}

/** Some rows of a choice, by their number. */
export async function rowPage(
  database: Database,
  choice: RowChoice,
  from: number,
  count: number,
  revealSecrets: boolean,
): Promise<readonly GridRow[]> {
  const { rows, index } = await chosen(database, choice);
  return toldRows(database, rows, await index.page(from, count), revealSecrets);
}

/**
 * The number of the row with a key, or of the next row. Among sorted or filtered rows, undefined for a missing key. The
 * first digits of a key are enough.
 */
export async function rowPlace(
  database: Database,
  choice: RowChoice,
  key: string,
): Promise<number | undefined> {
  const { index } = await chosen(database, choice);
  if (index instanceof SortedRows) return index.placeOf(key);
  return index.placeOf(fromHex(key.length % 2 === 0 ? key : `${key}0`));
}

/** The index of a choice is cached: every page needs it. */
function chosen(
  database: Database,
  choice: RowChoice,
  onProgress: (rows: number) => void = () => undefined,
): Promise<Chosen> {
  return database.kept(`rows ${JSON.stringify(choice)}`, async () => {
    const rows = await chooseRows(database, choice);
    const { order } = choice;
    const index =
      order === undefined
        ? await RowIndex.of(database, rows, onProgress)
        : await SortedRows.of(database, rows, order, onProgress);
    return { rows, index };
  });
}
