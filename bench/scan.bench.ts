import { interleave, type Measured } from "./measure.js";
import { type Question, rateLine } from "./question.js";
import { openRaw } from "./raw.js";
import { fastestRawScan } from "./raw-scan.js";
import { passesOver, repeat, scanned, scans } from "./typed-scan.js";

export default {
  name: "scan",
  asks: "How fast is store.scan(…).chunks() over all rows of Delta, and of State, touching a field of each value?",
  against: "the binding's iterator with capacity 1024, drained in the fastest of three ways",
  wanted: "≥ 3",
  async *answer({ options, database }) {
    const { path, rows, open } = await database();
    const passes = passesOver(rows);
    await using store = await open();
    const raw = await openRaw(path, "read");
    for (const column of scanned) {
      const plain = await fastestRawScan(raw, column);
      const sides = [
        { name: "typed", run: () => repeat(passes, () => scans[column](store)) },
        { name: `raw binding (${plain.way})`, run: () => repeat(passes, plain.run) },
      ];
      const runs = options.runs;
      const [typed, binding] = (await interleave(sides, { runs, warmUps: 2 })) as [Measured, Measured];
      yield rateLine(typed, binding, {
        what: `typed scan of ${column}`,
        unit: "rows",
        runs,
        wanted: "≥ 3",
      });
    }
    await raw.close();
  },
} satisfies Question;
