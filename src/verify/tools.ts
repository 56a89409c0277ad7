/** What a rule works with beside the rows that it is given. */
import type { EngineReader } from "../engine/engine.js";
import type { AnyKey, AnyKeyClass } from "../keys/index.js";
import type { AnyRow, KeysOf, Schema, ValueFor } from "../schemas/index.js";
import { slices } from "./batches.js";
import type { BlobFiles } from "./blob-files.js";

/** A row that was looked up. */
export interface Found<V> {
  /** Whether there is such a row. */
  readonly there: boolean;
  /** Its value; undefined where there is no row, and where it cannot be read, of which other rules speak. */
  readonly value: V | undefined;
}

/** Looking up rows, counting, and blob files. */
export interface Tools<R extends AnyRow = AnyRow> {
  /** Says that so many things were looked at, found right or not. */
  checked(count?: number): void;
  /** The rows of these keys, in their order: one round for all. */
  find<K extends KeysOf<R>>(keys: readonly K[]): Promise<readonly Found<ValueFor<R, K>>[]>;
  /** Each item with the row that its key names. */
  join<T, K extends KeysOf<R>>(
    items: readonly T[],
    keyOf: (item: T) => K,
  ): Promise<readonly (readonly [T, Found<ValueFor<R, K>>])[]>;
  /** The rows as they are stored, for what scans them once more. */
  readonly reader: EngineReader;
  /** The files of blobs, where it was said which. */
  readonly blobs: BlobFiles | undefined;
}

/** Keys that are looked up in one round. */
const ROUND = 512;

/** The tools of one check: what it looks up is decoded by the rows of its own revisions. */
export class CheckTools implements Tools {
  readonly reader: EngineReader;
  readonly blobs: BlobFiles | undefined;
  readonly #count: (count: number) => void;
  readonly #rows = new Map<unknown, AnyRow>();

  constructor(
    reader: EngineReader,
    schema: Schema,
    revisions: readonly Schema[],
    blobs: BlobFiles | undefined,
    count: (count: number) => void,
  ) {
    this.reader = reader;
    this.blobs = blobs;
    this.#count = count;
    for (const row of schema.rows) if (isRowOf(row, revisions)) this.#rows.set(row.key, row);
  }

  checked(count = 1): void {
    this.#count(count);
  }

  async find<K extends AnyKey>(keys: readonly K[]): Promise<readonly Found<never>[]> {
    const found: Found<unknown>[] = [];
    for (const slice of slices(keys, ROUND)) found.push(...(await this.#round(slice)));
    return found as unknown as readonly Found<never>[];
  }

  async join<T, K extends AnyKey>(
    items: readonly T[],
    keyOf: (item: T) => K,
  ): Promise<readonly (readonly [T, Found<never>])[]> {
    const found = await this.find(items.map(keyOf));
    return items.map((item, at) => [item, found[at] ?? ABSENT]);
  }

  async #round(keys: readonly AnyKey[]): Promise<readonly Found<unknown>[]> {
    const [first] = keys;
    if (first === undefined) return [];
    // A database of several revisions may have such rows in a layout that the rule does not know: it says nothing then.
    const row = this.#rows.get(first.constructor as unknown as AnyKeyClass);
    if (row === undefined) return keys.map(() => UNREADABLE);
    if (!this.reader.columns.includes(row.column)) return keys.map(() => ABSENT);
    const values = await this.reader.getMany(
      row.column,
      keys.map(({ bytes }) => bytes),
    );
    return values.map((bytes) => {
      if (bytes === undefined) return ABSENT;
      try {
        return { there: true, value: row.value.decode(bytes) };
      } catch {
        return UNREADABLE;
      }
    });
  }
}

const ABSENT = { there: false, value: undefined };
const UNREADABLE = { there: true, value: undefined };

/** Whether a kind of row is laid out as one of these revisions has it. */
export function isRowOf(row: AnyRow, revisions: readonly Schema[]): boolean {
  return revisions.some((revision) => revision.rows.includes(row));
}
