/** The keys by which a grid reaches all its rows. */
import { describe, expect, it } from "vitest";
import { SparseKeys } from "../src/worker/rows/sparse-keys.js";

/** The key of a row: its number times two in three bytes, so that there are keys between any two. */
function keyOf(row: number): Uint8Array {
  const number = 2 * row;
  return Uint8Array.of(number >> 16, (number >> 8) & 255, number & 255);
}

function keysOf(rows: number, most?: number): SparseKeys {
  const keys = new SparseKeys(most);
  for (let row = 0; row < rows; row++) keys.add(keyOf(row));
  return keys;
}

describe("SparseKeys", () => {
  it("has no keys without rows", () => {
    const keys = keysOf(0);
    expect(keys.count).toBe(0);
    expect(keys.before(0)).toBeUndefined();
    expect(keys.upTo(keyOf(5))).toBeUndefined();
  });

  it("keeps the key of every fiftieth row", () => {
    const keys = keysOf(1_001);
    expect(keys.count).toBe(1_001);
    expect(keys.before(0)).toEqual({ row: 0, key: keyOf(0) });
    expect(keys.before(49)).toEqual({ row: 0, key: keyOf(0) });
    expect(keys.before(50)).toEqual({ row: 50, key: keyOf(50) });
    expect(keys.before(1_000)).toEqual({ row: 1_000, key: keyOf(1_000) });
    expect(keys.before(1_001)).toBeUndefined();
    expect(keys.before(-1)).toBeUndefined();
  });

  it("keeps fewer keys, farther apart, where there are very many rows", () => {
    const keys = keysOf(10_000, 8);
    expect(keys.step).toBe(1_600);
    expect(keys.before(9_999)).toEqual({ row: 9_600, key: keyOf(9_600) });
    expect(keys.before(1_599)).toEqual({ row: 0, key: keyOf(0) });
    expect(keys.before(1_600)).toEqual({ row: 1_600, key: keyOf(1_600) });
  });

  it("finds the kept key up to a key, whether a row has the key or not", () => {
    const keys = keysOf(1_000);
    const between = Uint8Array.of(0, 400 >> 8, (400 & 255) + 1);
    expect(keys.upTo(keyOf(200))).toEqual({ row: 200, key: keyOf(200) });
    expect(keys.upTo(between)).toEqual({ row: 200, key: keyOf(200) });
    expect(keys.upTo(keyOf(199))).toEqual({ row: 150, key: keyOf(150) });
    expect(keys.upTo(Uint8Array.of(255))).toEqual({ row: 950, key: keyOf(950) });
    expect(keys.upTo(new Uint8Array(0))).toBeUndefined();
  });

  it("keeps copies: a scan's keys are views of a buffer", () => {
    const key = Uint8Array.of(1, 2, 3);
    const keys = new SparseKeys();
    keys.add(key);
    key.fill(0);
    expect(keys.before(0)?.key).toEqual(Uint8Array.of(1, 2, 3));
  });
});
