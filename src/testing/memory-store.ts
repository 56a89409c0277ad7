/** A store in memory. */
import { openMemoryEngine } from "../engines/memory/index.js";
import { invalidArgument } from "../errors.js";
import { Schema } from "../schemas/index.js";
import { Store } from "../store/browser.js";

/**
 * Creates an empty store in memory. It behaves as one on disk does: values are checked and encoded, batches are atomic,
 * and snapshots and overlays work. Its rows are gone when it is closed.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` for anything but a schema
 * @example
 * import { GroupDefaultCaps, schema } from "merostore/core-0.11";
 * import { memoryStore } from "merostore/testing";
 *
 * const store = memoryStore(schema);
 * await store.table(GroupDefaultCaps).put({ groupId }, { capabilities: 3 });
 */
export function memoryStore<S extends Schema>(schema: S): Store<S> {
  if (!(schema instanceof Schema))
    throw invalidArgument('memoryStore takes a schema, for example that of "merostore/core-0.11"');
  return new Store(openMemoryEngine({ columns: schema.columns }), schema);
}
