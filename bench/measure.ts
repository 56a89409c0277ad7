/** Comparison of several sides that alternate in one process. */

/** One of the compared implementations. */
export interface Side {
  readonly name: string;
  /** Does one run and returns the amount of work, for example in rows or values. */
  run(round: number): number | Promise<number>;
}

export interface Measured {
  readonly name: string;
  /** Median over the runs: units of work per second. */
  readonly rate: number;
  /** Median over the runs: milliseconds of one run. */
  readonly time: number;
}

export interface Plan {
  /** Timed runs of each side. */
  readonly runs: number;
  /** Runs of each side before, not counted. */
  readonly warmUps: number;
}

/**
 * Runs all sides in every round and returns their medians in the order of `sides`. The order is reversed from round to
 * round (A B, B A, …) and rotated for more than two sides, so that no side always follows the same one. Garbage
 * collection is not forced between runs, because everything is slow for milliseconds afterwards. A run must be long
 * enough to include its own collections.
 */
export async function interleave(sides: readonly Side[], { runs, warmUps }: Plan): Promise<Measured[]> {
  const samples = sides.map(() => ({ rates: [] as number[], times: [] as number[] }));
  for (let round = 0; round < warmUps + runs; round++) {
    for (const index of orderOf(sides.length, round)) {
      const start = performance.now();
      const done = await (sides[index] as Side).run(round);
      const time = performance.now() - start;
      if (round < warmUps) continue;
      samples[index]?.times.push(time);
      samples[index]?.rates.push((done * 1000) / time);
    }
  }
  return sides.map(({ name }, index) => ({
    name,
    rate: median(samples[index]?.rates ?? []),
    time: median(samples[index]?.times ?? []),
  }));
}

/** Returns the side with the highest rate. */
export function fastest(sides: readonly Measured[]): Measured {
  return sides.reduce((best, side) => (side.rate > best.rate ? side : best));
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

function orderOf(count: number, round: number): number[] {
  const order = Array.from({ length: count }, (_, index) => (index + (round >> 1)) % count);
  return round % 2 === 0 ? order : order.reverse();
}

let kept = 0;

/** Consumes the result of a run, so that the compiler cannot eliminate the computation. */
export function keep(value: number): void {
  kept = (kept + value) | 0;
}
