import type { FindingCounts, Findings, RuleSummary } from "../findings/index.js";
import type { NewerNode } from "../schemas/index.js";
import type { ColumnSummary } from "./column-scan.js";
import type { Finding } from "./finding.js";
import type { NotChecked } from "./rules/not-checked.js";

/** The result of verifying a database. */
export interface Summary extends FindingCounts {
  /** The revision that the rows were read as. */
  readonly revision: string;
  /** The parts of the database that a node newer than the revision wrote, which are not checked; undefined if there are none. */
  readonly newer: NewerNode | undefined;
  /** Rows that do not decode, and that a node newer than the revision may have written: they are not checked. */
  readonly maybeNewer: number;
  /** The number of rows that were read. */
  readonly rows: number;
  /** The column families that were read. */
  readonly columns: readonly ColumnSummary[];
  /** The rules that hold for the revision. */
  readonly rules: readonly RuleSummary[];
  /** The parts of relations that no rule checks in this revision, beside those of which that is so in all. */
  readonly notChecked: readonly NotChecked[];
}

/** A verification of a database: its findings as they are made, and after the last of them its summary. */
export type Verification = Findings<Finding, Summary>;
