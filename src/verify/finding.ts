/** What verification finds. Nothing of it is ever a secret: rules show ids, hashes, public keys and counts. */
import type { AnyKey } from "../keys/index.js";

/**
 * `error`: rows contradict each other or themselves, which no honest node writes. `warning`: what a crash or a sync that
 * is under way may leave behind. `info`: worth knowing, and normal.
 */
export type Severity = "error" | "warning" | "info";

/** One thing that is not as a rule says. */
export interface Finding {
  /** How much it weighs. */
  readonly severity: Severity;
  /** The rule's name: `delta-id`. */
  readonly rule: string;
  /** Name of the column family. */
  readonly column: string;
  /** The kind of row; null where the schema has none for this key. */
  readonly kind: string | null;
  /** The key of the row in hex; null where it is about the whole column family. */
  readonly key: string | null;
  /** What it means, as a sentence. */
  readonly message: string;
  /** What is there. Bytes are shown in hex. */
  readonly found?: string;
  /** What should be there. */
  readonly expected?: string;
}

/** What a finding may show: bytes become hex. */
export type Shown = string | number | bigint | Uint8Array;

/** A key that no kind of row has, or a whole column family. */
export interface UnknownKey {
  /** Name of the column family. */
  readonly COLUMN: string;
  /** Null: no kind of row has such keys. */
  readonly KIND: null;
  /** The key as it is stored; null for the whole column family. */
  readonly bytes: Uint8Array | null;
}

/** A finding as a rule yields it. */
export interface Broken {
  /** The row that it is about: its key, or the column family and bytes of one that no kind of row has. */
  readonly key: AnyKey | UnknownKey;
  /** What it means, as a sentence without its full stop. */
  readonly message: string;
  /** What is there; absent where the message says it. */
  readonly found?: Shown;
  /** What should be there; absent where nothing particular should. */
  readonly expected?: Shown;
  /** Where this one weighs more or less than the rule in general. */
  readonly severity?: Severity;
  /** In a rule about pairs of rows: what is broken. Several findings about the same thing count as one break. */
  readonly about?: Uint8Array;
}
