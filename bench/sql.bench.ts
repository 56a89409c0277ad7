import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "../src/index.js";
import type { Progress } from "../src/progress.js";
import type { Core010 } from "../src/schemas/index.js";
import { exportParquet } from "../src/sql/index.js";
import { exportStore } from "../src/transfer/index.js";
import { interleave, keep, type Measured } from "./measure.js";
import { peakMemory, type Question, rateLine } from "./question.js";

export default {
  name: "sql",
  asks: "How fast is an export to Parquet, and what memory does it take?",
  against: "the export to text in the same run",
  wanted: "≥ 0.5, ≤ 300 MB beyond Node's own",
  async *answer({ options, database }) {
    const { path, open } = await database();
    await using store = await open();
    const runs = Math.min(options.runs, 3);
    const sides = [
      { name: "Parquet", run: () => toParquet(store) },
      { name: "NDJSON", run: () => toText(store) },
    ];
    const [parquet, text] = (await interleave(sides, { runs, warmUps: 0 })) as [Measured, Measured];
    yield rateLine(parquet, text, { unit: "rows", runs, what: "export to Parquet", wanted: "≥ 0.5" });
    yield `export to Parquet: ${peakMemory("parquet", path).toFixed(0)} MB of memory at most`;
  },
} satisfies Question;

async function toParquet(store: Store<Core010>): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "merostore-bench-"));
  try {
    const { rows } = await exportParquet(store, join(folder, "parquet"), { revealSecrets: true });
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function toText(store: Store<Core010>): Promise<number> {
  let rows = 0;
  const onProgress = ({ done }: Progress): void => {
    rows = done;
  };
  for await (const piece of exportStore(store, { revealSecrets: true, onProgress })) keep(piece.length);
  return rows;
}
