/** The tools that a rule gets, together with its rows. */

import type { BlobFiles } from "../blobs/browser.js";
import { type Codec, ReadFailure } from "../codec/index.js";
import { slices } from "../collections/lists.js";
import type { EngineReader } from "../engine/engine.js";
import type { AnyKey, AnyKeyClass, KeyOf, KeyRange } from "../keys/index.js";
import {
  type AnyRow,
  type ClassesOf,
  type KeysOf,
  type NewerNode,
  newerWriter,
  type Schema,
  type ValueFor,
} from "../schemas/index.js";
import { rowsOfKind } from "../store/browser.js";
import type { GoodRow } from "./examine.js";
import { laterWriter, type Undecoded } from "./unreadable.js";
import type { Signed, Work } from "./work.js";

/** A row that was looked up. */
export interface Found<V> {
  /** True if there is such a row. */
  readonly there: boolean;
  /** Its value; undefined if there is no row, or if the value cannot be read, which other rules report. */
  readonly value: V | undefined;
}

/** Looking up rows, counting, hashes and signatures, and blob files. */
export interface Tools<S extends Schema = Schema> extends Work {
  /** Adds to the number of checked items, right or wrong. */
  checked(count?: number): void;
  /** Looks up the rows of these keys in one round, in the order of the keys. */
  find<K extends KeysOf<S>>(keys: readonly K[]): Promise<readonly Found<ValueFor<S, K>>[]>;
  /** Looks up the values of these keys of one kind, in the order of the keys. The revision need not have such rows. */
  bytesAt(keys: readonly AnyKey[]): Promise<readonly (Uint8Array | undefined)[]>;
  /** Returns each item with the row of its key. */
  join<T, K extends KeysOf<S>>(
    items: readonly T[],
    keyOf: (item: T) => K,
  ): Promise<readonly (readonly [T, Found<ValueFor<S, K>>])[]>;
  /** The rows of a range that decode, batch by batch: for short ranges, or if one row is enough. */
  scan<C extends ClassesOf<S>>(
    range: KeyRange<C>,
  ): AsyncIterable<readonly GoodRow<KeyOf<C>, ValueFor<S, KeyOf<C>>>[]>;
  /** The number of rows in a range, including rows that do not decode. */
  count(range: KeyRange<AnyKeyClass>): Promise<number>;
  /** The files of blobs, if given. */
  readonly blobs: BlobFiles | undefined;
  /** The newer node, in words, that may have written bytes that do not decode; undefined if no row shows one. */
  writerOf(undecoded: Undecoded): string | undefined;
}

/** The number of keys looked up in one round. */
const ROUND = 512;

/** The tools that all checks share. */
export interface Surroundings {
  readonly reader: EngineReader;
  readonly schema: Schema;
  readonly blobs: BlobFiles | undefined;
  readonly work: Work;
  /** The parts of the database that a newer node wrote. */
  readonly newer: NewerNode | undefined;
}

/** The tools of one check. Rows are decoded by the codecs of the check's revisions. */
export class CheckTools implements Tools {
  readonly blobs: BlobFiles | undefined;
  readonly #newer: string | undefined;
  readonly #schema: Schema;
  readonly #reader: EngineReader;
  readonly #work: Work;
  readonly #count: (count: number) => void;
  readonly #rows = new Map<unknown, AnyRow>();

  constructor(
    { reader, schema, blobs, work, newer }: Surroundings,
    revisions: readonly Schema[],
    count: (count: number) => void,
  ) {
    this.#reader = reader;
    this.blobs = blobs;
    this.#newer = newer && newerWriter(newer);
    this.#schema = schema;
    this.#work = work;
    this.#count = count;
    for (const row of schema.rows) if (isRowOf(row, revisions)) this.#rows.set(row.key, row);
  }

  checked(count = 1): void {
    this.#count(count);
  }

  writerOf(undecoded: Undecoded): string | undefined {
    return this.#newer ?? laterWriter(this.#schema, undecoded);
  }

  sha256(messages: readonly Uint8Array[]): Promise<readonly Uint8Array[]> {
    return this.#work.sha256(messages);
  }

  verify(signed: readonly Signed[]): Promise<readonly boolean[]> {
    return this.#work.verify(signed);
  }

  async find<K extends AnyKey>(keys: readonly K[]): Promise<readonly Found<never>[]> {
    const found: Found<unknown>[] = [];
    for (const slice of slices(keys, ROUND)) found.push(...(await this.#round(slice)));
    return found as unknown as readonly Found<never>[];
  }

  async bytesAt(keys: readonly AnyKey[]): Promise<readonly (Uint8Array | undefined)[]> {
    const column = (keys[0]?.constructor as AnyKeyClass | undefined)?.COLUMN;
    if (column === undefined || !this.#reader.columns.includes(column)) return keys.map(() => undefined);
    return this.#reader.getMany(
      column,
      keys.map(({ bytes }) => bytes),
    );
  }

  async join<T, K extends AnyKey>(
    items: readonly T[],
    keyOf: (item: T) => K,
  ): Promise<readonly (readonly [T, Found<never>])[]> {
    const found = await this.find(items.map(keyOf));
    return items.map((item, at) => [item, found[at] ?? ABSENT]);
  }

  async *scan(range: KeyRange<AnyKeyClass>): AsyncGenerator<readonly never[], void, undefined> {
    const row = this.#rows.get(range.key);
    if (row === undefined) return;
    for await (const chunk of rowsOfKind(this.#reader, range, {})) {
      const rows: { readonly key: AnyKey; readonly value: unknown }[] = [];
      for (const raw of chunk) {
        const key = range.key.view(raw.key);
        const { value } = decoded(row.valueAt(key), raw.value);
        if (value !== undefined) rows.push({ key, value });
      }
      yield rows as unknown as readonly never[];
    }
  }

  async count(range: KeyRange<AnyKeyClass>): Promise<number> {
    let count = 0;
    for await (const rows of rowsOfKind(this.#reader, range, { keysOnly: true })) count += rows.length;
    return count;
  }

  async #round(keys: readonly AnyKey[]): Promise<readonly Found<unknown>[]> {
    const [first] = keys;
    if (first === undefined) return [];
    // A database of several revisions may have such rows in a layout that the rule does not know: the rule skips them.
    const row = this.#rows.get(first.constructor as unknown as AnyKeyClass);
    if (row === undefined) return keys.map(() => UNREADABLE);
    if (!this.#reader.columns.includes(row.column)) return keys.map(() => ABSENT);
    const values = await this.#reader.getMany(
      row.column,
      keys.map(({ bytes }) => bytes),
    );
    return values.map((bytes, at) =>
      bytes === undefined ? ABSENT : decoded(row.valueAt(keys[at] as AnyKey), bytes),
    );
  }
}

function decoded(codec: Codec<unknown>, bytes: Uint8Array): Found<unknown> {
  const decoded = codec.readWhole(bytes);
  return decoded instanceof ReadFailure ? UNREADABLE : { there: true, value: decoded };
}

const ABSENT = { there: false, value: undefined };
const UNREADABLE = { there: true, value: undefined };

/** Returns whether a kind of row has the layout of one of these revisions. */
export function isRowOf(row: AnyRow, revisions: readonly Schema[]): boolean {
  return revisions.some((revision) => revision.rows.includes(row));
}
