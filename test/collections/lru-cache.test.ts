/** The cache of the least recently used items. */
import { describe, expect, it } from "vitest";
import { LruCache } from "../../src/collections/lru-cache.js";

describe("LruCache", () => {
  it("evicts the least recently used items when it is full", () => {
    const cache = new LruCache<number>(10);
    cache.set("a", 1, 4);
    cache.set("b", 2, 4);
    expect(cache.get("a")).toBe(1);
    cache.set("c", 3, 4);
    expect(["a", "b", "c"].map((name) => cache.get(name))).toEqual([1, undefined, 3]);
  });

  it("does not count replaced or deleted items", () => {
    const cache = new LruCache<number>(10);
    for (let count = 0; count < 10; count++) cache.set("a", count, 4);
    cache.set("b", 2, 4);
    expect(cache.get("a")).toBe(9);
    cache.delete("a");
    cache.delete("a");
    cache.set("c", 3, 6);
    expect(["a", "b", "c"].map((name) => cache.get(name))).toEqual([undefined, 2, 3]);
  });

  it("does not keep an item that is larger than the capacity", () => {
    const cache = new LruCache<number>(10);
    cache.set("a", 1, 11);
    expect(cache.get("a")).toBeUndefined();
  });

  it("counts items if no sizes are given", () => {
    const cache = new LruCache<number>(2);
    for (const name of ["a", "b", "c"]) cache.set(name, 1);
    expect(["a", "b", "c"].map((name) => cache.get(name))).toEqual([undefined, 1, 1]);
  });
});
