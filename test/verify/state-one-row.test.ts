/** Changes of a context of core-1.0 that no crash explains: each has a finding of its own rule, at its row. */
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { equalBytes } from "../../src/bytes/order.js";
import {
  admittedCountId,
  childTrieAddress,
  childTrieHash,
  fullHash,
  markedEntryId,
  writtenOnceSealId,
} from "../../src/digests/index.js";
import { SortedIndex, SortedIndexMeta } from "../../src/keys/index.js";
import { childTrieKey, type EntityIndex, entityKey, entityRow } from "../../src/layouts/index.js";
import { ChildTrieRow, type StorageType } from "../../src/payloads/index.js";
import { findingsOf, inShort, storeOf } from "./one-row/contexts.js";
import { collections, contextId, idOf, keyIn, type Made, type MadeContext, made } from "./one-row/made.js";

const small = idOf("collection 0");
const large = idOf("collection 1");
const nobody = idOf("nobody");
const entry = idOf("entry 0 0");

/** A collection of a few entries, and one with a trie of two levels. */
const base = (): Made[] => collections(5, 60);

const found = async ({ rows, rootHash }: MadeContext) =>
  inShort(await findingsOf(await storeOf(toHex(contextId), rootHash, [...rows])));

const bucketOf = (parent: Uint8Array, path: readonly number[] = []) =>
  childTrieKey(childTrieAddress(parent, path));

/** The state key as in {@link inShort}. */
const at = (rule: string, stateKey: Uint8Array) => `${rule} ${toHex(stateKey)}`;

/** The findings after changes to fields of an entity's index record, and to its data if given. */
async function foundWith(
  entities: readonly Made[],
  id: Uint8Array,
  fields: Partial<EntityIndex>,
  data?: Uint8Array | null,
) {
  const context = made(entities);
  const key = keyIn(entityKey(id));
  const row = entityRow(id).decode(fromHex(context.rows.get(key) as string));
  const index = { ...(row.index as EntityIndex), ...fields };
  const changed = { index, verbatim: null, data: data === undefined ? row.data : data };
  context.rows.set(key, toHex(entityRow(id).encode(changed)));
  return found(context);
}

/** Changes a row of a trie. */
function changeTrie(context: MadeContext, stateKey: Uint8Array, change: (row: ChildTrieRow) => ChildTrieRow) {
  const key = keyIn(stateKey);
  const row = ChildTrieRow.decode(fromHex(context.rows.get(key) as string));
  context.rows.set(key, toHex(ChildTrieRow.encode(change(row))));
}

const onBuckets = (change: (row: Extract<ChildTrieRow, { kind: "Bucket" }>) => Partial<ChildTrieRow>) => {
  return (row: ChildTrieRow) => (row.kind === "Bucket" ? ({ ...row, ...change(row) } as ChildTrieRow) : row);
};

it("finds nothing in a context as nodes write it", async () => {
  expect(await found(made(base()))).toEqual([]);
});

describe("entities", () => {
  it("own-hash: of other data, and without data", async () => {
    expect(await foundWith(base(), small, { ownHash: nobody })).toContain(at("own-hash", entityKey(small)));
    expect(await foundWith(base(), entry, {}, null)).toEqual([at("own-hash", entityKey(entry))]);
  });

  it("full-hash: of an entity with children", async () => {
    expect(await foundWith(base(), large, { fullHash: nobody })).toEqual([
      at("full-hash", entityKey(large)),
      at("child-hash", entityKey(large)),
    ]);
  });

  it("root-hash: of a whole state that is another one", async () => {
    const context = made(base());
    expect(await found({ ...context, rootHash: toHex(nobody) })).toEqual(["root-hash Meta"]);
  });

  it("root-entity and child-hash: without a parent, or with another one", async () => {
    expect(await foundWith(base(), entry, { parentId: null })).toEqual([
      at("child-hash", entityKey(entry)),
      at("root-entity", entityKey(entry)),
    ]);
    expect(await foundWith(base(), entry, { parentId: large })).toEqual([
      at("child-hash", entityKey(entry)),
      at("state-reachable", entityKey(entry)),
    ]);
  });

  it("state-rows: an unknown tag, a value that does not decode, data without an index record", async () => {
    const context = made(base());
    const tagged = Uint8Array.of(2, ...nobody);
    context.rows.set(keyIn(tagged), "e200");
    context.rows.set(keyIn(entityKey(nobody)), "e2aa");
    context.rows.set(keyIn(entityKey(entry)), "e1ff");
    expect((await found(context)).toSorted()).toEqual(
      [entityKey(nobody), tagged, entityKey(entry)].map((key) => at("state-rows", key)).sort(),
    );
  });
});

