/** The edges that keep pieces. */

import { toHex } from "merostore/internal";
import { describe, expect, it } from "vitest";
import { eagerEdges, edgesOfNode, mergeEdges } from "../../src/pieces/edges.js";
import { EMPTY_NODE, type TreeNode } from "../../src/tables/tree-node.js";
import { digest, entry, identifierOf, KEY_INDEX } from "../inputs.js";

const long = (letter: string) => letter.repeat(40);
const edges = (node: TreeNode) =>
  edgesOfNode(node).map(({ digest: to, priority }) => `${priority} ${toHex(to)}`);
const edge = (priority: string, letter: string) => `${priority} ${toHex(identifierOf(long(letter)).digest)}`;

describe("nodeReferences", () => {
  it("are eager to children and eager values, lazy to lazy ones", () => {
    const node: TreeNode = {
      level: 1,
      entries: [entry("a", long("a")), entry("b", long("b"), "lazy")],
      children: [undefined, { keyIndex: KEY_INDEX, digest: digest(9, 4) }, undefined],
    };
    expect(edges(node)).toEqual([`eager ${toHex(digest(9, 4))}`, edge("eager", "a"), edge("lazy", "b")]);
  });

  it("omit inline values", () => {
    expect(edges(EMPTY_NODE)).toEqual([]);
    expect(edges({ level: 0, entries: [entry("a", "inline")], children: [undefined, undefined] })).toEqual(
      [],
    );
  });

  it("name a value once for each priority, however many entries have it", () => {
    const value = long("v");
    const entries = [
      entry("a", value),
      entry("b", value, "lazy"),
      entry("c", value),
      entry("d", value, "lazy"),
    ];
    const node = { level: 0, entries, children: new Array<undefined>(5).fill(undefined) };
    expect(edges(node)).toEqual([edge("eager", "v"), edge("lazy", "v")]);
  });
});

describe("eagerReferences", () => {
  it("name each stored piece of an index once", () => {
    const digests = [digest(1), digest(2, 2), digest(1), Uint8Array.of(1, 7)];
    expect(eagerEdges(digests)).toEqual([
      { digest: digest(1), name: toHex(digest(1)), priority: "eager" },
      { digest: digest(2, 2), name: toHex(digest(2, 2)), priority: "eager" },
    ]);
  });
});

describe("mergeReferences", () => {
  it("keeps both kinds to one piece", () => {
    const to = { digest: digest(1), name: toHex(digest(1)) };
    const eager = { ...to, priority: "eager" as const };
    const lazy = { ...to, priority: "lazy" as const };
    expect(mergeEdges([eager, lazy], [lazy, eager])).toEqual([eager, lazy]);
  });
});
