/**
 * Question 9: how fast is the engine that reads RocksDB's files, compared with RocksDB itself: driven by the native
 * binding, and driven from Rust?
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Engine, openFilesEngine } from "../src/engines/index.js";
import { interleave, keep, type Measured, median } from "./measure.js";
import { COLUMN, makePlainDatabase, scan } from "./plain-database.js";
import { type Question, rateLine, timeLine } from "./question.js";
import { Random } from "./random.js";
import { openRaw, type RawDatabase } from "./raw.js";
import { fastestRawScan } from "./raw-scan.js";
import { RUST_PROGRAMS } from "./rust-programs.js";

const KEYS = 1000;
/** Calls of getMany in one run, and different draws of keys, used in turn. */
const CALLS = 10;
const DRAWS = 50;

const RUST_SCAN = join(RUST_PROGRAMS, "scan");

export default {
  name: "files",
  asks: "How fast is the engine that reads RocksDB's files: scans, getMany, opening, memory?",
  against: "the binding; RocksDB's iterator driven from Rust (cargo build --release in fixtures/rust)",
  wanted: "≥ 5, ≥ 0.9, ≥ 1",
  async *answer({ options }) {
    const path = await makePlainDatabase(options.rows, (sentence) => console.log(sentence));
    const runs = options.runs;
    const raw = await openRaw(path, "read", [COLUMN]);
    await using verified = await openFilesEngine(path);
    await using unverified = await openFilesEngine(path, { checksums: false });
    const plain = await fastestRawScan(raw, COLUMN);
    const sides = [
      { name: "verified", run: () => scan(verified) },
      { name: "unverified", run: () => scan(unverified) },
      { name: `raw binding (${plain.way})`, run: plain.run },
    ];
    const plan = { runs, warmUps: 3 };
    const [checked, unchecked, binding] = (await interleave(sides, plan)) as [Measured, Measured, Measured];
    const words = { unit: "rows", runs };
    yield rateLine(checked, binding, { ...words, what: "files scan, checksums verified", wanted: "≥ 5" });
    yield rateLine(unchecked, binding, { ...words, what: "files scan, checksums: false", wanted: "≥ 6" });
    yield* againstRust(path, verified, runs);
    yield* getMany(verified, raw, runs);
    yield* openings(path, 3 * runs);
    yield memory(path);
    await raw.close();
  },
} satisfies Question;

/** By turns with a program of its own: its time is that of the iteration alone. */
async function* againstRust(path: string, engine: Engine, runs: number): AsyncGenerator<string> {
  if (!existsSync(RUST_SCAN)) {
    yield `files scan against RocksDB's iterator driven from Rust: not measured, ${RUST_SCAN} is not built (cargo build --release in fixtures/rust)`;
    return;
  }
  const rates: { readonly here: number[]; readonly rust: number[] } = { here: [], rust: [] };
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    const rows = await scan(engine);
    rates.here.push((1000 * rows) / (performance.now() - start));
    // The second scan of a process: the first one has not all pages mapped.
    const { stdout } = spawnSync(RUST_SCAN, [path, "--column", COLUMN, "--runs", "2"], { encoding: "utf8" });
    const last = JSON.parse(stdout.trimEnd().split("\n").at(-1) as string) as {
      rows: number;
      seconds: number;
    };
    rates.rust.push(last.rows / last.seconds);
  }
  const side = (name: string, of: number[]): Measured => ({ name, rate: median(of), time: 0 });
  yield rateLine(side("files", rates.here), side("RocksDB's iterator driven from Rust", rates.rust), {
    what: "files scan, checksums verified",
    unit: "rows",
    runs,
    wanted: "≥ 0.9",
  });
}

async function* getMany(engine: Engine, raw: RawDatabase, runs: number): AsyncGenerator<string> {
  const all: Uint8Array[] = [];
  for await (const chunk of engine.scan(COLUMN, {}, { keysOnly: true }).chunks()) {
    for (const { key } of chunk) all.push(key);
  }
  const random = new Random(3);
  const draws = Array.from({ length: DRAWS }, () => Array.from({ length: KEYS }, () => random.pick(all)));
  const calls = async (
    round: number,
    read: (keys: readonly Uint8Array[]) => Promise<number>,
  ): Promise<number> => {
    let rows = 0;
    for (let call = 0; call < CALLS; call++) {
      rows += await read(draws[(round * CALLS + call) % DRAWS] as readonly Uint8Array[]);
    }
    return rows;
  };
  const session = raw.session({ columnFamily: COLUMN });
  const readFiles = async (keys: readonly Uint8Array[]) => {
    const values = await engine.getMany(COLUMN, keys);
    for (const value of values) keep(value?.length ?? 0);
    return values.length;
  };
  const readRaw = async (keys: readonly Uint8Array[]) => {
    const batch = session.read({ capacity: keys.length, autoDestroy: true });
    const reading = Promise.all(keys.map((key) => batch.get(key)));
    batch.tryFlush();
    const values = await reading;
    for (const value of values) keep(value === null ? 0 : value.length);
    return values.length;
  };
  const sides = [
    { name: "files", run: (round: number) => calls(round, readFiles) },
    { name: "raw read batch", run: (round: number) => calls(round, readRaw) },
  ];
  const plan = { runs: 3 * runs, warmUps: 6 };
  const [files, binding] = (await interleave(sides, plan)) as [Measured, Measured];
  yield rateLine(files, binding, {
    what: `files getMany of ${KEYS} random keys`,
    unit: "rows",
    runs: 3 * runs,
    wanted: "≥ 1",
  });
  await session.close();
}

async function* openings(path: string, runs: number): AsyncGenerator<string> {
  const sides = [
    { name: "files", run: async () => openAndClose(() => openFilesEngine(path)) },
    { name: "raw binding", run: async () => openAndClose(() => openRaw(path, "read", [COLUMN])) },
  ];
  const [files, binding] = (await interleave(sides, { runs, warmUps: 3 })) as [Measured, Measured];
  yield timeLine(files, binding, { what: "files open and close", unit: "", runs, wanted: "≤ 50 ms" });
}

async function openAndClose(open: () => Promise<{ close(): Promise<void> }>): Promise<number> {
  const opened = await open();
  await opened.close();
  return 1;
}

/** What a process takes at most while it scans everything, above what it has with the database open. */
function memory(path: string): string {
  const program = new URL("files-memory.js", import.meta.url).pathname;
  const { stdout } = spawnSync(process.execPath, [program, path, COLUMN], { encoding: "utf8" });
  const { rows, before, peak } = JSON.parse(stdout) as { rows: number; before: number; peak: number };
  const mb = (bytes: number) => (bytes / 2 ** 20).toFixed(0);
  return `files memory of a full scan of ${rows} rows: ${mb(peak - before)} MB above ${mb(before)} MB, wanted ≤ 64 MB`;
}
