import { MerostoreError } from "../errors.js";

/**
 * The findings of a verification, which runs while they are read, and its summary. `Finding` is the type of the
 * findings, `Summary` that of the summary.
 */
export class Findings<Finding, Summary> implements AsyncIterable<Finding> {
  readonly #run: AsyncGenerator<Finding, Summary, undefined>;
  #summary: Summary | undefined;
  #left = false;

  /** @param run yields the findings and returns the summary */
  constructor(run: AsyncGenerator<Finding, Summary, undefined>) {
    this.#run = run;
  }

  /** Iterates over the findings, once. Leaving the loop ends the verification. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Finding, void, undefined> {
    try {
      for (let next = await this.#next(); next !== undefined; next = await this.#next()) yield next;
    } finally {
      this.#left = this.#summary === undefined;
      if (this.#left) await this.#run.throw(new Left()).catch(ignoreLeft);
    }
  }

  /**
   * Returns the summary. Runs the verification to its end, and drops the findings that nobody has read.
   *
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
    this.#summary ??= value;
    return undefined;
  }
}

class Left extends Error {}

function ignoreLeft(error: unknown): void {
  if (!(error instanceof Left)) throw error;
}
