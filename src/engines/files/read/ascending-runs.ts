/**
 * Detects entries that were written in the order of their keys, or in a few ordered pieces: copied rows, or the state
 * of one context after another. The order is checked when an entry is added, because its key is then in the cache.
 * Sorting would read the keys again.
 */
import { firstNotBefore } from "../../../bytes/search.js";
import type { Arena } from "./arena.js";

/** The most runs that are merged. Entries in more runs are sorted. */
const MOST_RUNS = 64;

/** The most parts that the runs are cut into. Runs that alternate more often are sorted. */
const MOST_PARTS = 1024;

/** The runs of ascending keys among the entries added so far. */
export class AscendingRuns {
  /** The number of the first entry of each run; undefined once there are too many. */
  #starts: number[] | undefined = [];

  /** Records the last entry, at `places[count - 1]`. */
  add(arena: Arena, places: Uint32Array, count: number): void {
    if (this.#starts === undefined) return;
    if (count > 1 && arena.compare(places[count - 2] as number, places[count - 1] as number) < 0) return;
    if (this.#starts.length === MOST_RUNS) this.#starts = undefined;
    else this.#starts.push(count - 1);
  }

  /** The places in the order of their keys; undefined if a key occurs twice, or the runs alternate too often. */
  merged(arena: Arena, places: Uint32Array): Uint32Array | undefined {
    const starts = this.#starts;
    if (starts === undefined) return undefined;
    /** The rest of each run. The run with the lowest key is last. */
    const runs = starts.map((start, at) => places.subarray(start, starts[at + 1]));
    const byFirst = ([a = 0]: Uint32Array, [b = 0]: Uint32Array): number => arena.compare(b, a);
    runs.sort(byFirst);
    const merged = new Uint32Array(places.length);
    let count = 0;
    for (let parts = 0; ; parts++) {
      const run = runs.pop();
      if (run === undefined) return merged;
      const next = runs.at(-1)?.[0];
      const isBefore = (at: number): boolean =>
        next === undefined || arena.compare(run[at] as number, next) < 0;
      const length = firstNotBefore(run.length, isBefore);
      if (length === 0 || parts === MOST_PARTS) return undefined;
      merged.set(run.subarray(0, length), count);
      count += length;
      const rest = run.subarray(length);
      if (rest.length === 0) continue;
      const place = firstNotBefore(runs.length, (at) => byFirst(runs[at] as Uint32Array, rest) < 0);
      runs.splice(place, 0, rest);
    }
  }
}
