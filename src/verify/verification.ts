import type { FindingCounts, Findings, RuleSummary } from "../findings/index.js";
import type { NewerNode } from "../schemas/index.js";
import type { ColumnSummary } from "./column-scan.js";
import type { Finding } from "./finding.js";
import type { NotChecked } from "./rules/not-checked.js";

/** The result of verifying a database. */
export interface Summary extends FindingCounts {
  /** The revision with which the rows were read. */
  readonly revision: string;
  /**
   * The parts of the database that a node newer than the revision wrote, which are not checked; undefined if there are
   * none.
   */
  readonly newer: NewerNode | undefined;
  /**
   * The number of rows that do not decode, and that a node newer than the revision may have written. They are not
   * checked.
   */
  readonly maybeNewer: number;
  /** The number of rows that were read. */
  readonly rows: number;
  /** The column families that were read. */
  readonly columns: readonly ColumnSummary[];
  /** The rules that hold for the revision. */
  readonly rules: readonly RuleSummary[];
  /** The parts of relations that no rule checks in this revision, or in any. */
  readonly notChecked: readonly NotChecked[];
}

/** A verification of a database: its findings as they are made, and its summary after the last one. */
export type Verification = Findings<Finding, Summary>;
