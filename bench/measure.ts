/** Measuring sides against each other, in one process, by turns. */

/** One of the things that are compared. */
export interface Side {
  readonly name: string;
  /** Does the work of one run and says how much it was, in rows, values or whatever is counted. */
  run(round: number): number | Promise<number>;
}

export interface Measured {
  readonly name: string;
  /** Median over the runs: units of work in a second. */
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
 * Runs all sides in every round, and gives each one's medians in the order of `sides`. From round to round the order
 * turns around (A B, B A, …) and, with more than two sides, another one is the first, so that none of them always comes
 * after the same one. Garbage is not collected between the runs: after each forced collection everything is slow for
 * milliseconds. A run must be long enough to pay for its own.
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

/** The side with the highest rate. */
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

/** Takes a number that a run computed, so that no compiler may leave the computing out. */
export function keep(value: number): void {
  kept = (kept + value) | 0;
}