describe("tries", () => {
  it("a row of another place, under the key of a third one", async () => {
    const context = made(base());
    const [one, other] = [bucketOf(large, [1]), bucketOf(large, [2])];
    const [a, b] = [one, other].map((key) => context.rows.get(keyIn(key)) as string);
    context.rows.set(keyIn(one), b as string);
    context.rows.set(keyIn(other), a as string);
    const texts = await found(context);
    for (const key of [one, other])
      expect(texts).toEqual(expect.arrayContaining([at("trie-hash", key), at("trie-shape", key)]));
    // The children are there, and no trie leads to them.
    const rest = texts.filter((text) => !text.startsWith("trie-"));
    expect(rest.length).toBeGreaterThan(0);
    expect(rest.every((text) => text.startsWith("state-reachable 00"))).toBe(true);
  });

  it("a row that no entity leads to", async () => {
    const context = made(base());
    const stray = childTrieKey(nobody);
    context.rows.set(keyIn(stray), context.rows.get(keyIn(bucketOf(small))) as string);
    expect(await found(context)).toEqual([at("state-reachable", stray)]);
  });

  it("trie-shape: a count, a next order, an order of ids, an empty bucket, a hash of zeros", async () => {
    const cases: readonly [Uint8Array, (row: ChildTrieRow) => ChildTrieRow][] = [
      [bucketOf(large), (row) => (row.kind === "Node" ? { ...row, count: row.count + 1n } : row)],
      [bucketOf(large), (row) => ({ ...row, nextOrder: 20n })],
      [bucketOf(large, [1]), (row) => ({ ...row, nextOrder: 1n })],
      [bucketOf(small), onBuckets(({ children }) => ({ children: children.toReversed() }))],
      [bucketOf(small), onBuckets(() => ({ children: [] }))],
      [bucketOf(small), onBuckets(({ children }) => ({ children: [...children, ...children] }))],
      [
        bucketOf(small),
        onBuckets(({ children }) => ({
          children: children.map(({ id }) => ({ id, fullHash: new Uint8Array(32) })),
        })),
      ],
    ];
    for (const [key, change] of cases) {
      const context = made(base());
      changeTrie(context, key, change);
      expect(await found(context), toHex(key)).toContain(at("trie-shape", key));
    }
  });

  it("says nothing of what is missing while a snapshot is being fetched", async () => {
    const context = made(base());
    context.rows.delete(keyIn(entityKey(entry)));
    context.rows.delete(keyIn(bucketOf(large, [1])));
    expect(await found({ ...context, rootHash: "00".repeat(32) })).toEqual([]);
  });
});

const gone = idOf("gone");

/** The entities with a deleted one, which its parent lists or not. */
const withGone = (listed: boolean, storageType?: StorageType): Made[] => [
  ...base().map((one) => (listed && equalBytes(one.id, small) ? { ...one, deletedChildren: [gone] } : one)),
  { id: gone, parent: small, data: null, ...(storageType && { storageType }) },
];

describe("deleted entities", () => {
  it("are named by their parent", async () => {
    expect(await found(made(withGone(true)))).toEqual([]);
    expect(await found(made(withGone(false)))).toEqual([at("state-reachable", entityKey(gone))]);
  });

  it("have no data, and are not children", async () => {
    const withData = await foundWith(withGone(true), gone, {}, Uint8Array.of(1));
    expect(withData).toEqual([at("deleted-children", entityKey(gone))]);
    const still = await foundWith(base(), entry, { deletedAt: 1n }, null);
    expect(still).toContain(at("child-hash", bucketOf(small)));
  });

  it("are marked as deleted, and may be gone", async () => {
    const context = made(withGone(true));
    context.rows.delete(keyIn(entityKey(gone)));
    expect(await found(context)).toEqual([at("deleted-children", entityKey(small))]);
    const live = await foundWith(base(), small, { deletedChildren: [entry] });
    expect(live).toEqual([at("deleted-children", entityKey(small))]);
  });

  it("in the form of older nodes are noted", async () => {
    const context = made(withGone(true));
    const [flags, ...rest] = fromHex(context.rows.get(keyIn(entityKey(gone))) as string);
    expect(flags).toBe(0xe1);
    // The own hash and the time of the deletion, in the form of earlier rows: slim flags 01 parent, 04 deleted_at.
    const slim = Uint8Array.from(rest.slice(1));
    const deletedAt = slim.subarray(34, 42);
    const older = [0x05, ...slim.subarray(1, 33), ...nobody, ...slim.subarray(33), ...deletedAt];
    context.rows.set(keyIn(entityKey(gone)), toHex(Uint8Array.of(0xe1, older.length, ...older)));
    const store = await storeOf(toHex(contextId), context.rootHash, [...context.rows]);
    expect(await findingsOf(store)).toMatchObject([{ severity: "info", rule: "state-rows" }]);
  });

  it("written-once: an entry that came after its deletion", async () => {
    const once = idOf("once");
    const rules = { immutable: true, moderators: null };
    const context = made([
      ...base(),
      {
        id: once,
        parent: small,
        data: Uint8Array.of(9),
        storageType: { kind: "User", owner: nobody, signatureData: null, rules },
      },
    ]);
    expect(await found(context)).toEqual([]);
    const seal = writtenOnceSealId(once, true, undefined);
    const sealed = made([{ id: seal, parent: null, data: null }]);
    for (const [key, value] of sealed.rows) context.rows.set(key, value);
    expect(await found(context)).toEqual([at("written-once", entityKey(once))]);
  });
});

