/** What a page keeps in memory: ids that are held, and what was used of late. */
import { describe, expect, it } from "vitest";
import { LruCache } from "../../../src/collections/lru-cache.js";
import { Holds } from "../../../src/ledger/storage/holds.js";
import { digest } from "../inputs.js";

describe("LiveIds", () => {
  it("has an id until everyone has released it, each once", () => {
    const live = new Holds();
    const one = live.hold(digest(1));
    const two = live.hold(digest(1));
    expect([...live]).toEqual([digest(1)]);
    one();
    one();
    expect(live.has(digest(1))).toBe(true);
    two();
    expect(live.has(digest(1))).toBe(false);
    const three = live.hold(digest(1));
    two();
    expect(live.has(digest(1))).toBe(true);
    three();
    expect([...live]).toEqual([]);
  });
});

describe("Recent", () => {
  it("forgets what was not used for longest, once there is too much", () => {
    const recent = new LruCache<number>(10);
    recent.set("a", 1, 4);
    recent.set("b", 2, 4);
    expect(recent.get("a")).toBe(1);
    recent.set("c", 3, 4);
    expect(["a", "b", "c"].map((name) => recent.get(name))).toEqual([1, undefined, 3]);
  });

  it("counts what was replaced or deleted no more", () => {
    const recent = new LruCache<number>(10);
    for (let count = 0; count < 10; count++) recent.set("a", count, 4);
    recent.set("b", 2, 4);
    expect(recent.get("a")).toBe(9);
    recent.delete("a");
    recent.delete("a");
    recent.set("c", 3, 6);
    expect(["a", "b", "c"].map((name) => recent.get(name))).toEqual([undefined, 2, 3]);
  });

  it("keeps nothing that is too large by itself", () => {
    const recent = new LruCache<number>(10);
    recent.set("a", 1, 11);
    expect(recent.get("a")).toBeUndefined();
  });
});
