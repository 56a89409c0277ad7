// A writer that hardly rests, for tests that read beside it: `node writer.mjs DIR`. After each batch it prints its number.
//
// Batch n puts the row n mod KEYS into both families, with n and a length that follows from n; deletes the row half
// the circle away from both; and sets the row "count" of the first to n. Small write buffers make many files; now and
// then it flushes or compacts. It ends when its input does.
//
// After a flush it waits, longer the more it has written: the MANIFEST grows with each flush, and a reader must be able to
// read it whole before the next one.
import RocksDB from "rocksdb-native";
import { batchOf, FAMILIES } from "./batches.mjs";

const LEAST_PAUSE_MS = 10;
const BATCHES_PER_MS = 500;

const [path] = process.argv.slice(2);
const tuned = (name) => new RocksDB.ColumnFamily(name, { writeBufferSize: 64 * 1024, tableBlockSize: 1024 });
const database = new RocksDB(path, { columnFamily: tuned("default"), columnFamilies: FAMILIES.map(tuned) });
await database.ready();
const sessions = new Map(FAMILIES.map((name) => [name, database.session({ columnFamily: name })]));
const writer = database.session({});

let running = true;
process.stdin.on("end", () => {
  running = false;
});
process.stdin.resume();

for (let number = 1; running; number++) {
  const operations = batchOf(number);
  const batch = writer.write({ capacity: operations.length, autoDestroy: true });
  for (const { column, key, value } of operations) {
    writer._columnFamily = sessions.get(column)._columnFamily;
    if (value === undefined) batch.tryDelete(key);
    else batch.tryPut(key, value);
  }
  await batch.flush();
  process.stdout.write(`${number}\n`);
  if (number % 97 === 0) {
    await sessions.get(FAMILIES[number % 2]).flush();
    await new Promise((resolve) => setTimeout(resolve, LEAST_PAUSE_MS + number / BATCHES_PER_MS));
  }
  if (number % 331 === 0) await sessions.get(FAMILIES[number % 2]).compactRange(null, null);
}
await writer.close();
for (const session of sessions.values()) await session.close();
await database.close();
