/** A layout of State, as the rules about a context's tree of entities see it. */
import type { AnyKey } from "../../keys/index.js";
import type { Schema } from "../../schemas/index.js";
import type { KindCheck } from "../rule.js";
import type { Found } from "../tools.js";
import type { Aspect } from "./one-row/findings.js";

/** The rules about the tree of entities, by name. */
export type StateRule = Aspect | "state-reachable";

/** A collection, as the rules about the order of sorted collections see it. */
export interface CollectionRecord {
  /** The full hash, 32 bytes. */
  readonly fullHash: Uint8Array;
  /** The kind of collection; undefined if the record does not state it. */
  readonly kind: string | undefined;
  /** The ids of the children, in any order. */
  children(find: FindRows): AsyncIterable<readonly Uint8Array[]>;
}

/** Looks up rows of State. */
export type FindRows = (keys: readonly AnyKey[]) => Promise<readonly Found<Uint8Array>[]>;

export interface StateLayout {
  /** The revisions that have the layout. */
  readonly revisions: readonly Schema[];
  /** The checks of each rule that applies to the layout. */
  readonly checks: Readonly<Partial<Record<StateRule, readonly KindCheck[]>>>;
  /** The key of the row with the index record of an entity in State. Both ids have 32 bytes. */
  indexKey(contextId: Uint8Array, entityId: Uint8Array): AnyKey;
  /** The order of sorted collections that nodes keep; undefined if they keep none. */
  readonly order:
    | {
        /** The full hash in a mark of a collection's order; undefined for a mark of something else. */
        hashInMark(mark: Uint8Array): Uint8Array | undefined;
        /** Returns true if an entry may have a place in the order. */
        isPlaceOf(collectionId: Uint8Array, orderKey: Uint8Array, entryId: Uint8Array): boolean;
        /** The collection in a row with an index record; undefined for any other value. */
        collectionIn(key: AnyKey, value: Uint8Array): CollectionRecord | undefined;
      }
    | undefined;
  /** The full hash in a row with an index record, 32 bytes; undefined for any other value. */
  fullHashIn(key: AnyKey, value: Uint8Array): Uint8Array | undefined;
}
