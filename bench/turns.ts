/** Turns of the event loop and memory of the process that runs. */
import { existsSync, openSync, readFileSync, readSync } from "node:fs";
import { PerformanceObserver } from "node:perf_hooks";

/** The most resident memory that this process ever had, in MB, where the system says it; else what it has now. */
export function peak(): number {
  const highest = /^VmHWM:\s*(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"));
  return highest === null ? process.memoryUsage.rss() / 2 ** 20 : Number(highest[1]) / 1024;
}

/** Long turns of the event loop while something runs, in milliseconds. */
export interface Turns {
  /** The longest, beside collections of garbage. */
  readonly longest: number;
  /** The number of turns above 10 ms. */
  readonly over: number;
  /** The longest collection of garbage, which holds the event loop too, whatever a turn does. */
  readonly collection: number;
}

/** Measures the turns while something runs, by the processor of its thread: other processes do not lengthen them. */
export async function turnsOf(run: () => Promise<void>): Promise<Turns> {
  const collections: { readonly from: number; readonly to: number }[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      collections.push({ from: startTime, to: startTime + duration });
  });
  observer.observe({ entryTypes: ["gc"] });
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
  await run();
  isOn = false;
  await new Promise((resolve) => setTimeout(resolve, 50)); // the observer hears of collections later
  observer.disconnect();
  const heldBy = ({ from, to }: { readonly from: number; readonly to: number }): number =>
    collections.reduce((sum, one) => sum + Math.max(0, Math.min(to, one.to) - Math.max(from, one.from)), 0);
  const work = turns.map((one) => one.took - heldBy(one));
  return {
    longest: Math.round(Math.max(0, ...work) * 10) / 10,
    over: work.filter((took) => took > 10).length,
    collection: Math.round(Math.max(0, ...collections.map(({ from, to }) => to - from))),
  };
}

/** The processor's time of this thread, in milliseconds; of all threads where the system does not say it. */
function ownTime(): number {
  if (schedule === undefined) return milliseconds(process.cpuUsage());
  const text = buffer.toString("latin1", 0, readSync(schedule, buffer, 0, buffer.length, 0));
  return Number(text.split(" ")[0]) / 1e6;
}

const buffer = Buffer.alloc(128);
const file = `/proc/self/task/${process.pid}/schedstat`;
const schedule = existsSync(file) ? openSync(file, "r") : undefined;

/** The time of the processor that a process used. */
export function milliseconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}
