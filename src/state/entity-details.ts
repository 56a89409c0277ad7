/** The details of single entities. */

import { concat } from "../bytes/concat.js";
import { toHex } from "../bytes/hex.js";
import { type IdLike, idBytes } from "../bytes/id.js";
import { ownHash } from "../digests/index.js";
import { checkArgument, hasMembers, isReader } from "../options.js";
import type { Schema } from "../schemas/index.js";
import type { StoreReader } from "../store/browser.js";
import { isState } from "./arguments.js";
import { detailsOf, type EntityDetails } from "./collections/scope.js";
import { EntityRows } from "./entity-rows.js";
import { layoutOf } from "./layouts/layout-of.js";
import type { State } from "./state.js";

/** A row of an entity. */
export interface EntityKey {
  /** The part of the entity that the row has: its index record, its data, or both. */
  readonly what: "index" | "entry" | "entity";
  /** The key in State or PrivateState: 64 bytes, or 65 since core-1.0. */
  readonly key: Uint8Array;
}

/**
 * The keys of the rows that an entity may have, in State or in PrivateState.
 *
 * @param id 32 bytes
 */
export function entityKeys(state: State, id: IdLike): readonly EntityKey[] {
  checkArgument("entityKeys", state, isState);
  const keys = state.scope.rows.layout.keysOf(idBytes(id));
  return keys.map(({ what, stateKey }) => ({ what, key: concat(state.contextId, stateKey) }));
}

/**
 * The keys of the rows that an entity may have, in the layout of a schema.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` for a revision without entities
 */
export function stateKeysOf(schema: Schema, contextId: IdLike, id: IdLike): readonly EntityKey[] {
  checkArgument("stateKeysOf", schema, hasMembers("a schema", "rows"));
  const keys = layoutOf(schema).keysOf(idBytes(id));
  return keys.map(({ what, stateKey }) => ({ what, key: concat(idBytes(contextId), stateKey) }));
}

/**
 * The details of an entity from its index row: times, owner, hashes, deleted children. Undefined without a row.
 * Entities of private state have details too, without their values.
 *
 * @param id 32 bytes
 */
export async function entityDetails(state: State, id: IdLike): Promise<EntityDetails | undefined> {
  checkArgument("entityDetails", state, isState);
  const rows = state.scope.rows.in("State", "PrivateState");
  const row = await rows.index(idBytes(id));
  return row && detailsOf(rows, row);
}

/**
 * SHA-256 of the data that an entity has in the rows, 64 hex digits; undefined if the data is not there.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` for a revision without entities
 */
export async function storedHash(
  reader: StoreReader<Schema>,
  contextId: IdLike,
  id: IdLike,
): Promise<string | undefined> {
  checkArgument("storedHash", reader, isReader);
  const rows = new EntityRows(reader.raw, idBytes(contextId), layoutOf(reader.schema));
  const row = await rows.index(idBytes(id));
  if (row === undefined || row.deletedAt !== null) return undefined;
  const [data] = await rows.data({ row: undefined }, [row.id]);
  return toHex(data instanceof Uint8Array ? ownHash(data) : row.ownHash);
}
