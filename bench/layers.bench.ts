import { interleave, keep, type Measured } from "./measure.js";
import { type Question, rateLine } from "./question.js";
import { openRaw } from "./raw.js";
import { fastestRawScan } from "./raw-scan.js";
import { passesOver, repeat, scanned, scans } from "./typed-scan.js";

export default {
  name: "layers",
  asks: "Where does a scan spend its time: typed rows against the engine's chunks of bytes, and those against the binding?",
  against: "each other",
  async *answer({ options, database }) {
    const { path, rows, open } = await database();
    const passes = passesOver(rows);
    await using store = await open();
    const raw = await openRaw(path, "read");
    for (const column of scanned) {
      const plain = await fastestRawScan(raw, column);
      const engine = async (): Promise<number> => {
        let count = 0;
        for await (const chunk of store.raw.scan(column).chunks()) {
          for (const { key, value } of chunk) keep((key[40] ?? 0) + (value[0] ?? 0));
          count += chunk.length;
        }
        return count;
      };
      const sides = [
        { name: "typed", run: () => repeat(passes, () => scans[column](store)) },
        { name: "engine", run: () => repeat(passes, engine) },
        { name: `raw binding (${plain.way})`, run: () => repeat(passes, plain.run) },
      ];
      const runs = options.runs;
      const plan = { runs, warmUps: 2 };
      const [typed, chunks, binding] = (await interleave(sides, plan)) as [Measured, Measured, Measured];
      yield rateLine(chunks, binding, { what: `engine scan of ${column}`, unit: "rows", runs });
      yield rateLine(typed, chunks, { what: `typed scan of ${column}`, unit: "rows", runs });
    }
    await raw.close();
  },
} satisfies Question;
