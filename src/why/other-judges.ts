/** Judges of what only one node has, and of the rows that belong to no context and no group. */
import { counted } from "../bytes/quantity.js";
import type { RowDifference } from "../diff/browser.js";
import { Causes, type Judge, type WhyDifference } from "./causes.js";

/** A context or a group that only one of two nodes has, or none of them any more. */
export class AbsentJudge implements Judge {
  readonly #thing: Pick<WhyDifference, "of" | "id">;
  readonly #sentence: string;
  readonly #lacking: readonly string[];
  readonly #causes: Causes;

  /**
   * @param names the names of both nodes
   * @param lacking the names of those that do not have it
   * @param why what else is known, as a text after the sentence
   */
  constructor(
    thing: Pick<WhyDifference, "of" | "id">,
    names: readonly [string, string],
    lacking: readonly string[],
    why = "",
  ) {
    this.#thing = thing;
    this.#lacking = lacking;
    const having = names.find((name) => !lacking.includes(name));
    this.#sentence =
      having === undefined
        ? `neither node has this ${thing.of}, but rows of it are left`
        : `only ${having} has this ${thing.of}${why}`;
    this.#causes = new Causes(names);
    this.#causes.add({ rule: "absent", sentence: this.#sentence });
  }

  take(row: RowDifference): void {
    this.#causes.take(row, 0);
  }

  async decide(): Promise<WhyDifference> {
    return {
      ...this.#thing,
      verdict: "absent",
      sentence: this.#sentence,
      about: this.#lacking,
      causes: this.#causes.done(),
      unexplained: [],
      entities: undefined,
    };
  }
}

/** The rows that name no context and no group. */
export class RestJudge implements Judge {
  readonly #causes: Causes;
  readonly #names: readonly [string, string];
  readonly #applications: readonly [RowDifference[], RowDifference[]] = [[], []];

  constructor(names: readonly [string, string]) {
    this.#names = names;
    this.#causes = new Causes(names);
  }

  take(row: RowDifference): void {
    const { kind, difference, benign } = row;
    if (kind === "ApplicationMeta" && difference !== "different")
      this.#applications[difference === "only in a" ? 0 : 1].push(row);
    else this.#causes.take(row, benign === undefined ? "unexplained" : "expected");
  }

  async decide(): Promise<WhyDifference> {
    for (const [side, rows] of this.#applications.entries()) {
      if (rows.length === 0) continue;
      const sentence = `only ${this.#names[side]} knows ${counted(rows.length, "application")}`;
      const at = this.#causes.add({ rule: "application", sentence });
      for (const row of rows) this.#causes.take(row, at);
    }
    const { unexplained } = this.#causes;
    const isEqual = unexplained.length === 0;
    return {
      of: "rest",
      id: undefined,
      verdict: isEqual ? "equal" : "unexplained",
      sentence: isEqual
        ? "those that differ do so on correct nodes too"
        : this.#causes.unexplainedText("the rows name no context and no group"),
      about: isEqual ? [] : this.#names,
      causes: this.#causes.done(),
      unexplained,
      entities: undefined,
    };
  }
}
