/** The answers that a database keeps. */
import { describe, expect, it } from "vitest";
import { Kept } from "../src/worker/database/kept.js";

describe("kept things", () => {
  it("are made once", () => {
    const kept = new Kept(2);
    expect(kept.get("a", () => 1)).toBe(1);
    expect(kept.get("a", () => 2)).toBe(1);
  });

  it("may be undefined", () => {
    const kept = new Kept(2);
    kept.get("a", () => undefined);
    expect(kept.get<number | undefined>("a", () => 2)).toBeUndefined();
  });

  it("leave when more are made, the least recently used first", () => {
    const kept = new Kept(2);
    kept.get("a", () => 1);
    kept.get("b", () => 1);
    kept.get("a", () => 2);
    kept.get("c", () => 1);
    expect(kept.get("a", () => 3)).toBe(1);
    expect(kept.get("b", () => 3)).toBe(3);
  });

  it("are made again after they failed, and not before", async () => {
    const kept = new Kept(2);
    const failing = kept.get("a", () => Promise.reject(new Error("a file changed")));
    expect(kept.get("a", () => Promise.resolve(1))).toBe(failing);
    await expect(failing).rejects.toThrow("a file changed");
    expect(await kept.get("a", () => Promise.resolve(2))).toBe(2);
  });

  it("are not dropped by the failure of one that was replaced", async () => {
    const kept = new Kept(2);
    let fail: (error: Error) => void = () => undefined;
    const failing = kept.get("a", () => new Promise<number>((_, reject) => (fail = reject)));
    kept.clear();
    const other = kept.get("a", () => Promise.resolve(1));
    fail(new Error("late"));
    await expect(failing).rejects.toThrow("late");
    expect(kept.get("a", () => Promise.resolve(2))).toBe(other);
  });
});
