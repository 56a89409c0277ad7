/** The details of single entities. */
import { detailsOf, type EntityDetails } from "./collections/scope.js";
import type { State } from "./state.js";

/**
 * The details of an entity from its index row: times, owner, hashes, deleted children. Undefined where there is no row.
 * Entities of private state have details too, without their values.
 *
 * @param id 32 bytes
 */
export async function entityDetails(state: State, id: Uint8Array): Promise<EntityDetails | undefined> {
  const rows = state.scope.rows.in("State", "PrivateState");
  const row = await rows.index(id);
  return row && detailsOf(rows, row);
}
