/** The rows of one context's entities: index rows and entries, in State or in PrivateState. */
import { copyBytes } from "../bytes/bytes.js";
import { concat } from "../bytes/concat.js";
import { toHex } from "../bytes/hex.js";
import { equalBytes, successor } from "../bytes/order.js";
import { entryStateKey, indexStateKey } from "../digests/index.js";
import type { EngineReader, RawRow } from "../engine/engine.js";
import { decodeIndexRow, type IndexRow } from "./index-row.js";
import type { LiveEntity } from "./types/handles.js";

/** Where entities are. */
export type EntityColumn = "State" | "PrivateState";

/** Bytes of an index row that is not read twice: a collection may have a million children, 84 bytes each. */
const LARGE = 65_536;
const MOST_KEPT = 8;

/** Whether a row holds the data of an entity. */
export function isEntryOf({ key }: RawRow, id: Uint8Array): boolean {
  return equalBytes(entryStateKey(id), key.subarray(32));
}

/** Reads the rows of one context's entities. */
export class EntityRows {
  /** The context's id, 32 bytes. */
  readonly contextId: Uint8Array;
  /** Whether rows have the layout of core-0.10. */
  readonly isOld: boolean;
  readonly #reader: EngineReader;
  readonly #columns: readonly EntityColumn[];
  /** Large rows that a test of handles has read, for the collections that are opened next. Each is used once. */
  readonly #kept = new Map<string, IndexRow>();

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

  /** The index row of an entity; undefined if there is none. */
  async index(id: Uint8Array): Promise<IndexRow | undefined> {
    const hex = toHex(id);
    const kept = this.#kept.get(hex);
    if (kept === undefined) return (await this.indexes([id]))[0];
    this.#kept.delete(hex);
    return kept;
  }

  /** The index rows of entities, in their order; undefined for an entity without one. */
  async indexes(ids: readonly Uint8Array[]): Promise<readonly (IndexRow | undefined)[]> {
    const found = await this.#values(ids.map(indexStateKey));
    return found.map((value, at) => {
      const row = value && decodeIndexRow(value, this.isOld);
      if (row === undefined || !equalBytes(row.id, ids[at] as Uint8Array)) return undefined;
      if (value !== undefined && value.length >= LARGE && this.#kept.size < MOST_KEPT)
        this.#kept.set(toHex(row.id), row);
      return row;
    });
  }

  /** The names and types of entities that live, in the order of the ids; undefined for the others. */
  async live(ids: readonly Uint8Array[]): Promise<readonly (LiveEntity | undefined)[]> {
    const rows = await this.indexes(ids);
    return rows.map((row) =>
      row === undefined || row.deletedAt !== null
        ? undefined
        : { name: row.metadata.fieldName, crdtType: row.metadata.crdtType },
    );
  }

  /** The data of entities, in their order; undefined for an entity without data. */
  entries(ids: readonly Uint8Array[]): Promise<readonly (Uint8Array | undefined)[]> {
    return this.#values(ids.map(entryStateKey));
  }

  /** The value at a state key of 32 bytes. */
  async valueAt(stateKey: Uint8Array): Promise<Uint8Array | undefined> {
    return (await this.#values([stateKey]))[0];
  }

  /**
   * The rows that may hold the data of entities, in chunks, in the order of their keys. Their values are views of larger
   * buffers. Index rows are among them: {@link isEntryOf} tells.
   */
  async *inOrder(): AsyncGenerator<readonly RawRow[], void, undefined> {
    // An entity that two column families have is that of the first one.
    const [column] = this.#columns;
    if (column === undefined) return;
    const range = { from: this.contextId, to: successor(this.contextId) };
    yield* this.#reader.scan(column, range).chunks();
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
    const values: (Uint8Array | undefined)[] = new Array(keys.length).fill(undefined);
    for (const column of this.#columns) {
      const missing = [...keys.keys()].filter((at) => values[at] === undefined);
      if (missing.length === 0) break;
      const found = await this.#reader.getMany(
        column,
        missing.map((at) => keys[at] as Uint8Array),
      );
      for (const [order, at] of missing.entries()) values[at] = found[order];
    }
    return values;
  }
}
