/** The differences between trees. */
import fc from "fast-check";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { ObjectIdentifier } from "../../src/objects.js";
import type { TreeEntry } from "../../src/tables/tree-node.js";
import type { EntryChange } from "../../src/tree/apply.js";
import { diffThreeWay, diffTrees } from "../../src/tree/diff.js";
import { put, remove, text } from "../inputs.js";
import { fixedLevel, MemoryTrees } from "../nodes.js";

const decoder = new TextDecoder();
const all: EntryChange[] = Array.from({ length: 99 }, (_, at) => {
  const number = String(at).padStart(2, "0");
  return put(`key${number}`, number);
});

/** The value of an entry as text. */
const valueIn = (entry: TreeEntry | undefined) => entry && decoder.decode(entry.value.digest.subarray(1));

let trees: MemoryTrees;
let base: ObjectIdentifier;
beforeEach(async () => {
  trees = new MemoryTrees(fixedLevel);
  base = await trees.build(all);
});

async function change(root: ObjectIdentifier, ...changes: EntryChange[]): Promise<ObjectIdentifier> {
  return (await trees.change(root, changes)).root;
}

async function diff(before: ObjectIdentifier, after: ObjectIdentifier, from?: string) {
  const found: [string, string | undefined, string | undefined][] = [];
  for await (const difference of diffTrees(trees, before, after, from === undefined ? undefined : text(from)))
    found.push([decoder.decode(difference.key), valueIn(difference.before), valueIn(difference.after)]);
  return found;
}

async function diff3(left: ObjectIdentifier, right: ObjectIdentifier, from?: string) {
  const found: (string | undefined)[][] = [];
  for await (const three of diffThreeWay(
    trees,
    { base, left, right },
    from === undefined ? undefined : text(from),
  ))
    found.push([decoder.decode(three.key), ...[three.base, three.left, three.right].map(valueIn)]);
  return found;
}

describe("diffTrees", () => {
  it("of a change, an addition and a deletion is these three in key order", async () => {
    const after = await change(base, put("key01", "new"), put("key255", "255"), remove("key40"));
    const expected = [
      ["key01", "01", "new"],
      ["key255", undefined, "255"],
      ["key40", "40", undefined],
    ];
    expect(await diff(base, after)).toEqual(expected);
    expect(await diff(after, base)).toEqual(expected.map(([key, one, other]) => [key, other, one]));
    expect(await diff(base, after, "key01")).toEqual(expected);
    expect(await diff(base, after, "key02")).toEqual(expected.slice(1));
    expect(await diff(base, after, "key255")).toEqual(expected.slice(1));
    expect(await diff(base, after, "key2551")).toEqual(expected.slice(2));
    expect(await diff(base, after, "key41")).toEqual([]);
  });

  it("sees that only the priority is another", async () => {
    const after = await change(base, put("key01", "01", "lazy"));
    expect(await diff(base, after)).toEqual([["key01", "01", "01"]]);
  });

  it("of a tree against itself reads nothing", async () => {
    trees.reads = 0;
    expect(await diff(base, base)).toEqual([]);
    expect(trees.reads).toBe(0);
  });

  it("reads only nodes that are not shared", async () => {
    const after = await change(base, put("key01", "new"));
    trees.reads = 0;
    await diff(base, after);
    // Of three levels one node in each tree.
    expect(trees.reads).toBe(6);
  });
});

describe("diffThreeWay", () => {
  it("reports which side has changed which entries, and entries that both have changed", async () => {
    const left = await change(base, put("key01", "both"), put("key255", "255"), remove("key40"));
    const right = await change(base, put("key01", "both"), put("key02", "right"), put("key258", "258"));
    const expected = [
      ["key01", "01", "both", "both"],
      ["key02", "02", "02", "right"],
      ["key255", undefined, "255", undefined],
      ["key258", undefined, undefined, "258"],
      ["key40", "40", undefined, "40"],
    ];
    expect(await diff3(left, right)).toEqual(expected);
    expect(await diff3(left, right, "key02")).toEqual(expected.slice(1));
    expect(await diff3(left, right, "key257")).toEqual(expected.slice(3));
    expect(await diff3(right, left)).toEqual(
      expected.map(([key, old, one, other]) => [key, old, other, one]),
    );
  });
});

/** Counts the generators of async functions that are ended early while work runs. */
async function endedDuring(work: () => Promise<void>): Promise<number> {
  const prototype = Object.getPrototypeOf(Object.getPrototypeOf(diffTrees(trees, base, base)));
  const spy = vi.spyOn(prototype, "return");
  try {
    await work();
    return spy.mock.calls.length;
  } finally {
    spy.mockRestore();
  }
}

describe("a reader that stops early", () => {
  it("ends both two-way diffs of a three-way one, whether it breaks off or a node cannot be read", async () => {
    const left = await change(base, put("key01", "left"), put("key30", "left"));
    const right = await change(base, put("key02", "right"), put("key60", "right"));
    const stops = endedDuring(async () => {
      for await (const _ of diffThreeWay(trees, { base, left, right })) break;
    });
    expect(await stops).toBe(3); // its own, of the two sides
    const unreadable = { node: () => Promise.reject(new Error("lost")) };
    const fails = endedDuring(async () => {
      const reading = diffThreeWay(unreadable, { base, left, right }).next();
      await expect(reading).rejects.toThrow("lost");
    });
    expect(await fails).toBe(2);
  });
});

describe("random trees", () => {
  const steep = (key: Uint8Array) => (key.at(-1) ?? 0) % 4;
  const contents = fc.dictionary(
    fc.string({ minLength: 1, maxLength: 2, unit: fc.constantFrom(..."abcdefgh") }),
    fc.constantFrom("1", "2", "3"),
    { maxKeys: 30 },
  );
  type Contents = Record<string, string>;
  const build = (content: Contents) =>
    trees.build(Object.entries(content).map(([key, value]) => put(key, value)));

  it("differ in the entries in which their contents differ", async () => {
    trees = new MemoryTrees(steep);
    await fc.assert(
      fc.asyncProperty(contents, contents, fc.constantFrom("", "c", "dd"), async (before, after, from) => {
        const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
        const expected = keys
          .filter((key) => key >= from && before[key] !== after[key])
          .map((key) => [key, before[key], after[key]]);
        expect(await diff(await build(before), await build(after), from)).toEqual(expected);
      }),
      { numRuns: 100 },
    );
  });

  it("differ from a third in what either has changed", async () => {
    trees = new MemoryTrees(steep);
    await fc.assert(
      fc.asyncProperty(contents, contents, contents, async (old, one, other) => {
        base = await build(old);
        const keys = [...new Set([old, one, other].flatMap((content) => Object.keys(content)))].sort();
        const expected = keys
          .filter((key) => old[key] !== one[key] || old[key] !== other[key])
          .map((key) => [key, old[key], one[key], other[key]]);
        expect(await diff3(await build(one), await build(other))).toEqual(expected);
      }),
      { numRuns: 100 },
    );
  });
});
