import { describe, expect, it } from "vitest";
import { Pause } from "../src/pause.js";

/** Works for so long that a pause is due. */
function work(): void {
  for (const until = performance.now() + 6; performance.now() < until; );
}

describe("pauses", () => {
  it("give the event loop a turn after each piece of work, whoever does it", async () => {
    const seen: string[] = [];
    let isOver = false;
    const turn = (): void => {
      seen.push("turn");
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    const worker = async (): Promise<void> => {
      const pause = new Pause();
      for (let piece = 0; piece < 4; piece++) {
        work();
        await pause.ifLong();
        seen.push("work");
      }
    };
    await Promise.all([worker(), worker(), worker()]);
    isOver = true;
    const pieces = seen.filter((one) => one === "work").length;
    expect(pieces).toBe(12);
    const together = seen.filter((one, at) => one === "work" && seen[at - 1] === "work");
    expect(together).toEqual([]);
  });

  it("are not due where the turn is young", async () => {
    work();
    const pause = new Pause();
    await pause.ifLong();
    expect(pause.isLong).toBe(false);
  });
});
