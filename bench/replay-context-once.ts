/** A process of its own: replays a context, goes to moments of it, and says what time and memory that took. */
import { existsSync, openSync, readFileSync, readSync } from "node:fs";
import { PerformanceObserver } from "node:perf_hooks";
import { core011, openStore } from "../src/index.js";
import { readReplay } from "../src/state/index.js";
import { CONTEXT } from "./replayed-context.js";

const [task, path] = process.argv.slice(2) as ["state" | "positions", string];

/** The most resident memory that this process ever had, in MB, where the system says it; else what it has now. */
function peak(): number {
  const highest = /^VmHWM:\s*(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"));
  return highest === null ? process.memoryUsage.rss() / 2 ** 20 : Number(highest[1]) / 1024;
}

/** The processor's time of this thread, in milliseconds; of all threads where the system does not say it. */
function ownTime(): number {
  if (schedule === undefined) return ms(process.cpuUsage());
  const text = buffer.toString("latin1", 0, readSync(schedule, buffer, 0, buffer.length, 0));
  return Number(text.split(" ")[0]) / 1e6;
}

const buffer = Buffer.alloc(128);
const file = `/proc/self/task/${process.pid}/schedstat`;
const schedule = existsSync(file) ? openSync(file, "r") : undefined;

const ms = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000;

await using store = await openStore(path, { schema: core011, cacheBytes: 16 * 1024 * 1024 });
const before = peak();
const clock = process.cpuUsage();
/** Collections of garbage: they hold the event loop too, whatever a turn does. */
const collections: { readonly from: number; readonly to: number }[] = [];
const observer = new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries())
    collections.push({ from: startTime, to: startTime + duration });
});
observer.observe({ entryTypes: ["gc"] });
/** Long turns of the event loop, in milliseconds, by the processor of its thread: other processes do not lengthen them. */
const turns: { readonly from: number; readonly to: number; readonly took: number }[] = [];
let turn = { at: performance.now(), used: ownTime() };
const endTurn = (): void => {
  const now = { at: performance.now(), used: ownTime() };
  const took = Math.min(now.at - turn.at, now.used - turn.used);
  if (took > 2) turns.push({ from: turn.at, to: now.at, took });
  turn = now;
  if (isOn) setImmediate(endTurn);
};
let isOn = true;
setImmediate(endTurn);
const replay = await readReplay(store, CONTEXT);
const read = process.cpuUsage(clock);
if (task === "positions") await replay.positions();
else await replay.moveToFirst();
const done = process.cpuUsage(clock);
const moves: number[] = [];
const { length } = replay;
for (const part of [0.01, 0.99, 0.5, 0.25, 0.75, 0.1, 1]) {
  const since = process.cpuUsage();
  await replay.moveToFirst(Math.round(part * length));
  moves.push(Math.round(ms(process.cpuUsage(since))));
}
isOn = false;
await new Promise((resolve) => setTimeout(resolve, 50)); // the observer hears of collections later
const heldBy = ({ from, to }: { readonly from: number; readonly to: number }): number =>
  collections.reduce((sum, one) => sum + Math.max(0, Math.min(to, one.to) - Math.max(from, one.from)), 0);
const work = turns.map((one) => one.took - heldBy(one));
const longest = Math.max(0, ...work);
console.log(
  JSON.stringify({
    deltas: length,
    read: Math.round(ms(read)),
    cpu: Math.round(ms(done)),
    moves,
    longest: Math.round(longest * 10) / 10,
    over: work.filter((took) => took > 10).length,
    collection: Math.round(Math.max(0, ...collections.map(({ from, to }) => to - from))),
    before,
    peak: peak(),
  }),
);
