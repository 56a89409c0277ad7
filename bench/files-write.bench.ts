import { mkdir, rm } from "node:fs/promises";
import { ClassicLevel } from "classic-level";
import {
  createDatabase,
  type Engine,
  openEngine,
  openRocksEngine,
  type RawRow,
} from "../src/engines/index.js";
import { core010, openStore } from "../src/index.js";
import { loadRows } from "../src/transfer/load-rows.js";
import { DATA } from "./kept-database.js";
import { interleave, type Measured, type Side } from "./measure.js";
import { type Question, rateLine } from "./question.js";
import { Random } from "./random.js";
import { openRaw } from "./raw.js";
import { writeRaw, writeTyped } from "./write.bench.js";
import { encodeRows, makeRows } from "./write-rows.js";

const FOLDER = `${DATA}/written-files`;
/** Batches of one run. */
const BATCHES = 5;
/** Different batches of typed rows, used in turn: later ones overwrite earlier ones. */
const DIFFERENT = 25;
/** Synced puts of one run. */
const PUTS = 200;
/** Rows of a database that is created. */
const ROWS = 300_000;

export default {
  name: "files-write",
  asks: "How fast does the engine files write batches of 1000 typed rows, synced puts one after another, and a database of 300,000 rows?",
  against: "the engine rocksdb, the binding, classic-level",
  wanted: "≥ 0.80; ≥ 0.9; ≥ 3",
  async *answer({ options: { runs } }) {
    await rm(FOLDER, { recursive: true, force: true });
    await mkdir(FOLDER, { recursive: true });
    yield* ofBatches(3 * runs);
    yield* ofSyncedPuts(3 * runs);
    yield* ofCreation(Math.min(runs, 3));
    await rm(FOLDER, { recursive: true, force: true });
  },
} satisfies Question;

async function* ofBatches(runs: number): AsyncGenerator<string> {
  const random = new Random(3);
  const batches = Array.from({ length: DIFFERENT }, () => makeRows(random));
  const encoded = batches.map(encodeRows);
  const open = (engine: "files" | "rocksdb") =>
    openStore(`${FOLDER}/typed-${engine}`, { create: true, schema: core010, engine });
  await using files = await open("files");
  await using rocks = await open("rocksdb");
  const raw = await openRaw(`${FOLDER}/raw`, "create");
  const writer = raw.session({});
  const sessions = core010.columns.map((name) => [name, raw.session({ columnFamily: name })] as const);
  const families = new Map(sessions.map(([name, session]) => [name, session._columnFamily]));
  const inTurn = async (round: number, write: (at: number) => Promise<number>): Promise<number> => {
    let rows = 0;
    for (let count = 0; count < BATCHES; count++) rows += await write((round * BATCHES + count) % DIFFERENT);
    return rows;
  };
  const typed = (store: typeof files) => (round: number) =>
    inTurn(round, (at) => writeTyped(store, batches[at] as (typeof batches)[0]));
  const sides: Side[] = [
    { name: "files", run: typed(files) },
    { name: "engine rocksdb", run: typed(rocks) },
    {
      name: "raw batch",
      run: (round) => inTurn(round, (at) => writeRaw(writer, families, encoded[at] as (typeof encoded)[0])),
    },
  ];
  const [ours, theirs, binding] = (await interleave(sides, { runs, warmUps: 6 })) as [
    Measured,
    Measured,
    Measured,
  ];
  const words = { unit: "rows", runs };
  yield rateLine(ours, theirs, { ...words, what: "batch of 1000 typed rows by the engine files" });
  yield rateLine(ours, binding, {
    ...words,
    what: "batch of 1000 typed rows by the engine files",
    wanted: "≥ 0.80",
  });
  await raw.close();
}

async function* ofSyncedPuts(runs: number): AsyncGenerator<string> {
  const create = { create: true, columns: [] };
  await using files = await openEngine(`${FOLDER}/puts-files`, { ...create, engine: "files" });
  await using rocks = await openRocksEngine(`${FOLDER}/puts-rocksdb`, create);
  const level = new ClassicLevel<Uint8Array, Uint8Array>(`${FOLDER}/puts-level`, {
    keyEncoding: "view",
    valueEncoding: "view",
  });
  await level.open();
  const put = (key: Uint8Array, value: Uint8Array) => ({ type: "put" as const, key, value });
  const into =
    (engine: Engine) =>
    (key: Uint8Array, value: Uint8Array): Promise<void> =>
      engine.write([{ ...put(key, value), column: "default" }], { sync: true });
  const run = (write: (key: Uint8Array, value: Uint8Array) => Promise<void>) => async (round: number) => {
    const value = new Uint8Array(200).fill(round);
    for (let at = 0; at < PUTS; at++) {
      const key = new Uint8Array(8);
      new DataView(key.buffer).setUint32(0, at);
      await write(key, value);
    }
    return PUTS;
  };
  const sides: Side[] = [
    { name: "files", run: run(into(files)) },
    { name: "engine rocksdb", run: run(into(rocks)) },
    { name: "classic-level", run: run((key, value) => level.batch([put(key, value)], { sync: true })) },
  ];
  const [ours, theirs, other] = (await interleave(sides, { runs, warmUps: 2 })) as [
    Measured,
    Measured,
    Measured,
  ];
  const words = { unit: "puts", runs, what: "synced puts by the engine files, one after another" };
  yield rateLine(ours, theirs, words);
  yield rateLine(ours, other, { ...words, wanted: "≥ 0.9" });
  await level.close();
}

async function* ofCreation(runs: number): AsyncGenerator<string> {
  const random = new Random(5);
  const rows = Array.from({ length: ROWS }, (_, at): RawRow => {
    const key = random.bytes(64);
    new DataView(key.buffer, key.byteOffset).setUint32(0, at);
    return { key, value: random.bytes(100 + (at % 50)) };
  });
  const pieces = async function* (): AsyncGenerator<readonly (RawRow & { readonly column: string })[]> {
    for (let at = 0; at < ROWS; at += 1000)
      yield rows.slice(at, at + 1000).map(({ key, value }) => ({ column: "default", key, value }));
  };
  const create = (newEngine: "files" | "rocksdb") => async (round: number) => {
    const path = `${FOLDER}/created-${newEngine}-${round}`;
    await createDatabase(path, { columns: [], newEngine, purpose: "copying" }, (engine) =>
      loadRows(engine, pieces()),
    );
    await rm(path, { recursive: true });
    return ROWS;
  };
  const sides: Side[] = [
    { name: "files", run: create("files") },
    { name: "rocksdb-native", run: create("rocksdb") },
  ];
  const [ours, theirs] = (await interleave(sides, { runs, warmUps: 1 })) as [Measured, Measured];
  yield rateLine(ours, theirs, {
    what: `creation of ${ROWS} rows by the engine files`,
    unit: "rows",
    runs,
    wanted: "≥ 3",
  });
}
