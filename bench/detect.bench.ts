import { detectRevision } from "../src/index.js";
import { interleave, type Measured } from "./measure.js";
import { type Question, timeLine } from "./question.js";

export default {
  name: "detect",
  asks: "How long does finding out the revision of a large database take?",
  against: "a scan of all its rows",
  wanted: "≤ 0.05",
  async *answer({ options, database }) {
    const { open } = await database();
    await using store = await open();
    const runs = Math.min(options.runs, 5);
    const sides = [
      {
        name: "detection",
        run: async () => {
          await detectRevision(store.raw);
          return 1;
        },
      },
      {
        name: "scan of all rows",
        run: async () => {
          let rows = 0;
          for (const column of store.columns) {
            for await (const chunk of store.raw.scan(column).chunks()) rows += chunk.length;
          }
          return rows;
        },
      },
    ];
    const [detection, scan] = (await interleave(sides, { runs, warmUps: 1 })) as [Measured, Measured];
    yield timeLine(detection, scan, { what: "detecting the revision", unit: "", runs, wanted: "≤ 0.05" });
  },
} satisfies Question;
