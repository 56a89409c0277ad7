/** Findings of a verification. */
import { toHex } from "../../bytes/hex.js";
import type { KeySegments, KeyValues } from "../rows/key-template.js";
import type { Row } from "../rows/row.js";

/**
 * An error is not in any correct database; a warning may be left by an unfinished sync or a crash; an info is normal and worth
 * knowing.
 */
export type Severity = "error" | "warning" | "info";

/** A finding of a rule about one row. */
export interface Finding {
  /** How much the finding weighs. */
  readonly severity: Severity;
  /** The name of the rule: `heads`. */
  readonly rule: string;
  /** The kind of the row; null for an unknown kind. */
  readonly kind: string | null;
  /** The key of the row as hex; of a missing row the key that it should have. */
  readonly key: string;
  /** A sentence without its full stop. It contains no value of an entry. */
  readonly message: string;
}

/** A finding without its rule. */
export type Problem = Omit<Finding, "rule">;

/** Makes a problem of a row. */
export function problem<const S extends KeySegments, V>(
  severity: Severity,
  row: Row<S, V>,
  parts: KeyValues<S>,
  message: string,
): Problem {
  return { severity, kind: row.kind, key: toHex(row.key.encode(parts)), message };
}
