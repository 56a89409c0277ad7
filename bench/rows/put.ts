/** How the rows of the database come about: generators put rows, and pause where a batch may be written. */
import type { Core010, KeysOf, ValueFor } from "../../src/schemas/index.js";

/** Takes one row. */
export type Put = <K extends KeysOf<Core010>>(key: K, value: ValueFor<Core010, K>) => void;

/** Puts rows; yields every few rows. */
export type Filler = Generator<void, void, undefined>;
