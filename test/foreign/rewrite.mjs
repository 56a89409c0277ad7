/**
 * Writes into the database that write.py left in a folder, without RocksDB: `rewrite.mjs SEED FOLDER ROUND`. Then
 * `expected.bin` has all rows that RocksDB must read, in the form of read.py. Prints `{ batches, flushes, loads }`, or
 * `{ refused }` with the code of the error.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openFilesEngine } from "../../dist/engines/index.js";
import { isMerostoreError } from "../../dist/errors.js";
import { hash, Random } from "../differential/random.mjs";
import { parseRows } from "./compare.mjs";

const BATCHES = 12;

const [seed, folder, round] = process.argv.slice(2);
const random = new Random(hash(`${seed} writing ${round}`));
/** The rows of each column family, by their keys in hex. */
const model = new Map();
for (const [column, rows] of parseRows(readFileSync(join(folder, "rows.bin"))))
  model.set(column, new Map(rows.map(({ key, value }) => [key.toString("hex"), value])));

function anyKey(column) {
  const keys = [...model.get(column).keys()];
  if (keys.length > 0 && random.chance(0.5)) return Buffer.from(random.pick(keys), "hex");
  return Buffer.from(Array.from({ length: random.below(20) }, () => random.below(256)));
}

function anyOperation() {
  const column = random.pick([...model.keys()]);
  const key = anyKey(column);
  if (random.chance(0.7)) {
    const length = random.chance(0.02) ? 60_000 : random.below(200);
    return { type: "put", column, key, value: Buffer.alloc(length, random.below(256)) };
  }
  if (random.chance(0.8)) return { type: "delete", column, key };
  const [gte, lt] = [key, anyKey(column)].sort(Buffer.compare);
  return { type: "deleteRange", column, gte, lt };
}

/** Rows to be loaded into a column family: in the order of their keys, or in none. */
function anyLoad() {
  const column = random.pick([...model.keys()]);
  const keys = new Map(
    Array.from({ length: random.below(300) }, () => anyKey(column)).map((key) => [key.toString("hex"), key]),
  );
  const rows = [...keys.values()].map((key) => ({
    key,
    value: Buffer.alloc(random.below(200), random.below(256)),
  }));
  if (random.chance(0.7)) rows.sort((a, b) => Buffer.compare(a.key, b.key));
  return { column, rows };
}

async function* piecesOf(rows) {
  for (let at = 0; at < rows.length; at += 50) yield rows.slice(at, at + 50);
}

function apply({ type, column, key, value, gte, lt }) {
  const rows = model.get(column);
  if (type === "put") rows.set(key.toString("hex"), value);
  else if (type === "delete") rows.delete(key.toString("hex"));
  else
    for (const text of rows.keys()) {
      const one = Buffer.from(text, "hex");
      if (Buffer.compare(gte, one) <= 0 && Buffer.compare(one, lt) < 0) rows.delete(text);
    }
}

function number(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function encodedModel() {
  const parts = [];
  for (const [column, rows] of model) {
    const name = Buffer.from(column);
    parts.push(number(name.length), name, number(rows.size));
    const sorted = [...rows].map(([text, value]) => ({ key: Buffer.from(text, "hex"), value }));
    for (const { key, value } of sorted.sort((a, b) => Buffer.compare(a.key, b.key)))
      parts.push(number(key.length), number(value.length), key, value);
  }
  return Buffer.concat(parts);
}

async function write() {
  const engine = await openFilesEngine(join(folder, "db"), { writable: true });
  let flushes = 0;
  let loads = 0;
  for (let batch = 0; batch < BATCHES; batch++) {
    const operations = Array.from({ length: 1 + random.below(40) }, anyOperation);
    await engine.write(operations, { sync: random.chance(0.2) });
    for (const operation of operations) apply(operation);
    if (random.chance(0.15)) {
      const { column, rows } = anyLoad();
      await engine.load(column, piecesOf(rows));
      for (const row of rows) apply({ type: "put", column, ...row });
      loads++;
    }
    if (!random.chance(0.1)) continue;
    await engine.flush();
    flushes++;
  }
  await engine.close();
  writeFileSync(join(folder, "expected.bin"), encodedModel());
  return { batches: BATCHES, flushes, loads };
}

try {
  console.log(JSON.stringify(await write()));
} catch (error) {
  if (!isMerostoreError(error)) throw error;
  console.log(JSON.stringify({ refused: error.code, why: error.message }));
}
