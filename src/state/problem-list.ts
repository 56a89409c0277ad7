/** Problems of a whole state: the first are kept, all are counted. */
import type { StateProblem } from "./problem.js";

/** Problems that are kept. */
const MOST = 10_000;

/** Problems of a whole state: the first 10,000 are kept, all are counted. */
export class ProblemList {
  readonly #listed: StateProblem[] = [];
  #count = 0;

  constructor(problems: readonly StateProblem[] = []) {
    for (const one of problems) this.add(one);
  }

  /** The first 10,000. */
  get listed(): readonly StateProblem[] {
    return this.#listed;
  }

  /** The number of all. */
  get count(): number {
    return this.#count;
  }

  /** Adds a problem. */
  add(one: StateProblem): void {
    this.#count++;
    if (this.#listed.length < MOST) this.#listed.push(one);
  }
}
