import { CalimeroNode } from "../src/node/index.js";
import { interleave, type Measured } from "./measure.js";
import { type Question, timeLine } from "./question.js";

export default {
  name: "node",
  asks: "What do the answers of groups, contexts, members, find and others cost, and what memory do they take?",
  against: "scans of the rows that they need",
  wanted: "≤ 2, find ≤ 1.5; ≤ 150 MB",
  async *answer({ options, database }) {
    const { open } = await database();
    await using store = await open();
    const runs = Math.min(options.runs, 5);
    const scan = async (...columns: readonly string[]): Promise<number> => {
      let rows = 0;
      for (const column of columns)
        for await (const chunk of store.raw.scan(column).chunks()) rows += chunk.length;
      return rows;
    };
    const compared = async (name: string, run: () => Promise<number>, columns: readonly string[]) =>
      (await interleave(
        [
          { name, run },
          {
            name: `scan of ${columns.length === store.columns.length ? "all rows" : columns.join(", ")}`,
            run: () => scan(...columns),
          },
        ],
        { runs, warmUps: 1 },
      )) as [Measured, Measured];

    const groups = await compared(
      "groups",
      async () => (await new CalimeroNode(store).namespaces()).length + 1,
      ["Group"],
    );
    yield timeLine(...groups, { what: "the tree of groups", unit: "", runs, wanted: "≤ 2" });
    const contexts = await compared(
      "contexts",
      async () => (await new CalimeroNode(store).contexts()).length + 1,
      ["State", "Delta"],
    );
    yield timeLine(...contexts, { what: "the list of contexts", unit: "", runs, wanted: "≤ 2" });
    const find = await compared(
      "find",
      async () => {
        let rows = 1;
        for await (const _ of new CalimeroNode(store).find("a text that no row has")) rows++;
        return rows;
      },
      store.columns,
    );
    yield timeLine(...find, { what: "finding a text", unit: "", runs, wanted: "≤ 1.5" });
  },
} satisfies Question;
