/** A process of its own: replays a context, goes to moments of it, and says what time and memory that took. */
import { core011, openStore } from "../src/index.js";
import { readReplay } from "../src/state/index.js";
import { CONTEXT } from "./replayed-context.js";
import { milliseconds, peak, turnsOf } from "./turns.js";

const [task, path] = process.argv.slice(2) as ["state" | "positions", string];

await using store = await openStore(path, { schema: core011, cacheBytes: 16 * 1024 * 1024 });
const before = peak();
const clock = process.cpuUsage();
const moves: number[] = [];
const used = { deltas: 0, read: 0, cpu: 0 };
const turns = await turnsOf(async () => {
  const replay = await readReplay(store, CONTEXT);
  const { length } = replay;
  const read = process.cpuUsage(clock);
  if (task === "positions") await replay.positions();
  else await replay.moveToFirst();
  const done = process.cpuUsage(clock);
  Object.assign(used, {
    deltas: length,
    read: Math.round(milliseconds(read)),
    cpu: Math.round(milliseconds(done)),
  });
  for (const part of [0.01, 0.99, 0.5, 0.25, 0.75, 0.1, 1]) {
    const since = process.cpuUsage();
    await replay.moveToFirst(Math.round(part * length));
    moves.push(Math.round(milliseconds(process.cpuUsage(since))));
  }
});
console.log(JSON.stringify({ ...used, moves, ...turns, before, peak: peak() }));
