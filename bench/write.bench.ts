import { mkdir, rm } from "node:fs/promises";
import { Payload } from "../src/codec/index.js";
import { core010, openStore, type Store } from "../src/index.js";
import { SignedGroupOp010 } from "../src/payloads/index.js";
import type { Core010 } from "../src/schemas/index.js";
import { DATA } from "./kept-database.js";
import { interleave, type Measured } from "./measure.js";
import { type Question, rateLine } from "./question.js";
import { Random } from "./random.js";
import { openRaw, type RawSession } from "./raw.js";
import { encodeRows, makeRows, type PlainRow, type TypedRows } from "./write-rows.js";

/** Writes are short: this many times the runs of a scan. */
const MORE = 3;
/** Batches in one run. */
const BATCHES = 5;
/** Different batches, used in turn: later ones overwrite earlier ones. */
const DIFFERENT = 25;
const FOLDER = `${DATA}/written`;

export default {
  name: "write",
  asks: "How fast is a batch of 1000 typed rows (600 State, 270 Delta, 130 Group), values encoded in the timed part?",
  against: "the same bytes in one write batch",
  wanted: "≥ 0.80",
  async *answer({ options }) {
    const runs = MORE * options.runs;
    const random = new Random(3);
    const batches = Array.from({ length: DIFFERENT }, () => makeRows(random));
    const encoded = batches.map(encodeRows);

    await rm(FOLDER, { recursive: true, force: true });
    await mkdir(FOLDER, { recursive: true });
    await using store = await openStore(`${FOLDER}/typed`, { create: true, schema: core010 });
    const raw = await openRaw(`${FOLDER}/raw`, "create");
    const writer = raw.session({});
    const sessions = core010.columns.map((name) => [name, raw.session({ columnFamily: name })] as const);
    const families = new Map(sessions.map(([name, session]) => [name, session._columnFamily]));

    const sides = [
      { name: "typed", run: (round: number) => inTurn(batches, round, (rows) => writeTyped(store, rows)) },
      {
        name: "raw batch",
        run: (round: number) => inTurn(encoded, round, (rows) => writeRaw(writer, families, rows)),
      },
    ];
    const [typed, binding] = (await interleave(sides, { runs, warmUps: 2 * MORE })) as [Measured, Measured];
    const what = `batch of ${encoded[0]?.length} typed rows, encoded and written`;
    yield rateLine(typed, binding, { what, unit: "rows", runs, wanted: "≥ 0.80" });

    await raw.close();
    await store.close();
    await rm(FOLDER, { recursive: true, force: true });
  },
} satisfies Question;

async function inTurn<T>(
  batches: readonly T[],
  round: number,
  write: (rows: T) => Promise<number>,
): Promise<number> {
  let rows = 0;
  for (let count = 0; count < BATCHES; count++) {
    rows += await write(batches[(round * BATCHES + count) % DIFFERENT] as T);
  }
  return rows;
}

/** Writes rows through a store, as one batch. */
export async function writeTyped(store: Store<Core010>, rows: TypedRows): Promise<number> {
  const batch = store.batch();
  for (const { key, value } of rows.deltas) batch.put(key, value);
  for (const { key, value } of rows.states) batch.put(key, value);
  for (const { key, value } of rows.operations) batch.put(key, new Payload(SignedGroupOp010, value));
  for (const { key, value } of rows.members) batch.put(key, value);
  for (const { key, value } of rows.groups) batch.put(key, value);
  await batch.write();
  return batch.length;
}

/** Writes rows that are encoded already, as one batch of the binding. */
export async function writeRaw(
  writer: RawSession,
  families: ReadonlyMap<string, object>,
  rows: readonly PlainRow[],
): Promise<number> {
  const batch = writer.write({ capacity: rows.length, autoDestroy: true });
  for (const { column, key, value } of rows) {
    writer._columnFamily = families.get(column) as object;
    batch.tryPut(key, value);
  }
  await batch.flush();
  return rows.length;
}
