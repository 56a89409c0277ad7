/** Counts the rows of a database by column family, kind and context. */
import { copyBytes } from "../bytes/bytes.js";
import { toHex } from "../bytes/hex.js";
import { abortable, sizeOf } from "../engine/abortable.js";
import type { RawRow } from "../engine/engine.js";
import { invalidArgument, isMerostoreError } from "../errors.js";
import { checkOptions } from "../options.js";
import { Follower, type ProgressOptions, progressOptions } from "../progress.js";
import type { AnyRow, Schema } from "../schemas/index.js";
import { Store } from "./store.js";

/** The counts of a group of rows. */
export interface RowCount {
  /** The number of rows. */
  rows: number;
  /** The bytes of their keys and values. */
  bytes: number;
}

/** The rows of a column family. */
export interface ColumnCount extends Readonly<RowCount> {
  /** The name of the column family. */
  readonly column: string;
  /** True if the schema has the column family. */
  readonly known: boolean;
  /** The number of puts and deletes that only the write-ahead log has; 0 if it is not known. */
  readonly unflushed: number;
  /** The rows by kind; rows of no known kind have the empty name. */
  readonly kinds: ReadonlyMap<string, Readonly<RowCount>>;
  /** The rows whose keys name a context, by its id: 64 hex digits. */
  readonly contexts: ReadonlyMap<string, Readonly<RowCount>>;
  /** The reason why further rows cannot be read: the column family is damaged. Absent if all rows were counted. */
  readonly error?: string;
}

/**
 * Counts the rows of every column family, one after another. A damaged family is counted up to the damage. It reads the
 * whole database once.
 */
export async function* countRows(
  store: Store<Schema>,
  options: ProgressOptions = {},
): AsyncGenerator<ColumnCount, void, undefined> {
  checkOptions("countRows", options, progressOptions);
  if (!((store as unknown) instanceof Store)) throw invalidArgument("countRows takes a store");
  const raw = abortable(store.raw, options.signal);
  const follower = new Follower(options, "rows", await sizeOf(raw));
  for (const column of store.columns) {
    const counter = new Counter(store.schema, column);
    let error: string | undefined;
    try {
      for await (const chunk of raw.scan(column).chunks()) {
        const before = counter.bytes;
        for (const row of chunk) counter.add(row);
        follower.add(chunk.length, counter.bytes - before);
      }
    } catch (cause) {
      if (!isMerostoreError(cause, "DATABASE_DAMAGED")) throw cause;
      error = cause.message;
    }
    const unflushed = await unflushedOf(store, column);
    const known = store.schema.columns.includes(column);
    const { rows, bytes, kinds, contexts } = counter;
    yield { column, known, rows, bytes, unflushed, kinds, contexts, ...(error !== undefined && { error }) };
  }
  follower.end();
}

/** The number is not known if the tables of the column family cannot be opened. */
async function unflushedOf({ raw }: Store<Schema>, column: string): Promise<number> {
  try {
    return (await raw.unflushed?.(column))?.entries ?? 0;
  } catch (error) {
    if (isMerostoreError(error, "DATABASE_DAMAGED")) return 0;
    throw error;
  }
}

/** Collects the counts of a column family. */
class Counter {
  rows = 0;
  bytes = 0;
  readonly kinds = new Map<string, RowCount>();
  readonly contexts = new Map<string, RowCount>();
  readonly #schema: Schema;
  readonly #column: string;
  /** The place of the context's id in the keys of a kind. */
  readonly #places = new Map<AnyRow, number | undefined>();
  /** The last counted context: rows of a context usually follow each other. */
  #last: { readonly id: Uint8Array; readonly count: RowCount } | undefined;

  constructor(schema: Schema, column: string) {
    this.#schema = schema;
    this.#column = column;
  }

  add({ key, value }: RawRow): void {
    const bytes = key.length + value.length;
    this.rows++;
    this.bytes += bytes;
    const row = this.#schema.identify(this.#column, key);
    increase(countIn(this.kinds, row?.kind ?? ""), bytes);
    const offset = row && this.#contextIn(row);
    if (offset !== undefined) increase(this.#contextCount(key, offset), bytes);
  }

  #contextIn(row: AnyRow): number | undefined {
    if (!this.#places.has(row))
      this.#places.set(row, row.key.FIELDS.find(({ name }) => name === "contextId")?.offset);
    return this.#places.get(row);
  }

  #contextCount(key: Uint8Array, offset: number): RowCount {
    if (this.#last !== undefined && hasAt(key, offset, this.#last.id)) return this.#last.count;
    const id = copyBytes(key.subarray(offset, offset + ID_BYTES));
    this.#last = { id, count: countIn(this.contexts, toHex(id)) };
    return this.#last.count;
  }
}

const ID_BYTES = 32;

function countIn(counts: Map<string, RowCount>, of: string): RowCount {
  let count = counts.get(of);
  if (count === undefined) {
    count = { rows: 0, bytes: 0 };
    counts.set(of, count);
  }
  return count;
}

function increase(count: RowCount, bytes: number): void {
  count.rows++;
  count.bytes += bytes;
}

/** Returns whether a key has an id at an offset. Neighbours differ in their last bytes. */
function hasAt(key: Uint8Array, offset: number, id: Uint8Array): boolean {
  for (let at = ID_BYTES - 1; at >= 0; at--) if (key[offset + at] !== id[at]) return false;
  return true;
}
