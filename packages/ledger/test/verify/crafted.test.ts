/** Rows whose ids fit their contents, but that no sound writer makes. */

import { openMemoryEngine, type WriteOperation } from "merostore/engine";
import { toHex } from "merostore/internal";
import { describe, expect, it } from "vitest";
import { digestOf, type ObjectIdentifier, sha256WithLength } from "../../src/objects.js";
import { commitRow, headRow, objectRow } from "../../src/rows/page-rows.js";
import { FIRST_COMMIT_ID } from "../../src/storage/commit.js";
import { type CommitContent, encodeCommit } from "../../src/tables/commit-table.js";
import { encodeFileIndex, type SizedPiece } from "../../src/tables/file-index.js";
import { encodeNode, type TreeEntry, type TreeNode } from "../../src/tables/tree-node.js";
import { contents, findings } from "./page.js";

const encoder = new TextEncoder();

/** "key…" are of level 0, the two others of level 1. */
const entry = (key: string): TreeEntry => ({
  key: encoder.encode(key),
  value: { keyIndex: 1, digest: digestOf(encoder.encode("value")) },
  priority: "eager",
});

/** Objects and commits of a page, one after another. */
class Crafted {
  readonly operations: WriteOperation[] = [];

  node(node: TreeNode): ObjectIdentifier {
    const content = encodeNode(node);
    return this.#object(content, digestOf(content, "tree-node"));
  }

  index(
    children: readonly SizedPiece[],
    change: (content: Uint8Array) => void = () => undefined,
  ): ObjectIdentifier {
    const content = encodeFileIndex(children);
    change(content);
    return this.#object(content, digestOf(content, "blob", "index"));
  }

  chunk(content: Uint8Array): ObjectIdentifier {
    return this.#object(content, digestOf(content));
  }

  commit(content: Partial<CommitContent>): Uint8Array {
    const root =
      content.root ?? this.node({ level: 0, entries: [entry("key00000")], children: [undefined, undefined] });
    const bytes = encodeCommit({
      timestamp: 5n,
      generation: 1n,
      parents: [FIRST_COMMIT_ID],
      ...content,
      root,
    });
    const commit = sha256WithLength(bytes);
    this.operations.push({
      type: "put",
      column: "default",
      key: commitRow.key.encode({ commit }),
      value: bytes,
    });
    return commit;
  }

  head(commit: Uint8Array, timestamp = 5n): void {
    this.operations.push(headRow.put({ commit }, timestamp));
  }

  /** The findings of these rules about the rows. */
  async said(...rules: readonly string[]): Promise<(readonly [string, string])[]> {
    await using engine = openMemoryEngine({ columns: [] });
    await engine.write(this.operations);
    const found = (await findings(engine)).filter(({ rule }) => rules.includes(rule));
    return found.map(({ key, message }) => [key, message]);
  }

  #object(content: Uint8Array, digest: Uint8Array): ObjectIdentifier {
    this.operations.push(objectRow.put({ digest }, content));
    return { keyIndex: 1, digest };
  }
}

const objectKey = ({ digest }: ObjectIdentifier): string => toHex(objectRow.key.encode({ digest }));

describe("verifyPage of tree nodes", () => {
  const leaf = (...keys: string[]): TreeNode => {
    const entries = keys.map(entry);
    return { level: 0, entries, children: Array(entries.length + 1).fill(undefined) };
  };
  const cases: [string, (page: Crafted) => ObjectIdentifier, string | undefined][] = [
    ["a sound leaf", (page) => page.node(leaf("key00000", "key00001")), undefined],
    [
      "two sound levels",
      (page) => {
        const children = [page.node(leaf("key00424")), page.node(leaf("key00426"))];
        return page.node({ level: 1, entries: [entry("key00425")], children });
      },
      undefined,
    ],
    [
      "a key of another level",
      (page) => page.node(leaf("key00000", "key00425")),
      "1 of its 2 keys are not of level 0",
    ],
    [
      "a leaf with a child",
      (page) => {
        const child = page.node(leaf("key00001"));
        return page.node({ level: 0, entries: [entry("key00000")], children: [undefined, child] });
      },
      "it is a leaf, and has a child",
    ],
    [
      "a child two levels lower",
      (page) => page.node({ level: 2, entries: [], children: [page.node(leaf("key00000"))] }),
      "its child 0 is of level 0, not 1",
    ],
    [
      "a child with keys after those that follow it",
      (page) => {
        const children = [page.node(leaf("key00424", "key00426")), undefined];
        return page.node({ level: 1, entries: [entry("key00425")], children });
      },
      "its child 0 has keys that belong elsewhere",
    ],
    [
      "three sound levels",
      (page) => {
        const below = page.node(leaf("key00000"));
        const child = page.node({ level: 1, entries: [entry("key00425")], children: [below, undefined] });
        return page.node({ level: 2, entries: [entry("k9004")], children: [undefined, child] });
      },
      undefined,
    ],
    [
      "a grandchild with keys before those that it follows",
      (page) => {
        const below = page.node(leaf("a"));
        const child = page.node({ level: 1, entries: [entry("key00425")], children: [below, undefined] });
        return page.node({ level: 2, entries: [entry("k9004")], children: [undefined, child] });
      },
      "its child 1 has keys that belong elsewhere",
    ],
    [
      "neither entries nor a child",
      (page) => page.node({ level: 3, entries: [], children: [undefined] }),
      "it has neither entries nor a child",
    ],
  ];

  it.each(cases)("%s", async (_, make, message) => {
    const page = new Crafted();
    const root = make(page);
    page.head(page.commit({ root }));
    const said = await page.said("tree-nodes", "objects");
    expect(said).toEqual(message === undefined ? [] : [[objectKey(root), message]]);
  });
});

