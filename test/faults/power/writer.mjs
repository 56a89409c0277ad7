// A program whose power fails: `node writer.mjs rocksdb|files|leveldb FOLDER BATCHES SEED`. Writes batch after batch, several at a
// time, some synced, some not; prints the number of a batch when it and all before it must be durable.
import { writeSync } from "node:fs";
import { Random } from "../../differential/random.mjs";
import { batchOf } from "../../engines/files/batches.mjs";
import { engines, operationsFor } from "./engines.mjs";

const [name, folder, batches, seed] = process.argv.slice(2);
const random = new Random(Number(seed));
const chance = (share) => random.word() / 2 ** 32 < share;
const acknowledge = (number) => writeSync(1, `${number}\n`);

let engine = await engines[name].create(folder);
acknowledge(0);
let waiting = [];
for (let number = 1; number <= Number(batches); number++) {
  const sync = chance(0.5);
  const written = engine.write(operationsFor(name, batchOf(number)), { sync });
  waiting.push(sync ? written.then(() => acknowledge(number)) : written);
  if (waiting.length < 8 && chance(0.7)) continue;
  await Promise.all(waiting);
  waiting = [];
  if (chance(0.1)) {
    await engine.flush();
    acknowledge(number);
  } else if (chance(0.08)) {
    await engine.close();
    acknowledge(number);
    engine = await engines[name].open(folder);
  }
}
await Promise.all(waiting);
await engine.close();
acknowledge(batches);
