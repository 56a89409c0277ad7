/** Commits: their ids, and what they take from their parents. */

import { compareBytes, toHex } from "merostore/internal";
import { beforeAll, describe, expect, it } from "vitest";
import { ascendingClock } from "../../src/rows/object-parts.js";
import {
  byGeneration,
  byTime,
  type Commit,
  emptyRoot,
  firstCommit,
  newCommit,
  readCommit,
} from "../../src/storage/commit.js";
import { KEY_INDEX, named, put } from "../inputs.js";
import { MemoryTrees } from "../nodes.js";

const first = firstCommit(KEY_INDEX);
const trees = new MemoryTrees();
let a: Commit;
let b: Commit;
beforeAll(async () => {
  a = newCommit([first], await trees.build([put("key", "value")]), 1000n);
  b = newCommit([first], await trees.build([put("key", "other")]), 2000n);
});

describe("the first commit", () => {
  it("is the zero id, of nothing, from the beginning of time", () => {
    expect(first).toEqual({
      id: new Uint8Array(32),
      bytes: new Uint8Array(0),
      timestamp: 0n,
      generation: 0n,
      root: emptyRoot(KEY_INDEX),
      parents: [],
    });
    expect(named(first.root)).toBe("050c00000008000c0004000800080000000c000000040000000000000000000000");
  });
});

it("the clock follows what it reads forward at once, and goes on by one while that is behind", () => {
  let now = 0;
  const clock = ascendingClock(() => now);
  const times = [1000, 1000, 90_000, 5, 6, 90_001].map((next) => {
    now = next;
    return clock();
  });
  expect(times).toEqual([
    1_000_000_000n,
    1_000_000_001n,
    90_000_000_000n,
    90_000_000_001n,
    90_000_000_002n,
    90_001_000_000n,
  ]);
});

describe("newCommit", () => {
  it("is later than its parent, whatever the clock says", () => {
    const times = [9n, 1000n, 1001n, 5000n].map((now) => newCommit([a], a.root, now).timestamp);
    expect(times).toEqual([1001n, 1001n, 1001n, 5000n]);
    const last = newCommit([a], a.root, 2n ** 63n - 1n);
    expect(newCommit([last], a.root, 1n).timestamp).toBe(2n ** 63n - 1n);
  });

  it("that merges two has the time of the later one, and the same id on every device at any time", () => {
    const merge = newCommit([a, b], b.root, 9999n);
    expect(toHex(merge.id)).toBe("ca802a2fa1c0ba671c1874b42160c8eb354f2f3031b9a69ca99e3ebd0fa4504b");
    expect(merge.bytes).toHaveLength(176);
    expect([merge.timestamp, merge.generation]).toEqual([2000n, 2n]);
    expect(merge.parents).toEqual([a.id, b.id].sort(compareBytes));
    expect(newCommit([b, a], b.root, 5n)).toEqual(merge);
  });

  it("that clears the page", () => {
    const cleared = newCommit([a], emptyRoot(KEY_INDEX), 3000n);
    expect(toHex(cleared.id)).toBe("11f73d6ad26abab8f7485dcd78238a007583fd7eafe60cfd03ecaa5cb7dc6759");
    expect(cleared.generation).toBe(2n);
  });

  it("counts generations along the longest way", () => {
    const second = newCommit([a], b.root, 1n);
    const merge = newCommit([second, b], b.root, 1n);
    expect([a, second, merge].map(({ generation }) => generation)).toEqual([1n, 2n, 3n]);
  });
});

describe("readCommit", () => {
  it.each([
    ["the bytes of another commit", () => b.bytes],
    ["a changed byte", () => a.bytes.with(60, 7)],
    ["a byte less", () => a.bytes.subarray(0, -1)],
    ["nothing", () => new Uint8Array(0)],
  ])("refuses %s", (_, bytes) => {
    expect(() => readCommit(a.id, bytes())).toThrow(
      expect.objectContaining({
        code: "DATA_INTEGRITY_ERROR",
        message: `the row commits/${toHex(a.id)} is damaged: its content has another id`,
      }),
    );
  });
});

describe("orders of commits", () => {
  const commit = (timestamp: bigint, generation: bigint, byte: number) => ({
    timestamp,
    generation,
    id: new Uint8Array(32).fill(byte),
  });
  const early = commit(-(2n ** 63n), 3n, 1);
  const [zeroA, zeroB] = [commit(0n, 2n, 2), commit(0n, 2n, 3)];
  const late = commit(2n ** 63n - 1n, 1n, 0);

  it("are by time, then by id", () => {
    expect([late, zeroB, early, zeroA].sort(byTime)).toEqual([early, zeroA, zeroB, late]);
  });

  it("are by generation, then by id", () => {
    expect([zeroB, early, late, zeroA].sort(byGeneration)).toEqual([late, zeroA, zeroB, early]);
  });
});
