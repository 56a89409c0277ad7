/** Differences of nodes of core-1.0, in cases made by hand: deltas carry no hash, and children lie in tries. */
import { describe, expect, it } from "vitest";
import { copyBytes } from "../../src/bytes/bytes.js";
import { toHex } from "../../src/bytes/hex.js";
import { collectionId } from "../../src/digests/index.js";
import type { WriteOperation } from "../../src/engine/engine.js";
import { entityRow } from "../../src/layouts/index.js";
import { CalimeroNode } from "../../src/node/index.js";
import type { Action } from "../../src/payloads/index.js";
import { type WhyPair, type WhySource, whyDiffer } from "../../src/why/index.js";
import {
  CONTEXT,
  checkpointRow,
  deltaId,
  deltaRow,
  entityRowKey,
  falsified,
  history,
  itemId,
  type MadeDelta,
  metaRow,
  rowsAfter,
  setItem,
  storeWith,
} from "../state/replay/made-deltas.js";
import { countsOf } from "./changed.js";

/** Enough items that their trie has nodes, and buckets that become nodes. */
const deltas: readonly MadeDelta[] = [
  ...history,
  ...Array.from({ length: 60 }, (_, at) => ({
    number: 7 + at,
    actions: [setItem(`item ${at}`, "x", 7 + at)],
  })),
];
const LAST = deltas.length;
const { rows: whole, rootHash: root } = await rowsAfter(CONTEXT, deltas);

/** The answer about the context. Exchanging the nodes must not change it. */
async function why(a: readonly WriteOperation[], b: readonly WriteOperation[]): Promise<WhyPair> {
  await using first = await storeWith(a);
  await using second = await storeWith(b);
  const sources: WhySource[] = [
    { name: "A", reader: first, node: new CalimeroNode(first) },
    { name: "B", reader: second, node: new CalimeroNode(second) },
  ];
  const how = { context: toHex(CONTEXT) };
  const [answer] = await whyDiffer(sources, how);
  const [other] = await whyDiffer(sources.toReversed(), how);
  expect(other?.sentence).toBe(answer?.sentence);
  expect(countsOf(other)).toEqual(countsOf(answer));
  expect(answer?.pairs[0]?.unexplained).toEqual([]);
  return answer?.pairs[0] as WhyPair;
}

