import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { cp } from "node:fs/promises";
import { openFilesEngine } from "../src/engines/index.js";
import { DATA } from "./kept-database.js";
import { interleave, type Measured } from "./measure.js";
import { makePlainDatabase, scan } from "./plain-database.js";
import { type Question, timeLine } from "./question.js";

const COPY = `${DATA}/without-manifest`;

export default {
  name: "recover",
  asks: "How long does a recovery take, its process included, and how much memory?",
  against: "a scan of the same rows by the engine files",
  wanted: "≤ 3 times",
  async *answer({ options }) {
    const path = await makePlainDatabase(options.rows, (sentence) => console.log(sentence));
    rmSync(COPY, { recursive: true, force: true });
    await cp(path, COPY, { recursive: true, filter: (file) => !/MANIFEST|CURRENT/.test(file) });
    const peaks: number[] = [];
    const sides = [
      { name: "recover", run: () => recover(path, peaks) },
      { name: "recover without MANIFEST", run: () => recover(COPY, peaks) },
      {
        name: "scan",
        run: async () => {
          await using engine = await openFilesEngine(path);
          return await scan(engine);
        },
      },
    ];
    const plan = { runs: options.runs, warmUps: 1 };
    const [whole, unguided, scanned] = (await interleave(sides, plan)) as [Measured, Measured, Measured];
    const wording = { unit: "", runs: options.runs, wanted: "≤ 3.00" };
    yield timeLine(whole, scanned, { ...wording, what: `recover ${options.rows} rows` });
    yield timeLine(unguided, scanned, { ...wording, what: `recover ${options.rows} rows without MANIFEST` });
    yield `memory of a process that recovers: ${(Math.max(...peaks) / 1e6).toFixed(0)} MB`;
    rmSync(COPY, { recursive: true });
  },
} satisfies Question;

/** In a process of its own, whose start counts. */
function recover(path: string, peaks: number[]): number {
  const target = `${DATA}/recovered`;
  const program = new URL("recover-once.js", import.meta.url).pathname;
  const { stdout } = spawnSync(process.execPath, [program, path, target], { encoding: "utf8" });
  rmSync(target, { recursive: true });
  const { rows, peak } = JSON.parse(stdout) as { rows: number; peak: number };
  peaks.push(peak);
  return rows;
}
