/** Findings of a verification. */
import { type RuleFinding, type Severity, toHex } from "merostore/internal";
import type { KeySegments, KeyValues } from "../rows/key-template.js";
import type { Row } from "../rows/row.js";

/** A finding of a rule about one row. */
export interface Finding extends RuleFinding {
  /** The key of the row as hex; of a missing row the key that it should have. */
  readonly key: string;
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

/** Advice that many rules share. */

export const RESTORE = "Keep the page's folder, and restore a copy of it that verifies.";
