/** The interface of benchmark modules, and the format of their results. */
import { spawnSync } from "node:child_process";
import type { Database } from "./database.js";
import type { Measured } from "./measure.js";
import type { Options } from "./options.js";

export interface Bench {
  readonly options: Options;
  /** Returns the database, which is created on first use. */
  database(): Promise<Database>;
}

export interface Question {
  /** The name on the command line. */
  readonly name: string;
  /** The question in words. */
  readonly asks: string;
  /** The other side; absent if there is none. */
  readonly against?: string;
  /** The target; absent if there is none. */
  readonly wanted?: string;
  /** True for a question that is answered only if it is named: it takes a quarter of an hour. */
  readonly onlyNamed?: true;
  /** The answers, one line each. */
  answer(bench: Bench): AsyncGenerator<string, void, undefined>;
}

/** The text that lines of one kind share. */
export interface Wording {
  /** The measurement: `typed scan of Delta`. */
  readonly what: string;
  /** The unit of rates: `rows`. */
  readonly unit: string;
  readonly runs: number;
  /** The target, such as `≥ 0.85`; absent if there is none. */
  readonly wanted?: string;
}

/** A line about rates. The ratio is above 1 if the first side is faster. */
export function rateLine(of: Measured, against: Measured, { what, unit, runs, wanted }: Wording): string {
  const rates = `${perSecond(of.rate, unit)}, ${against.name} ${perSecond(against.rate, unit)}`;
  return `${what}: ${rates}, ${ending(runs, wanted, of.rate / against.rate)}`;
}

/** A line about times. The ratio is above 1 if the first side is slower. */
export function timeLine(of: Measured, against: Measured, { what, runs, wanted }: Wording): string {
  const times = `${of.time.toFixed(2)} ms, ${against.name} ${against.time.toFixed(2)} ms`;
  return `${what}: ${times}, lower is better, ${ending(runs, wanted, of.time / against.time)}`;
}

/** A line about many ratios: their median, the number below the target, and the lowest. */
export function ratesLine(
  what: string,
  ratios: readonly { readonly name: string; readonly ratio: number }[],
  atLeast: number,
): string {
  const sorted = ratios.toSorted((a, b) => a.ratio - b.ratio);
  const lowest = sorted.slice(0, 5).map(({ name, ratio }) => `${name} ${ratio.toFixed(2)}`);
  const below = sorted.filter(({ ratio }) => ratio < atLeast).length;
  const middle = sorted[sorted.length >> 1]?.ratio ?? Number.NaN;
  return `${what}: ${ratios.length} ratios, ${below} below the wanted ${atLeast.toFixed(2)}, lowest ${lowest.join(", ")}, median ratio=${middle.toFixed(2)}`;
}

function ending(runs: number, wanted: string | undefined, ratio: number): string {
  const wish = wanted === undefined ? "" : `wanted ${wanted}, `;
  return `medians of ${runs} interleaved runs, ${wish}ratio=${ratio.toFixed(2)}`;
}

function perSecond(rate: number, unit: string): string {
  return rate >= 1e5 ? `${(rate / 1e6).toFixed(2)} M ${unit}/s` : `${(rate / 1e3).toFixed(1)} k ${unit}/s`;
}

/** Returns the peak memory in megabytes of a separate process for a task. */
export function peakMemory(task: "export" | "parquet" | "verify", path: string): number {
  const program = new URL("peak-memory.js", import.meta.url).pathname;
  const { stdout } = spawnSync(process.execPath, [program, task, path], { encoding: "utf8" });
  return (JSON.parse(stdout) as { peak: number }).peak / 2 ** 20;
}
