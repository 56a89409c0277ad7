/** The queue of tasks that must not overlap. */
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { SerialQueue } from "../../src/collections/serial-queue.js";

describe("SerialQueue", () => {
  it("runs one task after another, in the order of the calls", async () => {
    const queue = new SerialQueue();
    const events: string[] = [];
    const task = (name: string) => async () => {
      events.push(`${name} begins`);
      await setImmediate();
      events.push(`${name} ends`);
      return name;
    };
    expect(await Promise.all([queue.run(task("a")), queue.run(task("b"))])).toEqual(["a", "b"]);
    expect(events).toEqual(["a begins", "a ends", "b begins", "b ends"]);
  });

  it("continues after a failed task", async () => {
    const queue = new SerialQueue();
    const failed = queue.run(() => Promise.reject(new Error("no")));
    const next = queue.run(async () => 1);
    await expect(failed).rejects.toThrow("no");
    expect(await next).toBe(1);
    await queue.idle();
  });

  it("is idle once all earlier tasks have settled", async () => {
    const queue = new SerialQueue();
    let settled = false;
    const failed = queue.run(async () => {
      await setImmediate();
      settled = true;
      throw new Error("no");
    });
    failed.catch(() => undefined);
    await queue.idle();
    expect(settled).toBe(true);
  });
});
