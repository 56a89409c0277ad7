/** A sparse index of keys, made by one scan, by which any of a million rows is reached at once. */
import { compareBytes } from "merostore";
import type { RawRow } from "merostore/engine";
import type { Database } from "./database.js";
import { Pauses } from "./pause.js";
import type { ChosenRows } from "./row-choice.js";

/** Rows from one remembered key to the next. */
const STEP = 1_000;
/** Beginnings of pages that are remembered beside them. */
const REMEMBERED = 64;

/** Where rows are by their number. */
export class RowIndex {
  /** The number of rows. */
  readonly count: number;
  readonly #database: Database;
  readonly #rows: ChosenRows;
  /** The keys of the rows 0, 1000, 2000, … */
  readonly #keys: readonly Uint8Array[];
  /** The first keys of pages that follow pages that were read, by the number of the row. */
  readonly #reached = new Map<number, Uint8Array>();

  private constructor(database: Database, rows: ChosenRows, keys: readonly Uint8Array[], count: number) {
    this.#database = database;
    this.#rows = rows;
    this.#keys = keys;
    this.count = count;
  }

  /** Reads all keys. */
  static async of(
    database: Database,
    rows: ChosenRows,
    onProgress: (rows: number) => void,
  ): Promise<RowIndex> {
    const keys: Uint8Array[] = [];
    const pauses = new Pauses();
    let count = 0;
    const { raw } = database.store;
    if (raw.columns.includes(rows.column))
      for await (const chunk of raw.scan(rows.column, rows.range, { keysOnly: true }).chunks()) {
        for (const row of chunk) {
          if (!rows.isChosen(row)) continue;
          if (count % STEP === 0) keys.push(Uint8Array.from(row.key));
          count++;
        }
        onProgress(count);
        await pauses.now();
      }
    return new RowIndex(database, rows, keys, count);
  }

  /** The rows from a number on. */
  async page(from: number, count: number): Promise<readonly RawRow[]> {
    const first = Math.floor(from / STEP);
    const reached = this.#reached.get(from);
    const begin = reached ?? this.#keys[first];
    if (begin === undefined) return [];
    const skipped = reached === undefined ? from - first * STEP : 0;
    const rows = await this.#read(begin, skipped, count, false);
    const last = rows.at(-1);
    if (rows.length === count && last !== undefined) this.#remember(from + count, after(last.key));
    return rows;
  }

  /** The number of the first row whose key is not below the given one. */
  async placeOf(key: Uint8Array): Promise<number> {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareBytes(this.#keys[middle] as Uint8Array, key) <= 0) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return 0;
    const first = low - 1;
    const rows = await this.#read(this.#keys[first] as Uint8Array, 0, STEP, true);
    const at = rows.findIndex((row) => compareBytes(row.key, key) >= 0);
    return first * STEP + (at < 0 ? rows.length : at);
  }

  /** So many chosen rows from a key on, after those that are skipped. */
  async #read(
    from: Uint8Array,
    skipped: number,
    count: number,
    keysOnly: boolean,
  ): Promise<readonly RawRow[]> {
    const { column, range, isChosen } = this.#rows;
    const found: RawRow[] = [];
    let left = skipped;
    let begin = from;
    // With a limit, no more is read of the files than is needed. Rows of other kinds in between use some of it up.
    for (const limit of [skipped + count, undefined]) {
      let read = 0;
      let last = begin;
      const scan = this.#database.store.raw.scan(column, { ...range, from: begin }, { keysOnly, limit });
      for await (const chunk of scan.chunks()) {
        for (const row of chunk) {
          if (!isChosen(row)) continue;
          if (left > 0) left--;
          else found.push(row);
          if (found.length === count) return found;
        }
        read += chunk.length;
        last = chunk.at(-1)?.key ?? last;
      }
      if (limit === undefined || read < limit) break;
      begin = after(last);
    }
    return found;
  }

  /** Keeps where a page begins: whoever scrolls asks for it next. */
  #remember(row: number, key: Uint8Array): void {
    this.#reached.delete(row);
    this.#reached.set(row, key);
    const [oldest] = this.#reached.keys();
    if (this.#reached.size > REMEMBERED && oldest !== undefined) this.#reached.delete(oldest);
  }
}

/** The key right after another one. */
function after(key: Uint8Array): Uint8Array {
  const next = new Uint8Array(key.length + 1);
  next.set(key);
  return next;
}
