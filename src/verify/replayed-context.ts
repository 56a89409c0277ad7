/** A context in a check of what its deltas lead to. */
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
  /** Root hashes that a watcher kept, those of other contexts among them. */
  readonly record: readonly RecordedRoot[];
}

/** Says of a context why a rule does not look at it, or at a part of it. */
export function notChecked(contextId: Uint8Array, reason: string): RowFinding {
  return { key: new ContextMeta({ contextId }), message: `not checked: ${reason}`, severity: "info" };
}
