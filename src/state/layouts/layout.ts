/**
 * The layout of State: how keys name entities, what their rows hold, and how the children of an entity are found. A module
 * beside this one has each layout; the rest of the folder knows none.
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
  /** The values at state keys, in their order; undefined where there is no row. */
  values(stateKeys: readonly Uint8Array[]): Promise<readonly (Uint8Array | undefined)[]>;
}

/** Damage of the tree: what was read is not what the rows above it say. */
export class Damage {
  /** A sentence that explains it, without an end. */
  readonly message: string;
  /** The bytes of the row; undefined where there is none. */
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

/** An entity whose children are read. */
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
  /** The data in the rows of entities, in their order, whatever the entities above them say. */
  stored(ids: readonly Uint8Array[]): Promise<readonly (Uint8Array | undefined)[]>;
  /** The children of an entity. */
  children(of: IndexRow): Promise<Children | Damage>;
  /**
   * The way in which the entities above an entity contradict its index record; undefined if they do not, or say nothing of it.
   */
  contradiction(row: IndexRow): Promise<string | undefined>;
  /** Returns true if the tree proves that an entity without a row was never written: a collection that is empty. */
  isUnwritten(id: Uint8Array): Promise<boolean>;
  /** The index record in a row; undefined if the row has none. */
  indexIn(row: RawRow): IndexRow | undefined;
  /** The entity whose data a row may have: 32 bytes, as a view. */
  entityIn(row: RawRow): Uint8Array | undefined;
  /** The data in a row of a child of an entity; undefined if it is not that of the child. */
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
  /** The state keys of the rows of an entity, with what each has. */
  keysOf(id: Uint8Array): readonly StateKey[];
  /** The entities of a context. */
  entitiesOf(rows: RowSource): Entities;
}

/** The parts of a layout that a replay of deltas uses. */
export interface ReplayLayout {
  /** The order in which the hashes of children count; that of their trie where they are in one. */
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
   * @param data undefined where it has none, or it is not known
   * @param children with their hashes, in the order of their creation
   */
  rowsOf(
    row: IndexRow,
    data: Uint8Array | undefined,
    children: readonly ReplayedChild[],
  ): readonly StateRowOf[];
}

/** The rules by which nodes of a layout apply deltas, where they differ. */
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

/** The rows of a schema that State has; undefined where there are none. */
export function stateRowOf(schema: Schema): AnyRow | undefined {
  return schema.rows.find(({ kind }) => kind === "ContextState");
}
