/**
 * The layout of State: the keys and the content of entities' rows, and the search for the children of an entity. Each
 * layout has a module beside this one; the other code knows no layout.
 */
import type { Codec } from "../../codec/index.js";
import type { RawRow } from "../../engine/engine.js";
import type { AnyRow, Schema } from "../../schemas/index.js";
import type { Placed } from "../collections/character-order.js";
import type { EntityMetadata, IndexRow } from "../index-row.js";
import type { ValueForms } from "../types/forms.js";

/** The rows of one context, in the column families that are looked at. */
export interface RowSource {
  /** The context's id, 32 bytes. */
  readonly contextId: Uint8Array;
  /** The values at state keys, in their order; undefined for a key without a row. */
  values(stateKeys: readonly Uint8Array[]): Promise<readonly (Uint8Array | undefined)[]>;
}

/** Damage of the tree: a row that was read contradicts the rows above it. */
export class Damage {
  /** A sentence that explains it, without an end. */
  readonly message: string;
  /** The bytes of the row; undefined without a row. */
  readonly raw: Uint8Array | undefined;

  constructor(message: string, raw?: Uint8Array) {
    this.message = message;
    this.raw = raw;
  }
}

/** The data of an entity with its id; undefined for an entity without data, or without a row. */
export type EntityData = Uint8Array | Damage | undefined;

/** The children of an entity that live. */
export interface Children {
  /** Their number. */
  readonly size: number;
  /** Their ids, 32 bytes each, in an order that is the same each time. */
  ids(): Iterable<Uint8Array>;
  /** Their ids in the order in which they were made. */
  inOrder(): Promise<Iterable<Uint8Array> | Damage>;
}

/** An entity with children to read. */
export interface Parent {
  /** Its index record; undefined if it has no row. */
  readonly row: IndexRow | undefined;
  /** Its children, if they were read before. */
  readonly children?: Children | undefined;
}

/** The entities of one context. */
export interface Entities {
  /** The index records of entities, in their order; undefined for an entity without one. */
  indexes(ids: readonly Uint8Array[]): Promise<readonly (IndexRow | undefined)[]>;
  /** The data of children of an entity, in their order. */
  data(parent: Parent, ids: readonly Uint8Array[]): Promise<readonly EntityData[]>;
  /** The data in the rows of entities, in their order, without a check by the entities above them. */
  stored(ids: readonly Uint8Array[]): Promise<readonly (Uint8Array | undefined)[]>;
  /** The children of an entity. */
  children(of: IndexRow): Promise<Children | Damage>;
  /**
   * The way in which the entities above an entity contradict its index record; undefined if they do not, or do not
   * mention it.
   */
  contradiction(row: IndexRow): Promise<string | undefined>;
  /** Returns true if the tree proves that an entity without a row was never written: a collection that is empty. */
  isUnwritten(id: Uint8Array): Promise<boolean>;
  /** The index record in a row; undefined if the row has none. */
  indexIn(row: RawRow): IndexRow | undefined;
  /** The id of the entity whose data a row may have: 32 bytes, as a view. */
  entityIn(row: RawRow): Uint8Array | undefined;
  /** The data in a row of a child of an entity; undefined if the data does not belong to the child. */
  dataIn(row: RawRow, id: Uint8Array, parent: Parent): EntityData;
}

/** A layout of State. */
export interface StateLayout {
  /** Returns true if a schema has State in this layout. */
  isOf(schema: Schema): boolean;
  /** The parts that a replay of deltas uses. */
  readonly replay: ReplayLayout;
  /** The forms of values of the storage library. */
  readonly forms: ValueForms;
  /** The characters of a text in the order in which nodes show them, from their stored order. */
  textOrder<C extends Placed>(characters: readonly C[]): readonly C[];
  /** True if that order depends on the characters alone. */
  readonly isTextOrderFixed: boolean;
  /** The state key of a private struct. `key` has 32 bytes. */
  privateKey(key: Uint8Array): Uint8Array;
  /** The state keys of the rows of an entity, with the content of each row. */
  keysOf(id: Uint8Array): readonly StateKey[];
  /** The entities of a context. */
  entitiesOf(rows: RowSource): Entities;
}

/** The parts of a layout that a replay of deltas uses. */
export interface ReplayLayout {
  /** The order in which the hashes of children count; the order of their trie if children are in a trie. */
  readonly childOrder: "id" | "creation" | "trie";
  /** Returns whether metadata of a delta is of this layout: deltas of earlier revisions stay in a database. */
  holds(metadata: EntityMetadata): boolean;
  /** The rules by which nodes apply deltas. */
  readonly rules: ReplayRules;
  /** The layout of an entity's metadata in deltas. */
  readonly metadata: Codec<EntityMetadata>;
  /**
   * The rows of an entity.
   *
   * @param data undefined if the entity has no data, or its data is not known
   * @param children with their hashes, in the order of their creation
   */
  rowsOf(
    row: IndexRow,
    data: Uint8Array | undefined,
    children: readonly ReplayedChild[],
  ): readonly StateRowOf[];
}

/** The rules for applying deltas that differ between layouts. */
export interface ReplayRules {
  /** True if nodes keep a log of changes of writers in the state. */
  readonly logsWriters: boolean;
  /** True if an entity that becomes a child again lives, though its deletion is not older. */
  readonly revives: boolean;
  /** True if the kind of an entry may ask the application to merge it. */
  readonly mergesEntries: boolean;
}

/** A row of an entity. */
export interface StateRowOf {
  /** The key after the context's id. */
  readonly stateKey: Uint8Array;
  /** The value. */
  readonly value: Uint8Array;
}

/** A child as its parent's index row names it. */
export type ReplayedChild = Pick<IndexRow, "id" | "fullHash" | "metadata">;

/** The state key of a row of an entity. */
export interface StateKey {
  /** The part of the entity that the row has: its index record, its data, or both. */
  readonly what: "index" | "entry" | "entity";
  /** The key after the context's id. */
  readonly stateKey: Uint8Array;
}

/** The row of State in a schema; undefined without such a row. */
export function stateRowOf(schema: Schema): AnyRow | undefined {
  return schema.rows.find(({ kind }) => kind === "ContextState");
}
