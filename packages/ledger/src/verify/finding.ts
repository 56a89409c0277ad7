/** Rules about the rows of a page, and their findings. */
import type { RawRow } from "merostore/engine";
import { isMerostoreError, type RuleFinding, type RuleText, type Severity, toHex } from "merostore/internal";
import type { KeySegments, KeyValues } from "../rows/key-template.js";
import type { Row } from "../rows/row.js";
import type { CheckedPage } from "./checked-page.js";

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

/** Decodes the value of a row; undefined for a damaged one, which the rule about rows reports. */
export function decodedValue<const S extends KeySegments, V>(row: Row<S, V>, stored: RawRow): V | undefined {
  try {
    return row.decode(stored);
  } catch (error) {
    if (isMerostoreError(error, "DATA_INTEGRITY_ERROR")) return undefined;
    throw error;
  }
}

/** Advice that many rules share. */
export const RESTORE = "Keep the page's folder, and restore a copy of it that verifies.";

/** A rule about the rows of a page. */
export interface PageRule extends RuleText {
  /** Checks a page. Uses constant memory, or a few bytes for each row. */
  check(page: CheckedPage): AsyncGenerator<Problem, void, undefined>;
}
