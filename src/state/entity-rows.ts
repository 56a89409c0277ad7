/** The rows of one context's entities: index rows and entries, in State or in PrivateState. */
import { copyBytes } from "../bytes/bytes.js";
import { concat } from "../bytes/concat.js";
import { equalBytes, successor } from "../bytes/order.js";
import { entryStateKey, indexStateKey } from "../digests/index.js";
import type { EngineReader, RawRow } from "../engine/engine.js";
import { decodeIndexRow, type IndexRow } from "./index-row.js";

/** Where entities are. */
export type EntityColumn = "State" | "PrivateState";

/** Reads the rows of one context's entities. */
export class EntityRows {
  /** The context's id, 32 bytes. */
  readonly contextId: Uint8Array;
  /** Whether rows have the layout of core-0.10. */
  readonly isOld: boolean;
  readonly #reader: EngineReader;
  readonly #columns: readonly EntityColumn[];

  /** @param columns where to look, in this order */
  constructor(
    reader: EngineReader,
    contextId: Uint8Array,
    isOld: boolean,
    columns: readonly EntityColumn[] = ["State"],
  ) {
    this.contextId = copyBytes(contextId);
    this.isOld = isOld;
    this.#reader = reader;
    this.#columns = columns.filter((column) => reader.columns.includes(column));
  }

  /** The same context's entities in other column families. */
  in(...columns: readonly EntityColumn[]): EntityRows {
    return new EntityRows(this.#reader, this.contextId, this.isOld, columns);
  }

  /** The index row of an entity; undefined where there is none. */
  async index(id: Uint8Array): Promise<IndexRow | undefined> {
    return (await this.indexes([id]))[0];
  }

  /** The index rows of entities, in their order; undefined where there is none. */
  async indexes(ids: readonly Uint8Array[]): Promise<readonly (IndexRow | undefined)[]> {
    const found = await this.#values(ids.map(indexStateKey));
    return found.map((value, at) => {
      const row = value && decodeIndexRow(value, this.isOld);
      return row !== undefined && equalBytes(row.id, ids[at] as Uint8Array) ? row : undefined;
    });
  }

  /** The data of entities, in their order; undefined where there is none. */
  entries(ids: readonly Uint8Array[]): Promise<readonly (Uint8Array | undefined)[]> {
    return this.#values(ids.map(entryStateKey));
  }

  /** The value at a state key of 32 bytes. */
  async valueAt(stateKey: Uint8Array): Promise<Uint8Array | undefined> {
    return (await this.#values([stateKey]))[0];
  }

  /** All index rows, in chunks, in the order of their state keys. */
  async *all(): AsyncGenerator<readonly IndexRow[], void, undefined> {
    for (const column of this.#columns) {
      const range = { from: this.contextId, to: successor(this.contextId) };
      for await (const rows of this.#reader.scan(column, range).chunks())
        yield rows.flatMap((row) => this.#asIndex(row));
    }
  }

  #asIndex({ key, value }: RawRow): readonly IndexRow[] {
    if (value.length < 32 || key.length !== 64) return [];
    if (!equalBytes(indexStateKey(value.subarray(0, 32)), key.subarray(32))) return [];
    const row = decodeIndexRow(value, this.isOld);
    return row === undefined ? [] : [row];
  }

  async #values(stateKeys: readonly Uint8Array[]): Promise<readonly (Uint8Array | undefined)[]> {
    if (stateKeys.length === 0) return [];
    const keys = stateKeys.map((key) => concat(this.contextId, key));
    let values: (Uint8Array | undefined)[] = keys.map(() => undefined);
    for (const column of this.#columns) {
      const missing = [...keys.keys()].filter((at) => values[at] === undefined);
      if (missing.length === 0) break;
      const found = await this.#reader.getMany(
        column,
        missing.map((at) => keys[at] as Uint8Array),
      );
      values = values.map((value, at) => value ?? found[missing.indexOf(at)]);
    }
    return values;
  }
}
