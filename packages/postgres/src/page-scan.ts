/**
 * The rows of one scan, page by page, all of one transaction. The next page is read while the caller uses the present
 * one.
 */

import type { ChunkSource, RawRow, ScanPlan } from "merostore/engine";
import { count, MerostoreError } from "merostore/internal";
import { asAnswered, fromAnswer, HexReader, sizeOf } from "./arrays.js";
import type { Connection, TextRow } from "./connection.js";
import { PAGE_ROWS, pageStatement, sizesStatement, valuesStatement } from "./table-reader.js";

/** The most bytes of large values in memory at once; a single value may be larger. */
const LARGE_BYTES = 4 * 1024 * 1024;

const NO_VALUE = new Uint8Array(0);

/** The family that a scan reads, and the limit of its values. */
export interface ScannedTable {
  /** Quoted. */
  readonly name: string;
  /** The family, for messages. */
  readonly column: string;
  /** The most bytes of a value that can be read. */
  readonly valueBytes: number;
}

/** A row of a page; without a value if it is large and not yet read. */
interface PageRow {
  readonly key: Uint8Array;
  readonly value: Uint8Array | undefined;
}

export class PageScan implements ChunkSource {
  readonly #connection: Connection;
  readonly #table: ScannedTable;
  readonly #plan: ScanPlan;
  readonly #release: () => Promise<void>;
  /** Rows that were read but not yet returned. */
  #page: readonly PageRow[] = [];
  #at = 0;
  /** The rows of the limit that are left after the page that is being read. */
  #left: number;
  /** The page being read; undefined after the last. */
  #ahead: Promise<readonly TextRow[]> | undefined;
  #asked = 0;

  /**
   * Starts reading at once.
   *
   * @param connection in a transaction that sees one state
   * @param release called at the end of the scan
   */
  constructor(connection: Connection, table: ScannedTable, plan: ScanPlan, release: () => Promise<void>) {
    this.#connection = connection;
    this.#table = table;
    this.#plan = plan;
    this.#release = release;
    this.#left = plan.limit;
    this.#readAhead(undefined);
  }

  async next(most: number): Promise<readonly RawRow[] | undefined> {
    if (this.#at === this.#page.length && !(await this.#turn())) return undefined;
    const first = this.#page[this.#at] as PageRow;
    if (first.value === undefined) return this.#withLarge(most);
    const end = Math.min(this.#page.length, this.#at + most);
    const upTo = this.#page.findIndex(({ value }, at) => at >= this.#at && value === undefined);
    const from = this.#at;
    this.#at = upTo === -1 ? end : Math.min(end, upTo);
    return this.#page.slice(from, this.#at) as readonly RawRow[];
  }

  async close(): Promise<void> {
    await this.#ahead?.catch(() => undefined);
    await this.#release();
  }

  /** Goes on to the next page. Returns false at the end. */
  async #turn(): Promise<boolean> {
    if (this.#ahead === undefined) return false;
    const reading = this.#ahead;
    this.#ahead = undefined;
    const rows = await reading;
    const last = rows.at(-1)?.[0];
    if (rows.length === this.#asked && this.#left > 0 && last != null) this.#readAhead(fromAnswer(last));
    this.#page = pageRows(rows, this.#plan.keysOnly);
    this.#at = 0;
    return rows.length > 0;
  }

  #readAhead(after: Uint8Array | undefined): void {
    this.#asked = Math.min(PAGE_ROWS, this.#left);
    this.#left -= this.#asked;
    this.#ahead = this.#connection
      .query(pageStatement(this.#table.name, this.#plan, after, this.#asked))
      .then(({ rows }) => rows);
    this.#ahead.catch(() => undefined); // the caller who asks for the page gets the error; nobody may ask
  }

  /** The next rows with their large values: as many as fit into memory, at least one. */
  async #withLarge(most: number): Promise<readonly RawRow[]> {
    const keys: Uint8Array[] = [];
    for (let at = this.#at; at < this.#page.length && keys.length < most; at++) {
      const { key, value } = this.#page[at] as PageRow;
      if (value !== undefined) break;
      keys.push(key);
    }
    const { name, column, valueBytes } = this.#table;
    const { rows: sizes } = await this.#connection.query(sizesStatement(name, keys));
    const sizeAt = new Map(sizes.map(([key, size]) => [key, Number(size)]));
    let bytes = 0;
    const fitting = keys.filter((key, at) => {
      bytes += sizeAt.get(asAnswered(key)) ?? 0;
      return at === 0 || bytes <= LARGE_BYTES;
    });
    const { rows } = await this.#connection.query(valuesStatement(name, fitting, valueBytes));
    const valueAt = new Map(rows.map(([key, value]) => [key, value]));
    this.#at += fitting.length;
    return fitting.map((key) => {
      const value = valueAt.get(asAnswered(key));
      if (value == null) throw tooLarge(column, valueBytes);
      return { key, value: fromAnswer(value) };
    });
  }
}

/** The rows of an answer; undefined if it lacks a large value. */
export function wholeRows(rows: readonly TextRow[], keysOnly: boolean): readonly RawRow[] | undefined {
  const isWhole = keysOnly || rows.every(([, value]) => value !== null);
  return isWhole ? (pageRows(rows, keysOnly) as readonly RawRow[]) : undefined;
}

/** The error for a value that another program wrote. */
export function tooLarge(column: string, most: number): MerostoreError {
  return new MerostoreError(
    "ROW_TOO_LARGE",
    `a value of ${column} has more than ${count(most)} bytes, and cannot be read`,
  );
}

function pageRows(rows: readonly TextRow[], keysOnly: boolean): PageRow[] {
  let size = 0;
  for (const [key, value] of rows) size += sizeOf(key as string) + (value == null ? 0 : sizeOf(value));
  const reader = new HexReader(size);
  return rows.map(([key, value]) => ({
    key: reader.read(key as string),
    value: keysOnly ? NO_VALUE : value == null ? undefined : reader.read(value),
  }));
}
