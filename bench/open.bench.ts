import { openStore } from "../src/index.js";
import { interleave, type Measured } from "./measure.js";
import { type Question, timeLine } from "./question.js";
import { openRaw } from "./raw.js";

/** Opening is short, so it runs this many times as often as a scan. */
const MORE = 3;

export default {
  name: "open",
  asks: "How long do opening and closing take, read-only, and how long if the revision must be found out?",
  against: "the binding's open and close, all column families named",
  wanted: "≤ 1.50 times",
  async *answer({ options, database }) {
    const { path, open } = await database();
    const runs = MORE * options.runs;
    const sides = [
      {
        name: "store",
        run: async () => {
          const store = await open();
          await store.close();
          return 1;
        },
      },
      {
        name: "store that detects the revision",
        run: async () => {
          const store = await openStore(path);
          await store.close();
          return 1;
        },
      },
      {
        name: "raw binding",
        run: async () => {
          const raw = await openRaw(path, "read");
          await raw.close();
          return 1;
        },
      },
    ];
    const measured = await interleave(sides, { runs, warmUps: MORE });
    const [named, detected, binding] = measured as [Measured, Measured, Measured];
    const what = "open and close, read-only";
    yield timeLine(named, binding, { what, unit: "", runs, wanted: "≤ 1.50" });
    yield timeLine(detected, binding, { what: `${what}, detecting the revision`, unit: "", runs });
  },
} satisfies Question;
