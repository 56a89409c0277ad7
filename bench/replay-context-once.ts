/** A process of its own: replays a context, goes to moments of it, and says what time and memory that took. */
import { readFileSync } from "node:fs";
import { core011, openStore } from "../src/index.js";
import { readReplay } from "../src/state/index.js";
import { CONTEXT } from "./replayed-context.js";

const [task, path] = process.argv.slice(2) as ["state" | "positions", string];

/** The most resident memory that this process ever had, in MB, where the system says it; else what it has now. */
function peak(): number {
  const highest = /^VmHWM:\s*(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"));
  return highest === null ? process.memoryUsage.rss() / 2 ** 20 : Number(highest[1]) / 1024;
}

await using store = await openStore(path, { schema: core011, cacheBytes: 16 * 1024 * 1024 });
const before = peak();
const clock = process.cpuUsage();
let longest = 0;
let last = performance.now();
const timer = setInterval(() => {
  longest = Math.max(longest, performance.now() - last - 1);
  last = performance.now();
}, 1);
const replay = await readReplay(store, CONTEXT);
const read = process.cpuUsage(clock);
if (task === "positions") await replay.positions();
else await replay.moveToFirst();
const done = process.cpuUsage(clock);
const moves: number[] = [];
const { length } = replay;
for (const part of [0.01, 0.99, 0.5, 0.25, 0.75, 0.1, 1]) {
  const since = performance.now();
  await replay.moveToFirst(Math.round(part * length));
  moves.push(Math.round(performance.now() - since));
}
clearInterval(timer);
const ms = ({ user, system }: NodeJS.CpuUsage): number => Math.round((user + system) / 1000);
console.log(
  JSON.stringify({
    deltas: length,
    read: ms(read),
    cpu: ms(done),
    moves,
    longest: Math.round(longest),
    before,
    peak: peak(),
  }),
);
