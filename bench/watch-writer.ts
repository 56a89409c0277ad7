/**
 * A process of its own that writes rows at a rate: `node watch-writer.js DIR ROWS_PER_SECOND SECONDS`. The value of each
 * begins with the time at which it was written, in milliseconds since 1970. It prints how many it wrote.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { openRocksEngine } from "../src/engines/index.js";
import { Random } from "./random.js";

const SEED = 20_261_122;
/** Rows of a batch, where there are many. */
const BATCH = 100;
const STEP_MS = 10;

const [path = "", rate, seconds] = process.argv.slice(2);
await using engine = await openRocksEngine(path, { writable: true });
const random = new Random(SEED);
const begin = performance.now();
let written = 0;
for (;;) {
  const elapsed = performance.now() - begin;
  const due = Math.floor((Math.min(elapsed, 1000 * Number(seconds)) * Number(rate)) / 1000);
  while (written < due) {
    const count = Math.min(BATCH, due - written);
    await engine.write(Array.from({ length: count }, put));
    written += count;
  }
  if (elapsed > 1000 * Number(seconds)) break;
  await sleep(STEP_MS);
}
console.log(written);

function put() {
  const value = random.bytes(100 + random.below(51));
  new DataView(value.buffer, value.byteOffset).setFloat64(0, performance.timeOrigin + performance.now());
  return { type: "put" as const, column: "State", key: random.bytes(64), value };
}
