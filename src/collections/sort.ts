/** Sorting of large lists that lets timers and signals have their turn. */
import { Pause } from "../pause.js";

/** Items that are sorted at once, and items that are merged between two looks at the clock. */
const PIECE = 4096;

/** Sorts items into a new list: pieces first, which are then merged. Equal items keep their order. */
export async function sorted<T>(items: readonly T[], compare: (a: T, b: T) => number): Promise<readonly T[]> {
  const pause = new Pause();
  let from: T[] = [];
  for (let start = 0; start < items.length; start += PIECE) {
    for (const item of items.slice(start, start + PIECE).sort(compare)) from.push(item);
    await pause.ifLong();
  }
  let to: T[] = new Array(from.length);
  for (let size = PIECE; size < from.length; size *= 2) {
    for (let start = 0; start < from.length; start += 2 * size)
      await merge(from, to, start, size, compare, pause);
    [from, to] = [to, from];
  }
  return from;
}

/** Merges two runs of `size` items beside each other; the second may be shorter, or missing. */
async function merge<T>(
  from: readonly T[],
  to: T[],
  start: number,
  size: number,
  compare: (a: T, b: T) => number,
  pause: Pause,
): Promise<void> {
  const middle = Math.min(start + size, from.length);
  const end = Math.min(middle + size, from.length);
  let [left, right] = [start, middle];
  for (let at = start; at < end; at++) {
    if (at % PIECE === 0) await pause.ifLong();
    const isLeft = right >= end || (left < middle && compare(from[left] as T, from[right] as T) <= 0);
    to[at] = from[isLeft ? left++ : right++] as T;
  }
}