describe("a context of core-1.0 differs because", () => {
  it("one node lags, by any number of deltas: each row is explained", async () => {
    for (const lag of [1, 47]) {
      const behind = (await rowsAfter(CONTEXT, deltas.slice(0, LAST - lag))).rows;
      const found = await why(whole, behind);
      expect(found).toMatchObject({ verdict: "ahead", about: ["B"] });
      expect(found.sentence).toBe(`B lacks the last ${lag === 1 ? "delta" : `${lag} deltas`} of A`);
    }
  });

  it("each node lacks deltas of the other", async () => {
    const other = { number: 99, parents: [6], actions: [setItem("z", "own", 99)], author: 0xb0 };
    const found = await why(whole, (await rowsAfter(CONTEXT, [...history, other])).rows);
    expect(found.verdict).toBe("both");
    expect(found.sentence).toBe("A lacks 1 delta of B, and B lacks 60 deltas of A");
  });

  it("an entity was falsified: it is named with its delta, and the right node", async () => {
    const { row, found: hash, wanted } = falsified(whole, itemId("b"));
    const found = await why(whole, [...whole, row]);
    expect(found).toMatchObject({ verdict: "diverged", about: ["B"] });
    const entity = toHex(itemId("b")).slice(0, 8);
    expect(found.sentence).toBe(
      `the state of B differs from the replay of its deltas: entity ${entity} has other data than delta ${toHex(deltaId(3)).slice(0, 8)} gave it; A agrees with them`,
    );
    expect(found.causes[0]?.contradictions).toEqual([
      expect.objectContaining({ entity: toHex(itemId("b")), wanted: toHex(wanted), found: toHex(hash) }),
    ]);
  });

  it("a row of the trie of children was falsified, is gone, or was never written: the right node is named", async () => {
    const tries = whole.filter(({ column, key }) => column === "State" && key[32] === 3);
    const [node, bucket] = [0xa2, 0xb2].map((tag) => tries.find(({ value }) => value[0] === tag));
    const at = (row: typeof node, change: (value: Uint8Array) => void) => {
      const value = copyBytes(row?.value ?? new Uint8Array());
      change(value);
      return { ...row, value } as NonNullable<typeof row>;
    };
    const flip = (place: number) => (value: Uint8Array) => {
      value[value.length + place] = (value.at(place) as number) ^ 1;
    };
    const stray = copyBytes(bucket?.key ?? new Uint8Array());
    stray[64] = (stray[64] as number) ^ 1;
    for (const [rows, words] of [
      [
        [at(node, flip(-5))],
        /^slots\[\d+\]\.hash in a row of the trie of children of entity .{8} of B differs from the replay of its deltas$/,
      ],
      [
        [at(node, flip(1 - (node?.value.length ?? 0)))],
        /^nextOrder in a row of the trie of children of entity .{8} of B differs from the replay of its deltas$/,
      ],
      [
        [at(bucket, flip(-5))],
        /^children\[\d+\]\.fullHash in a row of the trie of children of entity .{8} of B differs from the replay of its deltas$/,
      ],
      [
        [{ type: "delete", column: "State", key: bucket?.key ?? stray }],
        /^a row of the trie of children of entity .{8} is missing at B, whose/,
      ],
      [
        [at(bucket, () => {}), { ...at(bucket, () => {}), key: stray }],
        /^a row of the state of B belongs to no entity$/,
      ],
    ] as const) {
      const found = await why(whole, [...whole, ...rows]);
      expect(found).toMatchObject({ verdict: "diverged", about: ["B"], unexplainedCount: 0 });
      const [, said, judge] = /^both have the same data, but (.*); (A is right)$/.exec(found.sentence) ?? [];
      expect(said).toMatch(words);
      expect(judge).toBeDefined();
    }
  });

  it("nothing: a node counts the order of children that were deleted too", async () => {
    const root = whole.find(
      ({ column, key, value }) => column === "State" && key[32] === 3 && (value[1] ?? 0) > 0,
    );
    const value = copyBytes(root?.value ?? new Uint8Array());
    value[1] = (value[1] as number) + 1;
    const found = await why(whole, [...whole, { ...(root as (typeof whole)[number]), value }]);
    expect(found).toMatchObject({ verdict: "equal", about: [], unexplainedCount: 0 });
  });

  it("a node took over a state with a delta that the other lacks: the other one is behind", async () => {
    const [some, later] = [
      history.slice(0, 4),
      { number: 8, parents: [4], actions: [setItem("e", "own", 8)] },
    ];
    const taken = history.slice(0, 5);
    const { rootHash } = await rowsAfter(CONTEXT, taken);
    const { rows } = await rowsAfter(CONTEXT, [...taken, later]);
    const joined = [
      ...rows.filter(({ column }) => column !== "Delta"),
      ...[4, 5].map((number) => checkpointRow(CONTEXT, number, rootHash)),
      deltaRow(CONTEXT, later),
    ];
    const found = await why((await rowsAfter(CONTEXT, [...some, later])).rows, joined);
    expect(found).toMatchObject({ verdict: "behind", about: ["A"], unexplainedCount: 0 });
    expect(found.sentence).toBe(`A lacks delta ${toHex(deltaId(5)).slice(0, 8)}, which B has by a snapshot`);
  });

  it("nothing: a node keeps the order of an entry that it added first", async () => {
    const id = itemId(`item ${LAST - 7}`);
    const key = entityRowKey(id);
    const row = whole.find((one) => one.column === "State" && toHex(one.key) === toHex(key));
    const { index, ...rest } = entityRow(id).decode(row?.value ?? new Uint8Array());
    if (index === null || index.metadata.order !== BigInt(LAST))
      throw new Error("another entry is the last one");
    const metadata = { ...index.metadata, order: 1n };
    const value = Uint8Array.from(entityRow(id).encode({ ...rest, index: { ...index, metadata } }));
    const trie = whole.find(
      ({ column, key, value }) => column === "State" && key[32] === 3 && value[1] === LAST + 1,
    ) as (typeof whole)[number];
    const own = copyBytes(trie.value);
    own[1] = LAST;
    const found = await why(whole, [
      ...whole,
      { type: "put", column: "State", key, value },
      { ...trie, value: own },
    ]);
    expect(found).toMatchObject({ verdict: "equal", about: [], unexplainedCount: 0 });
  });

  it("nothing: nodes list deleted children in the order in which they learned of them, and drop them", async () => {
    const remove = (number: number, name: string): MadeDelta => {
      const { metadata } = setItem(name, "", 2) as Extract<Action, { kind: "Add" }>;
      const deletedAt = metadata.updatedAt + BigInt(number) * 1_000_000_000n;
      return {
        number,
        parents: [6],
        actions: [{ kind: "DeleteRef", id: itemId(name), deletedAt, metadata }],
      };
    };
    const { rows } = await rowsAfter(CONTEXT, [...history, remove(7, "a"), remove(8, "b")]);
    const key = entityRowKey(collectionId("items"));
    const row = rows.find((one) => one.column === "State" && toHex(one.key) === toHex(key));
    const codec = entityRow(collectionId("items"));
    const entity = codec.decode(row?.value ?? new Uint8Array());
    if (entity.index === null) throw new Error("the collection has no index");
    const { index } = entity;
    expect(index.deletedChildren).toHaveLength(2);
    const listed = (deletedChildren: Uint8Array[]): WriteOperation => {
      const value = Uint8Array.from(codec.encode({ ...entity, index: { ...index, deletedChildren } }));
      return { type: "put", column: "State", key, value };
    };
    const gone: WriteOperation = { type: "delete", column: "State", key: entityRowKey(itemId("a")) };
    for (const changes of [
      [listed(index.deletedChildren.toReversed())],
      // A day later, a node drops what is left of deleted entities.
      [listed(index.deletedChildren.filter((id) => toHex(id) !== toHex(itemId("a")))), gone],
    ]) {
      const found = await why(rows, [...rows, ...changes]);
      expect(found).toMatchObject({ verdict: "equal", about: [], unexplainedCount: 0 });
    }
  });

  it("is not known where a row of the state does not decode: the row is named, and has a cause", async () => {
    const cut = (name: string) =>
      ({
        type: "put",
        column: "State",
        key: entityRowKey(itemId(name)),
        value: Uint8Array.of(0xff),
      }) as const;
    const found = await why(whole, [...whole, cut("b")]);
    expect(found).toMatchObject({ verdict: "unknown", about: ["B"], unexplainedCount: 0 });
    expect(found.causes).toEqual([
      expect.objectContaining({
        rule: "unread",
        sentence: `row ${toHex(itemId("b")).slice(0, 8)} of State of node B does not decode: what it holds is unknown`,
        rowCount: 1,
      }),
    ]);
    const two = await why(whole, [...whole, cut("a"), cut("b")]);
    expect(two.causes[0]?.sentence).toMatch(
      /^2 rows of node B, the first of them [0-9a-f]{8} of State, do not decode/,
    );
  });

  it("one node wrote a state without its deltas", async () => {
    const state = whole.filter(({ column }) => column === "State");
    const some = deltas.slice(0, -2).map((delta) => deltaRow(CONTEXT, delta));
    const found = await why(whole, [...some, ...state, metaRow(CONTEXT, root, [LAST - 2])]);
    expect(found).toMatchObject({ verdict: "repaired", about: ["B"] });
    expect(found.sentence).toBe(
      "the state of B has 2 entities that no delta of it explains: it was written without deltas",
    );
  });

  it("one node lost an entity of its deltas, with its place in the tree", async () => {
    const empty = deltas.map((delta) => (delta.number === 3 ? { ...delta, actions: [] } : delta));
    const { rootHash, rows } = await rowsAfter(CONTEXT, empty);
    const state = rows.filter(({ column }) => column === "State");
    const own = deltas.map((delta) => deltaRow(CONTEXT, delta));
    const found = await why(whole, [...own, ...state, metaRow(CONTEXT, rootHash, [LAST])]);
    expect(found).toMatchObject({ verdict: "repaired", about: ["B"] });
    expect(found.sentence).toBe(
      `the state of B lacks entity ${toHex(itemId("b")).slice(0, 8)} of its deltas: it was written without deltas`,
    );
  });

  it("a node took over an entity that was falsified: the checkpoint or the other's delta tells which is right", async () => {
    const later = { number: 7, actions: [setItem("e", "fifth", 7)] };
    const forged = history.map((one) =>
      one.number === 3 ? { ...one, actions: [setItem("b", "forged", 3)] } : one,
    );
    const { rootHash } = await rowsAfter(CONTEXT, history);
    const [right, wrong] = [
      (await rowsAfter(CONTEXT, [...history, later])).rows,
      (await rowsAfter(CONTEXT, [...forged, later])).rows,
    ];
    const joined = (rows: typeof right, checkpoint: readonly WriteOperation[]) => [
      ...rows.filter(({ column }) => column !== "Delta"),
      ...checkpoint,
      deltaRow(CONTEXT, later),
    ];
    const checkpoint = [checkpointRow(CONTEXT, 6, rootHash)];
    const same = `entity ${toHex(itemId("b")).slice(0, 8)} is not the same at A and B: `;
    for (const [a, b, sentence, about] of [
      [
        joined(right, checkpoint),
        joined(wrong, checkpoint),
        "B has it from before the first delta; A is right",
        ["B"],
      ],
      [right, joined(wrong, checkpoint), "B has it from before the first delta; A is right", ["B"]],
      [right, joined(wrong, []), "B has it from before the first delta; A is right", ["B"]],
      [
        joined(wrong, []),
        joined(right, []),
        "they have it from before the first delta; nothing tells which is right",
        ["A", "B"],
      ],
    ] as const) {
      const found = await why(a, b);
      expect(found).toMatchObject({ verdict: "diverged", sentence: `${same}${sentence}`, about });
      expect(found.causes.find(({ rule }) => rule === "contradiction")?.contradictions).toHaveLength(1);
    }
  });

  it("both have a delta that is not the same: nothing tells which is right, as it carries no hash", async () => {
    const other = deltaRow(CONTEXT, { ...(deltas.at(-1) as MadeDelta), author: 0xb0 });
    const found = await why(whole, [...whole, other]);
    expect(found).toMatchObject({ verdict: "diverged", about: ["A", "B"] });
    const delta = toHex(deltaId(LAST)).slice(0, 8);
    expect(found.sentence).toBe(
      `both have the same state, but delta ${delta} is not the same at A and B: authorId differs`,
    );
  });

  it("nothing: a node that joined with a snapshot has the same state", async () => {
    const before = await rowsAfter(CONTEXT, deltas.slice(0, 30));
    const joined = [
      ...whole.filter(({ column }) => column !== "Delta"),
      checkpointRow(CONTEXT, 30, before.rootHash),
      ...deltas.slice(30).map((delta) => deltaRow(CONTEXT, delta)),
    ];
    const found = await why(whole, joined);
    expect(found.verdict).toBe("snapshot");
    expect(found.sentence).toContain("both have the same state");
    expect((await why(whole, whole)).verdict).toBe("equal");
    const id = toHex(deltaId(30)).slice(0, 8);
    const without = joined.filter(({ key }) => !toHex(key).endsWith(toHex(deltaId(30))));
    expect(await why(joined, without)).toMatchObject({
      verdict: "snapshot",
      sentence: `both have the same state; B does not have the checkpoint ${id} of A`,
    });
    expect(
      await why(
        whole,
        without.filter(({ column }) => column !== "Delta"),
      ),
    ).toMatchObject({
      verdict: "snapshot",
      sentence:
        "both have the same state; no checkpoint of B says whether it took the older deltas over or lost them",
    });
  });
});
