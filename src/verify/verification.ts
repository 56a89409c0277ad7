import { MerostoreError } from "../errors.js";
import type { ColumnSummary } from "./column-scan.js";
import type { Finding } from "./finding.js";
import type { RuleSummary } from "./rule-run.js";

/** What a database came to. */
export interface Summary {
  /** The revision that the rows were read as. */
  readonly revision: string;
  /** Rows that were read, of all column families. */
  readonly rows: number;
  /** Findings with the severity `error`. */
  readonly errors: number;
  /** Findings with the severity `warning`. */
  readonly warnings: number;
  /** Findings with the severity `info`. */
  readonly infos: number;
  /** The column families that were read. */
  readonly columns: readonly ColumnSummary[];
  /** The rules that hold for the revision. */
  readonly rules: readonly RuleSummary[];
}

/** A check of a database: the findings as they are made, and after the last of them what it came to. */
export class Verification implements AsyncIterable<Finding> {
  readonly #run: AsyncGenerator<Finding, Summary, undefined>;
  #summary: Summary | undefined;
  #left = false;

  constructor(run: AsyncGenerator<Finding, Summary, undefined>) {
    this.#run = run;
  }

  /** The findings, once. Leaving the loop ends the check. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Finding, void, undefined> {
    try {
      for (let next = await this.#next(); next !== undefined; next = await this.#next()) yield next;
    } finally {
      this.#left = this.#summary === undefined;
      if (this.#left) await this.#run.throw(new Left()).catch(ignoreLeft);
    }
  }

  /**
   * What it came to. Goes through the findings that nobody has asked for yet.
   * @throws MerostoreError `CLOSED` if the loop over the findings was left before the end
   */
  async summary(): Promise<Summary> {
    while (this.#summary === undefined) {
      if (this.#left) {
        throw new MerostoreError("CLOSED", "the check was left before its end: verify again for a summary");
      }
      await this.#next();
    }
    return this.#summary;
  }

  async #next(): Promise<Finding | undefined> {
    const { done, value } = await this.#run.next();
    if (done !== true) return value;
    this.#summary = value;
    return undefined;
  }
}

class Left extends Error {}

function ignoreLeft(error: unknown): void {
  if (!(error instanceof Left)) throw error;
}
