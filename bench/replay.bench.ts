import { spawnSync } from "node:child_process";
import { mkdir, rm, stat } from "node:fs/promises";
import { loadavg } from "node:os";
import { core011, openStore } from "../src/index.js";
import { DATA } from "./kept-database.js";
import { median } from "./measure.js";
import type { Question } from "./question.js";
import { Random } from "./random.js";
import { compactAsNode } from "./raw.js";
import { makeReplayed } from "./replayed-context.js";
import { fillHistory } from "./rows/history.js";

/** Changes whenever other rows come out of the same seed. */
const SHAPE = 1;
const SEED = 20_261_122;
const OPERATIONS = 100_000;
const BATCH = 1000;

export default {
  name: "replay",
  asks: "How fast are 100,000 operations of a namespace replayed, decryption included, and how fast are all rows compared with them; what memory does it take? How fast are 200,000 deltas of a context replayed, and any position after it; what memory does it take, and how long is the event loop held?",
  against: "nothing",
  wanted: "≥ 20,000 operations/s, ≤ 150 MB; ≥ 50,000 deltas/s, ≤ 1 s, ≤ 300 MB, ≤ 10 ms",
  async *answer({ options }) {
    yield await replayOfContext();
    const path = await makeHistory();
    const runs = Math.min(options.runs, 5);
    const tasks = {
      replay: "replay of 100,000 operations",
      facts: "replay, and all rows compared with it",
    } as const;
    for (const [task, what] of Object.entries(tasks)) {
      const results = Array.from({ length: runs }, () => run(task, path));
      const rate = (of: (one: Run) => number): string =>
        `${Math.round((OPERATIONS / median(results.map(of))) * 1000)}`;
      const memory = median(results.map(({ peak, before }) => peak - before)) / 2 ** 20;
      yield `${what}: ${rate(({ cpu }) => cpu)} operations/s of CPU, ${rate(({ time }) => time)} operations/s by the clock, wanted ≥ 20000; ${memory.toFixed(0)} MB beyond the open store, wanted ≤ 150 MB; medians of ${runs} runs, load ${(loadavg()[0] as number).toFixed(1)}`;
    }
  },
} satisfies Question;

const DELTAS = 200_000;

async function replayOfContext(): Promise<string> {
  const program = new URL("replay-context-once.js", import.meta.url).pathname;
  const path = await makeReplayed(DELTAS, console.log);
  const { stdout, stderr } = spawnSync(process.execPath, [program, "state", path], { encoding: "utf8" });
  if (stdout === "") throw new Error(stderr);
  const { read, cpu, moves, before, peak, longest, collection } = JSON.parse(stdout) as {
    readonly [name: string]: number;
  } & {
    readonly moves: readonly number[];
  };
  const rate = (ms = 1): string => `${Math.round((DELTAS / ms) * 1000)} deltas/s of CPU`;
  const all = Number(cpu) - Number(read);
  return `replay of ${DELTAS} deltas: ${rate(all)}, wanted ≥ 50000, reading them ${rate(read)}; then any position within ${Math.max(...moves)} ms of CPU, wanted ≤ 1000; ${(Number(peak) - Number(before)).toFixed(0)} MB beyond the open store, wanted ≤ 300; the longest turn of the event loop took ${longest} ms of CPU beside collections of garbage, wanted ≤ 10, and the longest of these ${collection} ms`;
}

interface Run {
  readonly time: number;
  readonly cpu: number;
  readonly before: number;
  readonly peak: number;
}

function run(task: string, path: string): Run {
  const program = new URL("replay-memory.js", import.meta.url).pathname;
  const { stdout, stderr } = spawnSync(process.execPath, [program, task, path], { encoding: "utf8" });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as Run;
}

/** The database of the history: made once. */
async function makeHistory(): Promise<string> {
  const folder = `${DATA}/core-0.11-history-${OPERATIONS}-seed-${SEED}-shape-${SHAPE}`;
  const path = `${folder}/db`;
  const done = `${folder}/made`; // written last: a folder without it was interrupted
  if ((await stat(done).catch(() => undefined)) !== undefined) return path;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  {
    await using store = await openStore(path, { create: true, schema: core011 });
    const rows: (readonly [key: never, value: never])[] = [];
    fillHistory((key, value) => void rows.push([key as never, value as never]), new Random(SEED), OPERATIONS);
    for (let at = 0; at < rows.length; at += BATCH) {
      const batch = store.batch();
      for (const [key, value] of rows.slice(at, at + BATCH)) batch.put(key, value);
      await batch.write();
    }
    await store.flush();
  }
  await compactAsNode(path, core011.columns);
  await mkdir(done);
  return path;
}
