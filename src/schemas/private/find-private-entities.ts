/** Finds the private entities of a database: the entities that handles in PrivateState reach. */

import { concat } from "../../bytes/concat.js";
import { fromHex, toHex } from "../../bytes/hex.js";
import { ID_BYTES } from "../../bytes/id-table.js";
import { equalBytes, successor } from "../../bytes/order.js";
import { applicationStateId, indexStateKey } from "../../digests/index.js";
import type { ByteRange, EngineReader } from "../../engine/engine.js";
import { isMerostoreError } from "../../errors.js";
import type { Schema } from "../schema.js";
import { EntityGraph } from "./entity-graph.js";
import { addEntities, addHandles, isEntryRow, isIndexRow } from "./entity-rows.js";
import { type EntitiesByContext, PrivateEntities } from "./private-entities.js";

/** A row. An export may omit its value. */
export interface MaybeRow {
  /** The key as it is stored. */
  readonly key: Uint8Array;
  /** The value as it is stored; undefined if it was left out. */
  readonly value: Uint8Array | undefined;
}

/**
 * Returns the rows of a column family in chunks; none if the column family does not exist. May be called more than
 * once.
 */
export type RowsOfColumn = (column: string) => AsyncIterable<readonly MaybeRow[]>;

/** The most candidate ids in private data that are looked up one by one. For more, one pass over State is faster. */
const LOOK_UPS = 4096;

/**
 * Finds the private entities of a database.
 *
 * A handle is the id of an entity of the same context, anywhere in a value of PrivateState. Its descendants and the
 * entities that its data names are private too, even if only deltas still contain them. The root, the application's
 * state and its direct collections are public. Nothing else is read if PrivateState has no rows. Nodes of core-0.11
 * keep private collections in PrivateState, so in their databases only handles from before an upgrade are followed. If
 * the search meets damage that the reader skips, all entities may be private.
 */
export async function findPrivateEntities(reader: EngineReader, schema: Schema): Promise<PrivateEntities> {
  if (reader.strict === undefined) return findIn(reader, schema);
  try {
    return await findIn(reader.strict, schema);
  } catch (error) {
    if (!isMerostoreError(error, "DATABASE_DAMAGED")) throw error;
    return PrivateEntities.unknown;
  }
}

async function findIn(reader: EngineReader, schema: Schema): Promise<PrivateEntities> {
  const found = new Map<string, Uint8Array>();
  const isNew = keepsPrivateApart(schema);
  for (const contextId of await contextsWithPrivateData(reader)) {
    const rows = rowsIn(reader, { gte: contextId, lt: successor(contextId) });
    if (isNew && !(await pointsIntoState(reader, contextId, rows))) continue;
    for (const [context, ids] of await exploreEntities(rows)) found.set(context, ids);
  }
  return found.size === 0 ? PrivateEntities.none : new PrivateEntities(found);
}

/** Returns the private entities of all contexts, in three passes over the rows, or one without private data. */
export async function exploreEntities(rows: RowsOfColumn): Promise<EntitiesByContext> {
  const graphs = new Map<string, EntityGraph>();
  for await (const { context } of privateData(rows))
    if (!graphs.has(context)) graphs.set(context, new EntityGraph(fromHex(context)));
  if (graphs.size === 0) return new Map();
  await eachRow(rows, graphs, addEntities);

  const handles = new Map<string, Set<number>>();
  for await (const { context, value } of privateData(rows)) {
    const numbers = handles.get(context) ?? new Set<number>();
    for (const number of graphs.get(context)?.ids.search(value) ?? []) numbers.add(number);
    if (numbers.size > 0) handles.set(context, numbers);
  }
  for (const context of graphs.keys()) if (!handles.has(context)) graphs.delete(context);
  if (graphs.size === 0) return new Map();
  await eachRow(rows, graphs, addHandles);

  const found = new Map<string, Uint8Array>();
  for (const [context, graph] of graphs) {
    const ids = await graph.reach(handles.get(context) ?? []);
    if (ids.length > 0) found.set(context, ids);
  }
  return found;
}

/** Values of PrivateState that are long enough for a handle. */
async function* privateData(rows: RowsOfColumn) {
  for await (const chunk of rows("PrivateState")) {
    for (const { key, value } of chunk) {
      if (value === undefined || value.length < ID_BYTES || key.length < ID_BYTES) continue;
      yield { context: toHex(key.subarray(0, ID_BYTES)), value };
    }
  }
}

async function eachRow(
  rows: RowsOfColumn,
  graphs: ReadonlyMap<string, EntityGraph>,
  add: typeof addEntities,
): Promise<void> {
  let contextId = new Uint8Array(0);
  let graph: EntityGraph | undefined;
  for (const column of ["State", "Delta"]) {
    for await (const chunk of rows(column)) {
      for (const { key, value } of chunk) {
        // Rows of a context are adjacent.
        if (!equalBytes(key.subarray(0, ID_BYTES), contextId)) {
          contextId = new Uint8Array(key.subarray(0, ID_BYTES));
          graph = graphs.get(toHex(contextId));
        }
        if (graph !== undefined && value !== undefined) add(graph, column, { key, value });
      }
    }
  }
}

async function contextsWithPrivateData(reader: EngineReader): Promise<readonly Uint8Array[]> {
  const contexts = new Set<string>();
  for await (const { context } of privateData(rowsIn(reader, {}))) contexts.add(context);
  return [...contexts].map(fromHex);
}

/** Returns true if the schema keeps private collections in PrivateState, as nodes do since core-0.11. */
export function keepsPrivateApart({ rows }: Schema): boolean {
  return ["ContextState", "ContextDagDelta"].every((name) =>
    rows.some(({ kind, privateApart }) => kind === name && privateApart),
  );
}

/** Returns true if private data, apart from the collections in PrivateState, names an entity of State. */
async function pointsIntoState(
  reader: EngineReader,
  contextId: Uint8Array,
  rows: RowsOfColumn,
): Promise<boolean> {
  if (!reader.columns.includes("State")) return false;
  const keys: Uint8Array[] = [];
  const isPublic = [contextId, applicationStateId()];
  for await (const chunk of rows("PrivateState")) {
    for (const { key, value } of chunk) {
      if (value === undefined || isIndexRow({ key, value }) || isEntryRow({ key, value })) continue;
      if (keys.length + value.length > LOOK_UPS) return true;
      for (let at = 0; at + ID_BYTES <= value.length; at++) {
        const id = value.subarray(at, at + ID_BYTES);
        if (!isPublic.some((one) => equalBytes(one, id))) keys.push(concat(contextId, indexStateKey(id)));
      }
    }
  }
  const values = await reader.getMany("State", keys);
  return values.some((value) => value !== undefined);
}

function rowsIn(reader: EngineReader, range: ByteRange): RowsOfColumn {
  return async function* (column) {
    if (reader.columns.includes(column)) yield* reader.scan(column, range).chunks();
  };
}
