/** The changes that deltas made to the application's data. */
import { isMerostoreError } from "merostore";
import type { StateHistory } from "merostore/state";
import type { Database } from "../database/database.js";
import { openState } from "./source.js";

/** The most bytes of rows that are read without a request. */
const QUICK_BYTES = 16 * 1024 * 1024;

/** Codes of errors for a damaged state. */
const DAMAGE: readonly string[] = ["STATE_UNREADABLE", "DECODE_FAILED", "DATABASE_DAMAGED"];

/** The history of a context's data; undefined if its state is damaged, or the revision has none. */
export async function stateHistoryOf(database: Database, context: string): Promise<StateHistory | undefined> {
  if (database.store.schema.name === "documented") return undefined;
  try {
    return (await openState(database, context, false)).history;
  } catch (error) {
    // A damaged state has no paths, but its deltas still have their actions.
    if (isMerostoreError(error) && DAMAGE.includes(error.code)) return undefined;
    throw error;
  }
}

/** Returns whether the deltas and the state are small enough to put the changes of every delta in sight into words. */
export async function tellsChanges(database: Database): Promise<boolean> {
  return database.kept("tells changes", async () => {
    let bytes = 0;
    for (const column of ["Delta", "State"] as const)
      if (database.store.columns.includes(column)) bytes += await database.store.raw.approximateSize(column);
    return bytes <= QUICK_BYTES;
  });
}
