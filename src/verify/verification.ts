import type { FindingCounts, Findings, RuleSummary } from "../findings/index.js";
import type { NewerNode } from "../schemas/index.js";
import type { ColumnSummary } from "./column-scan.js";
import type { Finding } from "./finding.js";

/** The result of verifying a database. */
export interface Summary extends FindingCounts {
  /** The revision that the rows were read as. */
  readonly revision: string;
  /** The parts of the database that a node newer than the revision wrote, which are not checked; undefined if there are none. */
  readonly newer: NewerNode | undefined;
  /** The number of rows that were read. */
  readonly rows: number;
  /** The column families that were read. */
  readonly columns: readonly ColumnSummary[];
  /** The rules that hold for the revision. */
  readonly rules: readonly RuleSummary[];
}

/** A verification of a database: its findings as they are made, and after the last of them its summary. */
export type Verification = Findings<Finding, Summary>;
