/** Extraction of entities and edges from rows of State and Delta, in the layout of any revision. */
import { ID_BYTES } from "../../bytes/id-table.js";
import { equalBytes } from "../../bytes/order.js";
import { type Codec, type Payload, ReadFailure } from "../../codec/index.js";
import { entryStateKey, indexStateKey } from "../../digests/index.js";
import { type Action010, type Action011, EntityIndex010, EntityIndex011 } from "../../payloads/index.js";
import {
  ContextDagDeltaValue010,
  ContextDagDeltaValue011,
  ContextDagDeltaValueDocumented,
} from "../../values/index.js";
import type { EntityGraph } from "./entity-graph.js";

/** A row of State or Delta. Its key begins with the context's id. */
interface EntityRow {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** Adds the entities of a row and the edges to their children. */
export function addEntities(graph: EntityGraph, column: string, row: EntityRow): void {
  if (column === "State") addIndex(graph, row);
  else for (const action of actionsOf(row.value)) addAction(graph, action);
}

/**
 * Adds the handles in the data of entities: ids of other entities, at any offset. All entities must have been added
 * before.
 */
export function addHandles(graph: EntityGraph, column: string, row: EntityRow): void {
  if (column === "State") addHandlesOfState(graph, row);
  else
    for (const action of actionsOf(row.value))
      if ("data" in action) linkHandles(graph, action.id, action.data);
}

/**
 * Returns true if a row of State or PrivateState is the index row of an entity: SHA-256(`00 ‖ id`) is its state key.
 */
export function isIndexRow({ key, value }: EntityRow): boolean {
  const id = value.subarray(0, ID_BYTES);
  // The tag of an option follows the id, which rules out most rows without hashing.
  if (id.length < ID_BYTES || (value[ID_BYTES] ?? 0) > 1) return false;
  return equalBytes(indexStateKey(id), key.subarray(ID_BYTES));
}

/**
 * Returns true if a row is the entry row of an entity, whose data ends with the id: SHA-256(`01 ‖ id`) is its state
 * key.
 */
export function isEntryRow({ key, value }: EntityRow): boolean {
  const id = value.subarray(-ID_BYTES);
  return id.length === ID_BYTES && equalBytes(entryStateKey(id), key.subarray(ID_BYTES));
}

function addIndex(graph: EntityGraph, row: EntityRow): void {
  if (!isIndexRow(row)) return;
  const entity = graph.ids.add(row.value);
  const index = indexOf(row.value);
  if (index === undefined) return;
  if (index.parentId !== null) graph.link(graph.ids.add(index.parentId), entity);
  for (const { id } of index.children ?? []) graph.link(entity, graph.ids.add(id));
  for (const id of "deletedChildren" in index ? index.deletedChildren : [])
    graph.link(entity, graph.ids.add(id));
}

/** An action names its entity and all ancestors, so it also yields entities that have been removed. */
function addAction(graph: EntityGraph, action: Action010 | Action011): void {
  let below = graph.ids.add(action.id);
  for (const { id } of "ancestors" in action ? action.ancestors : []) {
    const above = graph.ids.add(id);
    graph.link(above, below);
    below = above;
  }
}

function addHandlesOfState(graph: EntityGraph, row: EntityRow): void {
  const { key, value } = row;
  if (isIndexRow(row)) {
    // A valid index row has no data; a damaged one may have lost its children.
    if (indexOf(value) === undefined) linkHandles(graph, value.subarray(0, ID_BYTES), value);
  } else if (isEntryRow(row)) linkHandles(graph, value.subarray(-ID_BYTES), value);
  // The key identifies the entity of damaged data.
  else graph.linkRow(key.subarray(ID_BYTES), graph.ids.search(value));
}

function linkHandles(graph: EntityGraph, owner: Uint8Array, data: Uint8Array): void {
  const from = graph.ids.find(owner);
  if (from < 0) return;
  for (const to of graph.ids.search(data)) graph.link(from, to);
}

function indexOf(value: Uint8Array): EntityIndex010 | EntityIndex011 | undefined {
  return decoded(EntityIndex010, value) ?? decoded(EntityIndex011, value);
}

/** Returns the actions of a delta; none if it does not decode. */
function actionsOf(value: Uint8Array): readonly (Action010 | Action011)[] {
  return (
    payloadOf(ContextDagDeltaValue010, value) ??
    payloadOf(ContextDagDeltaValue011, value) ??
    decoded(ContextDagDeltaValueDocumented, value)?.actions ??
    []
  );
}

function payloadOf<T>(codec: Codec<{ readonly actions: Payload<T> }>, value: Uint8Array): T | undefined {
  return decoded(codec, value)?.actions.value;
}

function decoded<T>(codec: Codec<T>, bytes: Uint8Array): T | undefined {
  const value = codec.readWhole(bytes);
  return value instanceof ReadFailure ? undefined : value;
}
