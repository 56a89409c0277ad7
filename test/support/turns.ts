/** Turns of the event loop during work. */
import { vi } from "vitest";

/** Runs work while each look at the clock finds it 5 ms later. Returns how often others had their turn. */
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
