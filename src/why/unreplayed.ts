/** The causes why two nodes differ in a context whose deltas are not replayed. They follow from the rows alone. */
import { counted } from "../bytes/quantity.js";
import type { OlderDeltas, RowDifference } from "../diff/browser.js";
import type { ContextRecord } from "../node/tables/contexts.js";
import type { Schema } from "../schemas/index.js";
import type { Causes, Decision, DifferingRows, Judge, WhyDifference } from "./causes.js";
import { listed, shortId } from "./naming.js";

/** Judges a context that both nodes have joined, without a replay. */
export class UnreplayedJudge implements Judge {
  readonly #id: string;
  readonly #why: string;
  readonly #causes: Causes;
  readonly #records: readonly [ContextRecord, ContextRecord];
  readonly #older: () => OlderDeltas | undefined;
  /** Rows of deltas that only one node has. */
  readonly #deltas: readonly [DifferingRows, DifferingRows];
  readonly #state: DifferingRows;
  readonly #heads: DifferingRows;

  /**
   * @param id 64 hex digits
   * @param schema a revision whose deltas are not replayed
   * @param causes empty
   * @param older counts the deltas that one node need not have, once all rows are taken
   */
  constructor(
    id: string,
    { name }: Schema,
    causes: Causes,
    records: readonly [ContextRecord, ContextRecord],
    older: () => OlderDeltas | undefined,
  ) {
    this.#older = older;
    this.#id = id;
    this.#why = `deltas of ${name} are not replayed`;
    this.#causes = causes;
    this.#records = records;
    this.#deltas = [causes.noRows(), causes.noRows()];
    this.#state = causes.noRows();
    this.#heads = causes.noRows();
  }

  take(row: RowDifference): void {
    const { column, kind, difference, benign } = row;
    if (kind === "ContextDagDelta" && difference !== "different")
      this.#deltas[difference === "only in a" ? 0 : 1].add(row);
    else if (kind === "ContextMeta") this.#heads.add(row);
    else if (benign !== undefined) this.#causes.take(row, "expected");
    else if (column === "State") this.#state.add(row);
    else this.#causes.take(row, "unexplained");
  }

  async decide(): Promise<WhyDifference> {
    const causes = this.#causes;
    const { names } = causes;
    const [a, b] = this.#records;
    const lacks = [this.#deltas[1].count, this.#deltas[0].count] as const;
    const said = lacks.map(
      (count, side) => `${names[side]} lacks ${counted(count, "delta")} of ${names[1 - side]}`,
    );
    for (const side of [0, 1] as const)
      if (lacks[side] > 0) {
        const rows = this.#deltas[1 - side] as DifferingRows;
        const deltas = rows.rows.map(({ key }) => key.slice(-64));
        causes.takeAll(rows, causes.add({ rule: "deltas", sentence: said[side] as string, deltas }));
      }
    const isSame = a.rootHash === b.rootHash;
    const [of, other] = [a, b].map(({ heads }) => listed(heads.map(shortId)) || "none");
    const parts = [
      isSame ? [] : "the root hashes differ",
      of === other ? [] : `the heads are ${of} at ${names[0]}, and ${other} at ${names[1]}`,
    ].flat();
    const sentence = parts.join("; ") || "rows about the context differ";
    if (this.#heads.count > 0) causes.takeAll(this.#heads, causes.add({ rule: "heads", sentence }));
    if (this.#state.count > 0) {
      const { count } = this.#state;
      const sentence = `${counted(count, "row")} of the state ${count === 1 ? "differs" : "differ"}; ${this.#why}`;
      causes.takeAll(this.#state, isSame ? "unexplained" : causes.add({ rule: "state", sentence }));
    }
    const isUnexplained = causes.unexplained.unexplainedCount > 0;
    const decided = this.#decided(isSame, lacks, said, isUnexplained);
    return causes.difference({ of: "context", id: this.#id }, decided);
  }

  #decided(
    isSame: boolean,
    lacks: readonly [number, number],
    said: readonly string[],
    isUnexplained: boolean,
  ): Decision {
    const { names } = this.#causes;
    const about = names.filter((_, side) => lacks[side] !== 0);
    const texts = said.filter((_, side) => lacks[side] !== 0).toSorted();
    if (isSame && isUnexplained)
      return {
        verdict: "unexplained",
        sentence: this.#causes.unexplainedText("the root hashes are equal"),
        about: names,
      };
    if (isSame && about.length === 0)
      return { verdict: "equal", sentence: "both have the same state and the same deltas", about };
    const { onlyInA = 0, onlyInB = 0 } = this.#older() ?? {};
    if (isSame && lacks[0] === onlyInB && lacks[1] === onlyInA) {
      const follow = `${listed(about)} applied others that follow`;
      return {
        verdict: "snapshot",
        sentence: `both have the same state; ${[...texts, follow].join(", and ")}`,
        about: [],
      };
    }
    const [heads, others] = this.#records.map((record) => record.heads.toSorted().join());
    if (isSame && heads === others)
      return {
        verdict: "delta-lost",
        sentence: `both have the same state and heads; ${texts.join(", and ")}`,
        about,
      };
    if (about.length === 0)
      return {
        verdict: "unexplained",
        sentence: `both have the same deltas, and different states; ${this.#why}`,
        about: names,
      };
    const one = about.length === 1 && about[0] === names[0] ? "behind" : "ahead";
    return {
      verdict: about.length === 2 ? "both" : one,
      sentence: `${isSame ? "both have the same state; " : ""}${texts.join(", and ")}; ${this.#why}`,
      about,
    };
  }
}
