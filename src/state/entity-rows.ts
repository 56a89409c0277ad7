/** The rows of one context's entities, in State or in PrivateState. */
import { copyBytes } from "../bytes/bytes.js";
import { concat } from "../bytes/concat.js";
import { successor } from "../bytes/order.js";
import type { EngineReader, RawRow } from "../engine/engine.js";
import type { IndexRow } from "./index-row.js";
import type {
  Children,
  Damage,
  Entities,
  EntityData,
  Parent,
  RowSource,
  StateLayout,
} from "./layouts/layout.js";
import type { LiveEntity } from "./types/handles.js";

/** The column families with entities. */
export type EntityColumn = "State" | "PrivateState";

/** Reads the rows of one context's entities. */
export class EntityRows implements RowSource {
  /** The context's id, 32 bytes. */
  readonly contextId: Uint8Array;
  /** The layout of the rows. */
  readonly layout: StateLayout;
  /** The entities in single rows. */
  readonly entities: Entities;
  readonly #reader: EngineReader;
  readonly #columns: readonly EntityColumn[];

  /** @param columns the column families to search, in this order */
  constructor(
    reader: EngineReader,
    contextId: Uint8Array,
    layout: StateLayout,
    columns: readonly EntityColumn[] = ["State"],
  ) {
    this.contextId = copyBytes(contextId);
    this.layout = layout;
    this.#reader = reader;
    this.#columns = columns.filter((column) => reader.columns.includes(column));
    this.entities = layout.entitiesOf(this);
  }

  /** The same context's entities in other column families. */
  in(...columns: readonly EntityColumn[]): EntityRows {
    return new EntityRows(this.#reader, this.contextId, this.layout, columns);
  }

  /** The index record of an entity; undefined without a record. */
  async index(id: Uint8Array): Promise<IndexRow | undefined> {
    return (await this.indexes([id]))[0];
  }

  /** The index records of entities, in their order; undefined for an entity without one. */
  indexes(ids: readonly Uint8Array[]): Promise<readonly (IndexRow | undefined)[]> {
    return this.entities.indexes(ids);
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

  /** The data of children of an entity, in their order. */
  data(parent: Parent, ids: readonly Uint8Array[]): Promise<readonly EntityData[]> {
    return this.entities.data(parent, ids);
  }

  /** The data in the rows of entities, in their order, without a check by the entities above them. */
  stored(ids: readonly Uint8Array[]): Promise<readonly (Uint8Array | undefined)[]> {
    return this.entities.stored(ids);
  }

  /** The children of an entity. */
  children(of: IndexRow): Promise<Children | Damage> {
    return this.entities.children(of);
  }

  /** The value at a state key. */
  async valueAt(stateKey: Uint8Array): Promise<Uint8Array | undefined> {
    return (await this.values([stateKey]))[0];
  }

  /**
   * All rows, in chunks, in the order of their keys. Their values are views of larger buffers. Reads the first column
   * family only.
   */
  async *inOrder(): AsyncGenerator<readonly RawRow[], void, undefined> {
    const [column] = this.#columns;
    if (column !== undefined) yield* this.#chunks(column);
  }

  /** All index records, in chunks, in the order of their state keys. */
  async *all(): AsyncGenerator<readonly IndexRow[], void, undefined> {
    for (const column of this.#columns)
      for await (const rows of this.#chunks(column))
        yield rows.flatMap((row) => this.entities.indexIn(row) ?? []);
  }

  #chunks(column: EntityColumn): AsyncIterable<readonly RawRow[]> {
    return this.#reader.scan(column, { gte: this.contextId, lt: successor(this.contextId) }).chunks();
  }

  /** The values at state keys, in their order; undefined for a key without a row. */
  async values(stateKeys: readonly Uint8Array[]): Promise<readonly (Uint8Array | undefined)[]> {
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
