/** Counts the turns of the event loop during work. */
import { vi } from "vitest";

/** Runs work while each read of the clock advances it by 5 ms. Returns the number of turns of other work. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let now = performance.now();
  const clock = vi.spyOn(performance, "now").mockImplementation(() => {
    now += 5;
    return now;
  });
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  try {
    await work();
  } finally {
    isOver = true;
    clock.mockRestore();
  }
  return turns;
}
