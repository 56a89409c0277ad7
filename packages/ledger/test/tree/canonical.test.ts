/** The shape of a tree follows from its entries alone. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeNode } from "../../src/tables/tree-node.js";
import { findEntry } from "../../src/tree/iterate.js";
import { levelOf } from "../../src/tree/level.js";
import { entry, named, numbered, put, remove, text } from "../inputs.js";
import { MemoryTrees } from "../nodes.js";

describe("the root of numbered entries", () => {
  it.each([
    ["V1", 10, "04e8ad3a609a35f776da292ea377feebfd8030dec0f82664371f876894103f17c9"],
    ["V3", 10, "04e8ad3a609a35f776da292ea377feebfd8030dec0f82664371f876894103f17c9"],
    ["V1", 100, "0412df2e9dbf567d27ca6a530846b2487a4977b5142f32db61e6abbcd232a7c78b"],
    ["V3", 100, "0412df2e9dbf567d27ca6a530846b2487a4977b5142f32db61e6abbcd232a7c78b"],
    ["V1", 1000, "04b64b178eb2f73a718ebcd3a19428c38b6a0061e279f14cecdf96daef1257f549"],
    ["V3", 1000, "043b5454bd7b93ab7d7cce5bd36fbf4bb04297efe4fbda784edc4f38f5072c53e3"],
  ] as const)("in %s, %i of them", async (rollingHash, count, root) => {
    const trees = new MemoryTrees(levelOf, rollingHash);
    expect(named(await trees.build(numbered(count)))).toBe(root);
    expect(named(await trees.build(numbered(count).reverse()))).toBe(root);
  });

  it.each([
    [10, 592],
    [100, 5632],
  ])("is one leaf for %i of them: %i bytes", async (count, size) => {
    const trees = new MemoryTrees();
    const node = await trees.node(await trees.build(numbered(count)));
    expect(node.entries).toHaveLength(count);
    expect(encodeNode(node)).toHaveLength(size);
  });

  it("has leaves of 425, 325 and 248 below two for 1000 of them", async () => {
    const trees = new MemoryTrees();
    const nodes = await trees.nodes(await trees.build(numbered(1000)));
    expect(nodes.map(({ entries }) => entries.length)).toEqual([2, 425, 325, 248]);
    const all = await trees.entries(await trees.build(numbered(1000)));
    expect(all).toEqual(numbered(1000).map(({ entry: expected }) => expected));
  });
});

describe("the history of a tree", () => {
  it("does not show: once its one high key is gone, the root is as low as without it ever", async () => {
    const trees = new MemoryTrees();
    const both = await trees.build([put("key00000", "value00000"), put("key00425", "value00425")]);
    expect((await trees.node(both)).level).toBe(1);
    const { root } = await trees.change(both, [remove("key00425")]);
    expect(named(root)).toBe("04b25a9be3d333624de92e5f9d347043da92070e5bcb880efb1a0bcfb5955bcfae");
    expect(root).toEqual(await trees.build([put("key00000", "value00000")]));
  });

  it("of another writer, who leaves a root without entries, is read, and is gone after a change", async () => {
    const trees = new MemoryTrees();
    const leaf = await trees.build([put("key00000", "value00000")]);
    const high = trees.store({ level: 1, entries: [], children: [leaf] });
    expect(named(high)).toBe("0406f936764af2b93ff1dae804c2afa3351dc9203133a34a587a51b40445f18079");
    expect(await findEntry(trees, high, text("key00000"))).toEqual(entry("key00000", "value00000"));
    expect(await trees.keys(high)).toEqual(["key00000"]);
    const { root } = await trees.change(high, [put("key00001", "value00001")]);
    expect(root).toEqual(await trees.build([put("key00000", "value00000"), put("key00001", "value00001")]));
  });

  /** Keys of levels 0 to 3 by their last character, so that small trees are high. */
  const steep = (key: Uint8Array) =>
    ((key.at(-1) ?? 0) % 7 === 0 ? 2 : 0) + ((key.at(-1) ?? 0) % 3 === 0 ? 1 : 0);
  const keys = fc.string({ minLength: 1, maxLength: 2, unit: fc.constantFrom(..."abcdefghijklmnopqrstu") });
  const steps = fc.array(fc.record({ key: keys, value: fc.option(fc.constantFrom("1", "2")) }), {
    maxLength: 60,
  });

  it("does not show after random insertions and deletions in random runs", async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 20 }), async (all, run) => {
        const trees = new MemoryTrees(steep);
        const left = new Map<string, string>();
        let root = trees.empty;
        for (let at = 0; at < all.length; at += run) {
          const changes = all
            .slice(at, at + run)
            .map(({ key, value }) => (value === null ? remove(key) : put(key, value)));
          root = (await trees.change(root, changes)).root;
        }
        for (const { key, value } of all) {
          if (value === null) left.delete(key);
          else left.set(key, value);
        }
        const sorted = [...left].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => put(key, value));
        expect(named(root)).toBe(named(await trees.build(sorted)));
        expect(await trees.entries(root)).toEqual(sorted.map(({ entry: expected }) => expected));
      }),
      { numRuns: 200 },
    );
  });

  it("does not show in trees by the real levels of keys", async () => {
    const many = numbered(1300);
    const some = fc.subarray(many, { maxLength: 100 });
    const trees = new MemoryTrees();
    const full = await trees.build(many);
    await fc.assert(
      fc.asyncProperty(some, async (gone) => {
        // The high keys as well, sometimes.
        const without = await trees.change(full, [
          ...gone.map(({ key }) => ({ key, entry: undefined })),
          remove("key00425"),
          remove("key01251"),
        ]);
        const names = new Set([
          ...gone.map(({ key }) => key.join()),
          ...["key00425", "key01251"].map((k) => text(k).join()),
        ]);
        const fresh = await trees.build(many.filter(({ key }) => !names.has(key.join())));
        expect(named(without.root)).toBe(named(fresh));
        expect(named((await trees.change(without.root, many)).root)).toBe(named(full));
      }),
      { numRuns: 10 },
    );
  });

  it("keeps every node on its level, with keys between those of its parent", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const trees = new MemoryTrees(steep);
        const root = await trees.build(
          all.map(({ key, value }) => (value === null ? remove(key) : put(key, value))),
        );
        for (const { level, entries, children } of await trees.nodes(root)) {
          expect(entries.map(({ key }) => steep(key))).toEqual(entries.map(() => level));
          for (const [place, child] of children.entries()) {
            if (child === undefined) continue;
            expect((await trees.node(child)).level).toBe(level - 1);
            const below = (await trees.entries(child)).map(({ key }) => Buffer.from(key).toString());
            const decoded = entries.map(({ key }) => Buffer.from(key).toString());
            expect(below.length).toBeGreaterThan(0);
            expect(below.every((key) => place === 0 || key > (decoded[place - 1] as string))).toBe(true);
            expect(below.every((key) => place === entries.length || key < (decoded[place] as string))).toBe(
              true,
            );
          }
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe("findEntry", () => {
  it("finds every entry and nothing else", async () => {
    const trees = new MemoryTrees();
    const root = await trees.build(numbered(500));
    for (const number of ["00000", "00424", "00425", "00426", "00499"])
      expect(await findEntry(trees, root, text(`key${number}`))).toEqual(
        entry(`key${number}`, `value${number}`),
      );
    for (const key of ["", "key", "key00425!", "key00500", "z"])
      expect(await findEntry(trees, root, text(key))).toBeUndefined();
    expect(await findEntry(trees, trees.empty, text("key"))).toBeUndefined();
  });
});