describe("verifyPage of indexes", () => {
  const content = new Uint8Array(100).fill(7);

  it("says which piece has another size, and when the sum is wrong", async () => {
    const page = new Crafted();
    const chunk = page.chunk(content);
    const sound = page.index([
      { identifier: chunk, size: 100n },
      { identifier: chunk, size: 100n },
    ]);
    expect(await page.said("indexes", "objects")).toEqual([]);
    const wrong = page.index([
      { identifier: chunk, size: 99n },
      { identifier: sound, size: 200n },
    ]);
    const message = "its piece 0 has 100 bytes of content, the index says 99";
    expect(await page.said("indexes")).toEqual([[objectKey(wrong), message]]);
    const unequal = new Crafted();
    const index = unequal.index([{ identifier: unequal.chunk(content), size: 100n }], (bytes) => {
      // The size of the whole: the first of the two numbers.
      const at = bytes.indexOf(100);
      bytes[at] = 101;
    });
    expect(await unequal.said("indexes")).toEqual([
      [objectKey(index), "its size is not the sum of its pieces'"],
    ]);
  });

  it("takes an index with an impossible digest for none; so does reading", async () => {
    const page = new Crafted();
    const short = { keyIndex: 1, digest: Uint8Array.of(0, 1, 2) };
    const index = page.index([{ identifier: short, size: 3n }]);
    const entries: TreeEntry[] = [{ key: encoder.encode("key00000"), value: index, priority: "eager" }];
    page.head(page.commit({ root: page.node({ level: 0, entries, children: [undefined, undefined] }) }));
    expect(await page.said("objects")).toEqual([[objectKey(index), "it is not an index of pieces"]]);
    await using engine = openMemoryEngine({ columns: [] });
    await engine.write(page.operations);
    await expect(contents(engine)).rejects.toMatchObject({ code: "DATA_INTEGRITY_ERROR" });
  });
});

describe("verifyPage of commits", () => {
  it("says when generation or time do not follow from the parents, or these are out of order", async () => {
    const page = new Crafted();
    const [a, b] = [page.commit({ timestamp: 5n }), page.commit({ timestamp: 6n })];
    const [first, second] = toHex(a) < toHex(b) ? [a, b] : [b, a];
    page.head(page.commit({ generation: 2n, parents: [first, second], timestamp: 6n }), 6n);
    expect(await page.said("commits", "tips", "heads")).toEqual([]);
    const late = page.commit({ generation: 2n, parents: [first, second], timestamp: 7n });
    const high = page.commit({ generation: 9n, parents: [a] });
    const turned = page.commit({ generation: 2n, parents: [second, first], timestamp: 6n });
    for (const [commit, time] of [
      [late, 7n],
      [high, 5n],
      [turned, 6n],
    ] as const)
      page.head(commit, time);
    const key = (commit: Uint8Array): string => toHex(commitRow.key.encode({ commit }));
    expect(new Map(await page.said("commits", "tips", "heads"))).toEqual(
      new Map([
        [key(late), "it is a merge, and its time is not that of its later parent"],
        [key(high), "its generation is 9, those of its parents make it 2"],
        [key(turned), "its parents are out of order"],
      ]),
    );
  });

  it("tells a parent from a commit whose id ends differently", async () => {
    const page = new Crafted();
    const loose = page.commit({ timestamp: 5n });
    const alike = new Uint8Array(32);
    alike.set(loose.subarray(0, 31));
    page.head(page.commit({ generation: 2n, parents: [alike], timestamp: 6n }), 6n);
    const said = "no commit comes after it, and it is not a head";
    expect(await page.said("tips")).toEqual([[toHex(commitRow.key.encode({ commit: loose })), said]]);
  });
});
