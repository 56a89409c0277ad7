/** Changing trees with fixed levels: the number of new nodes, and the resulting shape. */
import { beforeEach, describe, expect, it } from "vitest";
import type { ObjectIdentifier } from "../../src/objects.js";
import type { EntryChange } from "../../src/tree/apply.js";
import { put, remove, text } from "../inputs.js";
import { fixedLevel, MemoryTrees } from "../nodes.js";

const name = (number: number) => `key${String(number).padStart(2, "0")}`;
const puts = (...numbers: number[]): EntryChange[] =>
  numbers.map((number) => put(name(number), `object ${number}`));
const decoder = new TextDecoder();

let trees: MemoryTrees;
beforeEach(() => {
  trees = new MemoryTrees(fixedLevel);
});

/** The keys of each node by level, with children in their places; a leaf is only its keys. */
async function shape(root: ObjectIdentifier): Promise<unknown> {
  const { entries, children } = await trees.node(root);
  const keys = entries.map(({ key }) => decoder.decode(key));
  if (children.every((child) => child === undefined)) return keys;
  const below: unknown[] = [];
  for (const child of children) below.push(child === undefined ? undefined : await shape(child));
  return { keys, children: below };
}

describe("eleven entries", () => {
  const eleven = puts(...Array.from({ length: 11 }, (_, at) => at));
  let root: ObjectIdentifier;
  beforeEach(async () => {
    root = await trees.build(eleven);
  });

  it("are a root of two and three leaves", async () => {
    expect((await trees.change(trees.empty, eleven)).created).toBe(4);
    expect(await shape(root)).toEqual({
      keys: ["key03", "key07"],
      children: [
        ["key00", "key01", "key02"],
        ["key04", "key05", "key06"],
        ["key08", "key09", "key10"],
      ],
    });
    expect((await trees.node(root)).level).toBe(1);
  });

  it.each([
    ["one more makes a leaf and the root new", [put("key071", "new")], 2],
    ["two less in two leaves make these and the root new", [remove("key02"), remove("key04")], 3],
    ["one less in the root joins two leaves", [remove("key03")], 2],
    ["another value in a leaf makes it and the root new", [put("key02", "new")], 2],
    ["another value in the root makes only that new", [put("key03", "new")], 1],
    ["another priority is a change as well", [put("key03", "object 3", "lazy")], 1],
    ["the same value again is no change", [put("key02", "object 2")], 0],
    ["the same value in the root is no change", [put("key03", "object 3")], 0],
    ["deleting what is not there is no change", [remove("key99"), remove("key071"), remove("key75")], 0],
    ["putting and deleting leaves nothing", [put("key071", "new"), remove("key071")], 0],
    ["no change at all is none", [], 0],
  ] as [string, EntryChange[], number][])("%s", async (_, changes, created) => {
    const changed = await trees.change(root, changes);
    expect(changed.created).toBe(created);
    if (created === 0) expect(changed.root).toEqual(root);
    else expect(changed.root).not.toEqual(root);
  });

  it("less one of the root have two leaves", async () => {
    const { root: changed } = await trees.change(root, [remove("key03")]);
    expect(await shape(changed)).toEqual({
      keys: ["key07"],
      children: [
        ["key00", "key01", "key02", "key04", "key05", "key06"],
        ["key08", "key09", "key10"],
      ],
    });
  });

  it("less all of them are the empty tree, which has no row", async () => {
    const emptied = await trees.change(
      root,
      eleven.map(({ key }) => ({ key, entry: undefined })),
    );
    expect(emptied).toEqual({ root: trees.empty, created: 0 });
  });
});

describe("an entry above others", () => {
  it("divides the leaf that it comes into", async () => {
    const root = await trees.build(puts(0, 4));
    const changed = await trees.change(root, puts(3));
    expect(changed.created).toBe(3);
    expect(await shape(changed.root)).toEqual({ keys: ["key03"], children: [["key00"], ["key04"]] });
  });

  it("has no child beside the empty one, where there is nothing on one side", async () => {
    const changed = await trees.change(trees.empty, puts(75));
    expect(changed.created).toBe(1);
    expect((await trees.node(changed.root)).children).toEqual([undefined, undefined]);
  });

  it("divides all levels below it; without it the tree is as it was", async () => {
    const base = await trees.build(puts(3, 50, 55, 60, 65, 74, 76, 89, 99));
    const added = await trees.change(base, puts(75));
    expect(added.created).toBe(5);
    expect(await shape(added.root)).toEqual({
      keys: ["key50", "key75"],
      children: [
        ["key03"],
        { keys: ["key60"], children: [["key55"], ["key65", "key74"]] },
        { keys: ["key89"], children: [["key76"], ["key99"]] },
      ],
    });
    expect((await trees.change(added.root, [remove("key75")])).root).toEqual(base);
  });

  it("gets nodes without entries between it and leaves", async () => {
    const root = await trees.build(puts(75, 76));
    expect(await shape(root)).toEqual({
      keys: ["key75"],
      children: [undefined, { keys: [], children: [["key76"]] }],
    });
    expect(await trees.keys(root)).toEqual(["key75", "key76"]);
  });
});

describe("99 entries", () => {
  const all = puts(...Array.from({ length: 99 }, (_, at) => at));

  it("are twelve nodes", async () => {
    const { root, created } = await trees.change(trees.empty, all);
    expect(created).toBe(12);
    const nodes = await trees.nodes(root);
    expect(nodes).toHaveLength(12);
    expect(nodes.flatMap(({ entries }) => entries)).toHaveLength(99);
    expect(nodes.map(({ level }) => level).sort()).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2]);
  });

  it("come back in key order, from any key on", async () => {
    const root = await trees.build(all.toReversed());
    const names = all.map(({ key }) => decoder.decode(key));
    expect(await trees.keys(root)).toEqual(names);
    for (const from of [
      "",
      "key00",
      "key03",
      "key0301",
      "key49",
      "key50",
      "key501",
      "key75",
      "key98",
      "key99",
    ]) {
      const expected = names.filter((key) => key >= from);
      expect(await trees.keys(root, text(from))).toEqual(expected);
    }
  });

  it("are read without the nodes before the first key", async () => {
    const root = await trees.build(all);
    trees.reads = 0;
    await trees.keys(root, text("key90"));
    // The root, the last node of level 1, and its last leaf.
    expect(trees.reads).toBe(3);
  });
});
