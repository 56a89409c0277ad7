/** How the rows of the database come about: generators put rows, and pause where a batch may be written. */
import type { core010 } from "../../src/index.js";
import type { KeysOf, RowsOf, ValueFor } from "../../src/schemas/index.js";

/** The rows of core-0.10. */
export type Rows = RowsOf<typeof core010>;

/** Takes one row. */
export type Put = <K extends KeysOf<Rows>>(key: K, value: ValueFor<Rows, K>) => void;

/** Puts rows; yields every few rows. */
export type Filler = Generator<void, void, undefined>;
