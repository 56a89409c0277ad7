/** A store in memory. */
import { openMemoryEngine } from "../engines/memory/index.js";
import type { Schema } from "../schemas/index.js";
import { Store } from "../store/browser.js";

/**
 * Creates an empty store in memory. It behaves as one on disk does: values are checked and encoded, batches are atomic, and
 * snapshots and overlays work. Its rows are gone when it is closed.
 *
 * @example
 * import { GroupDefaultCaps, schema } from "merostore/core-0.11";
 * import { memoryStore } from "merostore/testing";
 *
 * const store = memoryStore(schema);
 * await store.table(GroupDefaultCaps).put({ groupId }, { capabilities: 3 });
 */
export function memoryStore<S extends Schema>(schema: S): Store<S> {
  return new Store(openMemoryEngine({ columns: schema.columns }), schema);
}