describe("deleted entries that are written once", () => {
  const owned = (moderators: Uint8Array | null, immutable = true) =>
    ({ kind: "User", owner: nobody, signatureData: null, rules: { immutable, moderators } }) as const;
  const shared = (mask: number) =>
    ({ kind: "Shared", writers: new Map([[toHex(nobody), mask]]), signatureData: null }) as const;

  it("are named if nobody may delete them", async () => {
    for (const storageType of [owned(null), shared(8)])
      expect(await found(made(withGone(true, storageType)))).toEqual([at("written-once", entityKey(gone))]);
  });

  it("are as they should be if a moderator or a writer may, or if they are not written once", async () => {
    for (const storageType of [owned(small), owned(null, false), shared(8 | 2), shared(4), shared(1)])
      expect(await found(made(withGone(true, storageType)))).toEqual([]);
  });
});

describe("rows that a node keeps beside the state", () => {
  const entries = Array.from({ length: 60 }, (_, at) => idOf(`entry 1 ${at}`));
  const trieRoot = (context: MadeContext) =>
    childTrieHash(ChildTrieRow.decode(fromHex(context.rows.get(keyIn(bucketOf(large))) as string)));

  async function foundBeside(
    rows: (context: MadeContext) => readonly (readonly [SortedIndex | SortedIndexMeta, Uint8Array])[],
  ) {
    const context = made(base());
    const store = await storeOf(toHex(contextId), context.rootHash, [...context.rows]);
    for (const [key, value] of rows(context))
      await store.raw.write([{ type: "put", column: key.COLUMN, key: key.bytes, value }]);
    return (await findingsOf(store)).map(({ rule, key, message }) => [rule, key?.slice(128), message]);
  }

  /** A mark that the order of the large collection is current, and its order: keys that end with the entry. */
  const orderOf = (context: MadeContext, ids: readonly Uint8Array[]) => {
    const { fullHash: full } = context.indexes.get(toHex(large)) as EntityIndex;
    return [
      [new SortedIndexMeta({ contextId, collectionId: large }), Uint8Array.of(2, ...full)] as const,
      ...ids.map((id, at) => {
        const orderKey = Uint8Array.of(at, 0, 1, ...id);
        return [new SortedIndex({ contextId, collectionId: large, orderKey }), id] as const;
      }),
    ];
  };

  it("sorted-index: an order with all entries, and one without an entry", async () => {
    expect(await foundBeside((context) => orderOf(context, entries))).toEqual([]);
    expect(await foundBeside((context) => orderOf(context, entries.slice(1)))).toEqual([
      [
        "sorted-index",
        "",
        "entries of the collection have no place in the order, which is marked as current",
      ],
    ]);
    const withoutMark = await foundBeside((context) => orderOf(context, entries.slice(1)).slice(1));
    expect(withoutMark).toEqual([]);
  });

  it("sorted-key: an entry in the place of another key", async () => {
    const orderKey = Uint8Array.of(7);
    const key = new SortedIndex({ contextId, collectionId: large, orderKey });
    expect(await foundBeside(() => [[key, markedEntryId(large, orderKey)]])).toEqual([]);
    expect(await foundBeside(() => [[key, idOf("entry 1 1")]])).toEqual([
      ["sorted-key", "07", "the entry in this place has another key"],
    ]);
  });

  it("admitted-count: more than there are", async () => {
    const key = new SortedIndexMeta({ contextId, collectionId: admittedCountId(large) });
    const count = (root: Uint8Array, admitted: number) =>
      Uint8Array.of(...root, 0, admitted, 0, 0, 0, 0, 0, 0, 0, 60, 0, 0, 0, 0, 0, 0, 0);
    expect(await foundBeside((context) => [[key, count(trieRoot(context), 60)]])).toEqual([]);
    expect(await foundBeside(() => [[key, count(nobody, 61)]])).toEqual([]);
    expect(await foundBeside((context) => [[key, count(trieRoot(context), 61)]])).toEqual([
      ["admitted-count", "", "more entries of the collection are counted than it has"],
    ]);
  });
});

it("has a trie of two levels", () => {
  const { rows, indexes } = made(base());
  expect(rows.has(keyIn(bucketOf(large, [1])))).toBe(true);
  const index = indexes.get(toHex(large)) as EntityIndex;
  expect(index.fullHash).not.toEqual(fullHash(index.ownHash));
});
