/** Work that is asked for while it runs. */
import { describe, expect, it } from "vitest";
import { oneAtATime } from "../src/page/one-at-a-time.js";

/** Work whose runs end when the test says so. */
function runs() {
  const ends: (() => void)[] = [];
  const work = () => new Promise<void>((end) => ends.push(end));
  return { ends, work };
}

const turns = async () => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
};

describe("work that runs one at a time", () => {
  it("runs once more after it was asked for while it ran, however often", async () => {
    const { ends, work } = runs();
    const ask = oneAtATime(work);
    ask();
    await turns();
    expect(ends.length).toBe(1);
    ask();
    ask();
    await turns();
    expect(ends.length).toBe(1);
    ends[0]?.();
    await turns();
    expect(ends.length).toBe(2);
    ends[1]?.();
    await turns();
    expect(ends.length).toBe(2);
    ask();
    await turns();
    expect(ends.length).toBe(3);
  });

  it("takes what was asked for during the pause into the run after it", async () => {
    const { ends, work } = runs();
    const pauses = runs();
    const ask = oneAtATime(work, pauses.work);
    ask();
    await turns();
    ask();
    pauses.ends[0]?.();
    await turns();
    ends[0]?.();
    await turns();
    expect([pauses.ends.length, ends.length]).toEqual([1, 1]);
  });
});
