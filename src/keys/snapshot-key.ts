/** The mark of a state that is not complete. */
import { Generic, scopeBytes } from "./generic.js";

/** @internal The key of the row that exists while the node fetches a snapshot of a context's state. */
export function snapshotKey(contextId: Uint8Array): Generic {
  return new Generic({ scope: scopeBytes("sync-in-progres") as Uint8Array, fragment: contextId });
}
