/** Judges of contexts and groups that a node lacks, and of rows that belong to neither. */
import { counted } from "../bytes/quantity.js";
import type { RowDifference } from "../diff/browser.js";
import type { Causes, DifferingRows, Judge, WhyDifference } from "./causes.js";

/** Judges a context or a group that at least one node does not have. That node may still have rows of it. */
export class AbsentJudge implements Judge {
  readonly #thing: Pick<WhyDifference, "of" | "id">;
  readonly #sentence: string;
  readonly #lacking: readonly string[];
  readonly #causes: Causes;

  /**
   * @param causes empty
   * @param lacking the names of the nodes that do not have it
   * @param why text after the sentence
   */
  constructor(thing: Pick<WhyDifference, "of" | "id">, causes: Causes, lacking: readonly string[], why = "") {
    this.#thing = thing;
    this.#lacking = lacking;
    const having = causes.names.find((name) => !lacking.includes(name));
    this.#sentence =
      having === undefined
        ? `neither node has this ${thing.of}, but rows of it are left`
        : `only ${having} has this ${thing.of}${why}`;
    this.#causes = causes;
    causes.add({ rule: "absent", sentence: this.#sentence });
  }

  take(row: RowDifference): void {
    this.#causes.take(row, 0);
  }

  async decide(): Promise<WhyDifference> {
    const decided = { verdict: "absent", sentence: this.#sentence, about: this.#lacking } as const;
    return this.#causes.difference(this.#thing, decided);
  }
}

/** Judges the rows that name neither a context nor a group. */
export class RestJudge implements Judge {
  readonly #causes: Causes;
  readonly #applications: readonly [DifferingRows, DifferingRows];
  #differ = false;

  /** @param causes empty */
  constructor(causes: Causes) {
    this.#causes = causes;
    this.#applications = [causes.noRows(), causes.noRows()];
  }

  take(row: RowDifference): void {
    const { kind, difference, benign } = row;
    this.#differ = true;
    if (kind === "ApplicationMeta" && difference !== "different")
      this.#applications[difference === "only in a" ? 0 : 1].add(row);
    else this.#causes.take(row, benign === undefined ? "unexplained" : "expected");
  }

  async decide(): Promise<WhyDifference> {
    for (const [side, rows] of this.#applications.entries()) {
      if (rows.count === 0) continue;
      const sentence = `only ${this.#causes.names[side]} knows ${counted(rows.count, "application")}`;
      this.#causes.takeAll(rows, this.#causes.add({ rule: "application", sentence }));
    }
    const isEqual = this.#causes.unexplained.unexplainedCount === 0;
    return this.#causes.difference(
      { of: "rest", id: undefined },
      {
        verdict: isEqual ? "equal" : "unexplained",
        sentence: isEqual
          ? this.#differ
            ? "all differences are expected between correct nodes"
            : "no row differs"
          : this.#causes.unexplainedText("the rows name no context and no group"),
        about: isEqual ? [] : this.#causes.names,
      },
    );
  }
}
