import { diffRows, rowsOfStore } from "../src/diff/index.js";
import type { Store } from "../src/index.js";
import type { Progress } from "../src/progress.js";
import type { Core010 } from "../src/schemas/index.js";
import { exportStore } from "../src/transfer/index.js";
import { interleave, keep, type Measured } from "./measure.js";
import { peakMemory, type Question, rateLine } from "./question.js";
import { openRaw } from "./raw.js";
import { scanAll } from "./raw-scan.js";

export default {
  name: "transfer",
  asks: "How fast are export and diff, and what memory does an export take?",
  against: "the binding's scan of all rows",
  wanted: "≥ 0.4",
  async *answer({ options, database }) {
    const { path, open } = await database();
    await using store = await open();
    await using other = await open();
    const raw = await openRaw(path, "read");
    const runs = Math.min(options.runs, 3);
    const sides = [
      { name: "export", run: () => exported(store) },
      { name: "diff", run: () => compared(store, other) },
      { name: "raw binding, all rows", run: () => scanAll(raw) },
    ];
    const plan = { runs, warmUps: 1 };
    const [text, same, binding] = (await interleave(sides, plan)) as [Measured, Measured, Measured];
    const words = { unit: "rows", runs };
    yield rateLine(text, binding, { ...words, what: "export with secrets", wanted: "≥ 0.4" });
    yield rateLine(same, binding, {
      ...words,
      what: "diff of equal databases, rows of both",
      wanted: "≥ 0.4",
    });
    yield `export: ${peakMemory("export", path).toFixed(0)} MB of memory at most, wanted ≤ 250 MB`;
    await raw.close();
  },
} satisfies Question;

async function exported(store: Store<Core010>): Promise<number> {
  let rows = 0;
  const onProgress = ({ done }: Progress): void => {
    rows = done;
  };
  for await (const piece of exportStore(store, { revealSecrets: true, onProgress })) keep(piece.length);
  return rows;
}

async function compared(a: Store<Core010>, b: Store<Core010>): Promise<number> {
  const rows = diffRows(rowsOfStore(a), rowsOfStore(b));
  let next = await rows.next();
  while (next.done !== true) next = await rows.next();
  return next.value.a + next.value.b;
}
