/** Generators that put the rows of the database and yield where a batch may be written. */
import type { Core010, KeysOf, ValueFor } from "../../src/schemas/index.js";

/** Receives one row. */
export type Put = <K extends KeysOf<Core010>>(key: K, value: ValueFor<Core010, K>) => void;

/** Puts rows; yields every few rows. */
export type Filler = Generator<void, void, undefined>;
