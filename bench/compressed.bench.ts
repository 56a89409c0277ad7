/**
 * Question: how fast is a scan of a database with a node's options of core-1.0, whose tables are compressed with LZ4 and
 * Zstandard, compared with RocksDB's own iterator? Both by the CPU time that they take.
 */
import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { type Engine, openFilesEngine } from "../src/engines/index.js";
import { DATA } from "./kept-database.js";
import { type Measured, median } from "./measure.js";
import { type Question, rateLine } from "./question.js";

/** The programs in Python, which also write the databases of `npm run test:foreign`. */
const PROGRAMS = "test/foreign";
const PYTHON = process.env.PYTHON ?? "python3";

export default {
  name: "compressed",
  asks: "How fast is a scan of tables that are compressed with LZ4 and Zstandard, with a node's options of core-1.0?",
  against:
    "RocksDB's own iterator, driven from Python (PYTHON with rocksdict, as for npm run test:foreign), both by CPU time",
  wanted: "≥ 0.8",
  async *answer({ options, database }) {
    if (python("-c", "import rocksdict").status !== 0) {
      yield "scan of compressed tables: not measured, PYTHON names no Python with the package rocksdict";
      return;
    }
    const { path, rows } = await database();
    const compressed = `${DATA}/compressed-${rows}-rows`;
    if (!existsSync(compressed)) await compress(path, compressed);
    await using engine = await openFilesEngine(compressed);
    const here: number[] = [];
    const rocks: number[] = [];
    for (let run = 0; run < options.runs + 2; run++) {
      const start = process.cpuUsage();
      const count = await scan(engine);
      const { user, system } = process.cpuUsage(start);
      const { stdout } = python(`${PROGRAMS}/scan.py`, compressed, "2");
      const last = JSON.parse(stdout.trimEnd().split("\n").at(-1) as string) as {
        rows: number;
        seconds: number;
      };
      if (last.rows !== count) throw new Error(`RocksDB reads ${last.rows} rows, and merostore ${count}`);
      if (run < 2) continue; // warming up
      here.push((count * 1e6) / (user + system));
      rocks.push(last.rows / last.seconds);
    }
    const side = (name: string, rates: number[]): Measured => ({ name, rate: median(rates), time: 0 });
    yield rateLine(side("files", here), side("RocksDB's iterator", rocks), {
      what: "scan of compressed tables, by CPU",
      unit: "rows",
      runs: options.runs,
      wanted: "≥ 0.8",
    });
  },
} satisfies Question;

async function scan(engine: Engine): Promise<number> {
  let count = 0;
  for (const column of engine.columns)
    for await (const rows of engine.scan(column).chunks()) count += rows.length;
  return count;
}

/** Writes the rows of a database into another one with a node's options. */
async function compress(from: string, to: string): Promise<void> {
  const rows = `${to}.rows`;
  const file = await open(rows, "w");
  await using engine = await openFilesEngine(from);
  for (const column of engine.columns.filter((name) => name !== "default")) {
    const chunks: Uint8Array[] = [];
    let count = 0;
    for await (const { key, value } of engine.scan(column)) {
      chunks.push(numbers(key.length, value.length), Uint8Array.from(key), Uint8Array.from(value));
      count++;
    }
    const name = Buffer.from(column);
    await file.write(Buffer.concat([numbers(name.length), name, numbers(count), ...chunks]));
  }
  await file.close();
  const { status, stderr } = python(`${PROGRAMS}/node_database.py`, rows, to);
  rmSync(rows);
  if (status !== 0) throw new Error(`node_database.py failed: ${stderr}`);
}

function numbers(...values: readonly number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(values).buffer);
}

function python(...words: readonly string[]) {
  return spawnSync(PYTHON, words, {
    encoding: "utf8",
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" },
  });
}
