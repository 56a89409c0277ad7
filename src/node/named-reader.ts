/** One of several databases that a question is about. */
import { isListOf } from "../options.js";
import type { Schema } from "../schemas/index.js";
import type { StoreReader } from "../store/browser.js";

/** A database with the name that answers give it. */
export interface NamedReader {
  /** The name of the node. */
  readonly name: string;
  /** A store, a snapshot or an overlay; it stays the caller's to close. */
  readonly store: StoreReader<Schema>;
}

/** Databases with names, as an argument. @internal */
export const isNodes = isListOf("a list of nodes, each with a name and a store", "name", "store");
