/** Question 28: what does a put into a page of a million entries cost? */

import type { Question } from "../../../bench/question.js";
import { growing } from "./ledger-growth.js";

export default {
  name: "ledger-large",
  onlyNamed: true,
  async *answer({ options: { rows } }) {
    for (const inline of [true, false])
      yield* growing({ from: rows, upTo: rows, inline, history: undefined });
  },
} satisfies Question;
