import { spawnSync } from "node:child_process";
import { type LogDatabase, makeLogDatabase } from "./log-database.js";
import { type Measured, median } from "./measure.js";
import type { Options } from "./options.js";
import { type Question, timeLine } from "./question.js";

interface Opening {
  readonly time: number;
  readonly peak: number;
}

export default {
  name: "log",
  asks: "How long does a database take to open if all its rows are in the write-ahead log, and how much memory does it take?",
  against: "the binding, each in a process of its own",
  wanted: "≤ 1.50 times; ≤ the log + 150 MB",
  async *answer({ options, database }) {
    for (const order of ["none", "contexts"] as const)
      yield* openLog(await makeLogDatabase(await database(), order, (line) => console.log(line)), options);
  },
} satisfies Question;

async function* openLog({ path, rows, bytes, order }: LogDatabase, options: Options): AsyncGenerator<string> {
  const openings: Readonly<Record<"files" | "raw", Opening[]>> = { files: [], raw: [] };
  for (let run = 0; run < options.runs; run++) {
    for (const side of ["files", "raw"] as const) openings[side].push(open(side, path));
  }
  const side = (name: string, of: readonly Opening[]): Measured => ({
    name,
    rate: 0,
    time: median(of.map(({ time }) => time)),
  });
  yield timeLine(side("files", openings.files), side("raw binding", openings.raw), {
    what: `open a log of ${megabytes(bytes)} with ${rows} rows, ${order === "none" ? "in no order" : "each context in order"}`,
    unit: "",
    runs: options.runs,
    wanted: "≤ 1.50",
  });
  const peak = (of: readonly Opening[]) => megabytes(median(of.map(({ peak }) => peak)));
  yield `memory of a process that opens it: ${peak(openings.files)}, raw binding ${peak(openings.raw)}, wanted ≤ ${megabytes(bytes)} + 150 MB`;
}

/** In a process of its own, so that memory is that of one opening. */
function open(side: "files" | "raw", path: string): Opening {
  const program = new URL("open-log.js", import.meta.url).pathname;
  const { stdout } = spawnSync(process.execPath, [program, side, path], { encoding: "utf8" });
  return JSON.parse(stdout) as Opening;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
