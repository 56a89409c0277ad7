/** A context in a check of what its deltas lead to. */
import type { Schema } from "../schemas/index.js";
import type { ContextReplay } from "../state/index.js";
import type { StoreReader } from "../store/browser.js";

/** A context whose deltas are replayed. */
export interface ReplayedContext {
  /** The context's id, 32 bytes. */
  readonly contextId: Uint8Array;
  /** The database. */
  readonly reader: StoreReader<Schema>;
  /** Its deltas. */
  readonly replay: ContextReplay;
}
