/** A context, as the checks of replayed deltas get it. */
import { ContextMeta } from "../keys/index.js";
import type { Schema } from "../schemas/index.js";
import type { ContextReplay, RecordedRoot } from "../state/index.js";
import type { StoreReader } from "../store/browser.js";
import type { RowFinding } from "./finding.js";

/** A context whose deltas are replayed. */
export interface ReplayedContext {
  /** The context's id, 32 bytes. */
  readonly contextId: Uint8Array;
  /** The database. */
  readonly reader: StoreReader<Schema>;
  /** Its deltas. */
  readonly replay: ContextReplay;
  /** Root hashes that a watcher recorded, also for other contexts. */
  readonly record: readonly RecordedRoot[];
}

/** The finding that a rule skips a context or a part of it, with the reason. */
export function notChecked(contextId: Uint8Array, reason: string): RowFinding {
  return { key: new ContextMeta({ contextId }), message: `not checked: ${reason}`, severity: "info" };
}
