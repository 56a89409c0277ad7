/** The changes that deltas made to the application's data. */
import { fromHex, isMerostoreError } from "merostore";
import { findManifest, type Manifest, StateHistory, stateOf } from "merostore/state";
import type { Database } from "./database.js";

/** Bytes of rows that are read without being asked for. */
const QUICK_BYTES = 16 * 1024 * 1024;

/** The history of a context's data; undefined if its state cannot be read. */
export function stateHistoryOf(database: Database, context: string): Promise<StateHistory | undefined> {
  return database.kept(`state history of ${context}`, async () => {
    const { store } = database;
    if (store.schema.name === "documented") return undefined;
    const contextId = fromHex(context);
    try {
      const manifest = await manifestOf(database, contextId);
      return new StateHistory(store, await stateOf(store, contextId, { manifest }));
    } catch (error) {
      // A damaged state has no paths; its deltas have their actions all the same.
      if (isMerostoreError(error)) return undefined;
      throw error;
    }
  });
}

/** Whether the deltas and the state are small enough to describe the changes of every delta in sight. */
export async function tellsChanges(database: Database): Promise<boolean> {
  return database.kept("tells changes", async () => {
    let bytes = 0;
    for (const column of ["Delta", "State"] as const)
      if (database.store.columns.includes(column)) bytes += await database.store.raw.approximateSize(column);
    return bytes <= QUICK_BYTES;
  });
}

async function manifestOf({ store, blobs }: Database, contextId: Uint8Array): Promise<Manifest | undefined> {
  if (blobs === undefined) return undefined;
  try {
    return (await findManifest(store, contextId, { blobs })).manifest;
  } catch (error) {
    // The types in the rows serve.
    if (isMerostoreError(error)) return undefined;
    throw error;
  }
}
