/** What a verification says. */
import { toHex } from "../../bytes/hex.js";
import type { KeySegments, KeyValues } from "../rows/key-template.js";
import type { Row } from "../rows/row.js";

/**
 * An error is what no sound database has; a warning what an unfinished sync or a crash can leave; an info is normal and
 * worth knowing.
 */
export type Severity = "error" | "warning" | "info";

/** Something that a rule noticed about one row. */
export interface Finding {
  readonly severity: Severity;
  readonly rule: string;
  /** The kind of the row; null for one of no known kind. */
  readonly kind: string | null;
  /** The bytes of the row's key as hex: of the row that is there, or of the one that should be. */
  readonly key: string;
  /** A sentence without its full stop. It holds no value of an entry. */
  readonly message: string;
}

/** A finding before it is known of which rule it is. */
export type Problem = Omit<Finding, "rule">;

/** A problem of a row that is there, or should be. */
export function problem<const S extends KeySegments, V>(
  severity: Severity,
  row: Row<S, V>,
  parts: KeyValues<S>,
  message: string,
): Problem {
  return { severity, kind: row.kind, key: toHex(row.key.encode(parts)), message };
}
