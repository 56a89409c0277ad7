/** An index of some keys, made by one scan. It reaches any of a million rows at once. */

import type { RawRow } from "merostore/engine";
import { compareBytes, Pause } from "merostore/internal";
import type { Database } from "../database/database.js";
import type { ChosenRows } from "./choice.js";
import { SparseKeys } from "./sparse-keys.js";

/** The most first keys of pages that are kept beside the index. */
const REMEMBERED = 64;

/** The places of rows by their number. */
export class RowIndex {
  readonly #database: Database;
  readonly #rows: ChosenRows;
  readonly #keys: SparseKeys;
  /** The first keys of the pages after pages that were read, by the number of the row. */
  readonly #reached = new Map<number, Uint8Array>();

  private constructor(database: Database, rows: ChosenRows, keys: SparseKeys) {
    this.#database = database;
    this.#rows = rows;
    this.#keys = keys;
  }

  /** The number of rows. */
  get count(): number {
    return this.#keys.count;
  }

  /** Reads all keys. */
  static async of(
    database: Database,
    rows: ChosenRows,
    onProgress: (rows: number) => void,
  ): Promise<RowIndex> {
    const keys = new SparseKeys();
    const pause = new Pause();
    const { raw } = database.store;
    if (raw.columns.includes(rows.column))
      for await (const chunk of raw.scan(rows.column, rows.range, { keysOnly: true }).chunks()) {
        for (const row of chunk) if (rows.isChosen(row)) keys.add(row.key);
        onProgress(keys.count);
        await pause.ifLong();
      }
    return new RowIndex(database, rows, keys);
  }

  /** The rows from a number on. */
  async page(from: number, count: number): Promise<readonly RawRow[]> {
    const kept = this.#keys.before(from);
    if (kept === undefined) return [];
    const reached = this.#reached.get(from);
    const begin = reached ?? kept.key;
    const skipped = reached === undefined ? from - kept.row : 0;
    const rows = await this.#read(begin, skipped, count, false);
    const last = rows.at(-1);
    if (rows.length === count && last !== undefined) this.#remember(from + count, after(last.key));
    return rows;
  }

  /** The number of the first row at or after a key. */
  async placeOf(key: Uint8Array): Promise<number> {
    const kept = this.#keys.upTo(key);
    if (kept === undefined) return 0;
    const rows = await this.#read(kept.key, 0, this.#keys.step, true);
    const at = rows.findIndex((row) => compareBytes(row.key, key) >= 0);
    return kept.row + (at < 0 ? rows.length : at);
  }

  /** Up to `count` chosen rows from a key on, without the skipped ones. */
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
    // The limit keeps the reads of the files small. Rows of other kinds in between count too.
    for (const limit of [skipped + count, undefined]) {
      let read = 0;
      let last = begin;
      const scan = this.#database.store.raw.scan(column, { ...range, gte: begin }, { keysOnly, limit });
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

  /** Keeps the first key of the next page: scrolling needs it next. */
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
