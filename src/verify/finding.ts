/** What verification finds. Nothing of it is ever a secret: rules show ids, hashes, public keys and counts. */
import type { RuleFinding, Severity } from "../findings/index.js";
import type { AnyKey } from "../keys/index.js";

/** One thing that is not as a rule says. */
export interface Finding extends RuleFinding {
  /** The column family of the row. */
  readonly column: string;
  /** What is there. Bytes are shown in hex. */
  readonly found?: string;
  /** What should be there. */
  readonly expected?: string;
}

/** What a finding may show: bytes become hex. */
export type Shown = string | number | bigint | Uint8Array;

/** A finding as a rule yields it. */
export interface Broken {
  /** The row that it is about: its key, or the column family and bytes of one that no kind of row has. */
  readonly key: AnyKey | { readonly COLUMN: string; readonly KIND: null; readonly bytes: Uint8Array | null };
  readonly message: string;
  readonly found?: Shown;
  readonly expected?: Shown;
  /** Where this one weighs more or less than the rule in general. */
  readonly severity?: Severity;
  /** In a rule about pairs of rows: what is broken. Several findings about the same thing count as one break. */
  readonly about?: Uint8Array;
}
