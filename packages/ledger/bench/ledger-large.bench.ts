import type { Question } from "../../../bench/question.js";
import { growing } from "./ledger-growth.js";

export default {
  name: "ledger-large",
  asks: "What does a put into a page of a million entries cost? Only if named: filling the pages takes ten minutes",
  against: "the same with fewer entries, in ledger",
  onlyNamed: true,
  async *answer({ options: { rows } }) {
    for (const inline of [true, false])
      yield* growing({ from: rows, upTo: rows, inline, history: undefined });
  },
} satisfies Question;
