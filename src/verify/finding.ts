/** The findings of verification. They never contain secrets: rules show ids, hashes, public keys and counts. */
import type { RuleFinding, Severity } from "../findings/index.js";
import type { AnyKey } from "../keys/index.js";

/** A violation of a rule. */
export interface Finding extends RuleFinding {
  /** The column family of the row. */
  readonly column: string;
  /** The stored value. Bytes are shown in hex. */
  readonly found?: string;
  /** The expected value. */
  readonly expected?: string;
  /** The entity in the row, 64 hex digits. */
  readonly entity?: string;
  /** The delta that wrote it last, 64 hex digits. */
  readonly delta?: string;
}

/** A value that a finding may show: bytes become hex. */
export type Shown = string | number | bigint | Uint8Array;

/** The place of a row of unknown kind, or a whole column family. */
export interface UnknownKey {
  /** The name of the column family. */
  readonly COLUMN: string;
  /** Null: no kind of row has the key. */
  readonly KIND: null;
  /** The bytes of the key; null for the whole column family. */
  readonly bytes: Uint8Array | null;
}

/** A finding about a row, as a rule yields it. */
export interface RowFinding<Key = AnyKey | UnknownKey> {
  /** The key of the row. For a key of no known kind: the column family and the bytes. */
  readonly key: Key;
  /** The finding as a sentence without its full stop. It contains no secret. */
  readonly message: string;
  /** The value or id that the row has. */
  readonly found?: Shown;
  /** The value or id that it should have. */
  readonly expected?: Shown;
  /** The entity in the row, 64 hex digits. Keys of State contain only its hash. */
  readonly entity?: string;
  /** The delta that wrote it last, 64 hex digits. */
  readonly delta?: string;
  /** The severity, if it differs from the rule's severity. */
  readonly severity?: Severity;
  /** True for a row that was not checked, since a newer node may have written it. */
  readonly mayBeLater?: true;
  /** For a rule about pairs of rows, the pair. Findings about the same pair count as one. */
  readonly about?: Uint8Array;
}

/** The place of a row, as a finding gives it. */
export interface RowPlace {
  readonly COLUMN: string;
  readonly KIND: string | null;
  readonly bytes: Uint8Array | null;
}
