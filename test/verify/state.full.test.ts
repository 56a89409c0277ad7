/** The state of contexts: each of these changes leads to findings of its own rule alone. */
import { describe, expect, it } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import { equalBytes } from "../../src/bytes/order.js";
import { entryStateKey, fullHash011, indexStateKey } from "../../src/digests/index.js";
import { ContextMeta, ContextState011, SortedIndex, SortedIndexMeta } from "../../src/keys/index.js";
import { EntityIndex011 } from "../../src/payloads/index.js";
import { type Core011, core011 } from "../../src/schemas/index.js";
import type { Store } from "../../src/store/index.js";
import { type Expected, edit, expectNews, flipped, inMemory, itFinds, nobody, rowsOf } from "./altered.js";

type State = Store<Core011>;

const node = () => inMemory("core-0.11/node-a", core011);

interface Entity {
  readonly key: ContextState011;
  readonly index: EntityIndex011;
}

/** The entities of the context with the most entities. */
async function entitiesOf(store: State): Promise<readonly Entity[]> {
  const byContext = new Map<string, Entity[]>();
  for (const { key, value } of await rowsOf(store, ContextState011)) {
    let index: EntityIndex011;
    try {
      index = EntityIndex011.decode(value);
    } catch {
      continue;
    }
    if (!equalBytes(indexStateKey(index.id), key.stateKey)) continue;
    const context = toHex(key.contextId);
    byContext.set(context, [...(byContext.get(context) ?? []), { key, index }]);
  }
  return [...byContext.values()].sort((a, b) => b.length - a.length)[0] ?? [];
}

/** An entity without children, its parent, and the root. */
async function leafOf(store: State) {
  const entities = await entitiesOf(store);
  const find = (where: (entity: Entity) => boolean): Entity => {
    const found = entities.find(where);
    if (found === undefined) throw new Error("the fixture has no such entity");
    return found;
  };
  const leaf = find(
    ({ index }) => index.deletedAt === null && index.parentId !== null && (index.children ?? []).length === 0,
  );
  const parent = find(({ index }) => equalBytes(index.id, leaf.index.parentId ?? nobody));
  const root = find(({ key, index }) => equalBytes(index.id, key.contextId));
  return { leaf, parent, root };
}

const write = (store: State, key: ContextState011, index: EntityIndex011) =>
  store.put(key, EntityIndex011.encode(index).slice());

const placed = (contextId: Uint8Array, id: Uint8Array) =>
  new ContextState011({ contextId, stateKey: indexStateKey(id) });

const dataOf = (contextId: Uint8Array, id: Uint8Array) =>
  new ContextState011({ contextId, stateKey: entryStateKey(id) });

describe("the tree of entities", () => {
  itFinds("own-hash", node, async (store) => {
    const { leaf } = await leafOf(store);
    const { contextId } = leaf.key;
    const entry = dataOf(contextId, leaf.index.id);
    await store.put(entry, flipped((await store.get(entry)) ?? nobody));
    return [["error", "own-hash", leaf.key]];
  });

  itFinds("own-hash: the data of every entity is there, but for what is deleted", node, async (store) => {
    const expected: Expected[] = [];
    for (const { key, index } of await entitiesOf(store)) {
      if (index.deletedAt !== null) continue;
      await store.delete(dataOf(key.contextId, index.id));
      expected.push(["error", "own-hash", key]);
    }
    expect(expected.length).toBeGreaterThan(100);
    return expected;
  });

  itFinds("root-hash: without its root, the state of a context is lost", node, async (store) => {
    const { root } = await leafOf(store);
    const { contextId } = root.key;
    for (const { key } of await rowsOf(store, ContextState011, (row) =>
      equalBytes(row.key.contextId, contextId),
    ))
      await store.delete(key);
    return [["error", "root-hash", new ContextMeta({ contextId })]];
  });

  itFinds("full-hash, and the parent's hash of the child", node, async (store) => {
    const { leaf, parent } = await leafOf(store);
    await write(store, leaf.key, { ...leaf.index, fullHash: nobody });
    return [
      ["error", "full-hash", leaf.key],
      ["error", "child-hash", parent.key],
    ];
  });

  it("child-hash, of a child that is gone, is no index, or has another parent", async () => {
    await expectNews(await node(), async (store) => {
      const { leaf, parent } = await leafOf(store);
      await store.delete(leaf.key);
      return [["error", "child-hash", parent.key]];
    });
    await expectNews(await node(), async (store) => {
      const { leaf, parent } = await leafOf(store);
      await store.put(leaf.key, nobody);
      return [["error", "child-hash", parent.key]];
    });
    await expectNews(await node(), async (store) => {
      const { leaf, parent } = await leafOf(store);
      await write(store, leaf.key, { ...leaf.index, parentId: nobody });
      return [
        ["error", "child-hash", parent.key],
        ["warning", "state-reachable", leaf.key],
      ];
    });
  });

  itFinds("root-entity", node, async (store) => {
    const { root, leaf, parent } = await leafOf(store);
    await write(store, root.key, { ...root.index, parentId: nobody });
    await write(store, leaf.key, { ...leaf.index, parentId: null });
    return [
      ["error", "root-entity", root.key],
      ["warning", "root-entity", leaf.key],
      ["error", "child-hash", parent.key],
    ];
  });

  itFinds(
    "state-reachable: below one that does not name it, below one that is not there",
    node,
    async (store) => {
      const { leaf } = await leafOf(store);
      const { contextId } = leaf.key;
      const stray = { ...leaf.index, id: nobody };
      const lost = { ...leaf.index, id: nobody.with(0, 1), parentId: nobody.with(0, 2) };
      for (const index of [stray, lost]) {
        await write(store, placed(contextId, index.id), { ...index, fullHash: fullHash011(index) });
        const data = await store.get(dataOf(contextId, leaf.index.id));
        await store.put(dataOf(contextId, index.id), data ?? nobody);
      }
      return [
        ["warning", "state-reachable", placed(contextId, stray.id)],
        ["warning", "state-reachable", placed(contextId, lost.id)],
      ];
    },
  );

  itFinds("says nothing of what is missing while a snapshot is being fetched", node, async (store) => {
    const { leaf, root } = await leafOf(store);
    const meta = new ContextMeta({ contextId: leaf.key.contextId });
    await edit(store, meta, () => ({ rootHash: new Uint8Array(32) }));
    await store.delete(leaf.key);
    await store.delete(root.key);
    return [];
  });

  itFinds("deleted-children: not marked, with data, still named", node, async (store) => {
    const { leaf, parent } = await leafOf(store);
    const deletedChildren = [...parent.index.deletedChildren, leaf.index.id];
    await write(store, parent.key, { ...parent.index, deletedChildren });
    return [
      ["warning", "deleted-children", parent.key],
      ["warning", "deleted-children", parent.key],
      ["warning", "deleted-children", parent.key],
    ];
  });

  itFinds("deleted-children: nothing left", node, async (store) => {
    const { parent } = await leafOf(store);
    const deletedChildren = [...parent.index.deletedChildren, nobody];
    await write(store, parent.key, { ...parent.index, deletedChildren });
    return [["info", "deleted-children", parent.key]];
  });
});

describe("sorted-index", () => {
  /** A collection whose order is marked as current, with its rows. */
  async function current(store: State) {
    for (const meta of await rowsOf(store, SortedIndexMeta)) {
      const { contextId, collectionId } = meta.key;
      const collection = await store.get(placed(contextId, collectionId));
      if (collection === undefined) continue;
      if (!equalBytes(EntityIndex011.decode(collection).fullHash, meta.value)) continue;
      const rows = await rowsOf(
        store,
        SortedIndex,
        ({ key }) => equalBytes(key.contextId, contextId) && equalBytes(key.collectionId, collectionId),
      );
      return { meta, rows };
    }
    throw new Error("the fixture has no such collection");
  }

  itFinds("of an entry without a place", node, async (store) => {
    const { meta, rows } = await current(store);
    await store.delete(rows[0].key);
    return [["warning", "sorted-index", meta.key]];
  });

  itFinds("of a place without an entry, and of one that an entry has twice", node, async (store) => {
    const { meta, rows } = await current(store);
    const { contextId, collectionId } = meta.key;
    const [none, twice] = [0xfe, 0xff].map(
      (byte) => new SortedIndex({ contextId, collectionId, orderKey: Uint8Array.of(byte, byte, byte) }),
    );
    if (none === undefined || twice === undefined) return [];
    await store.put(none, nobody);
    await store.put(twice, rows[0].value);
    return [
      ["warning", "sorted-index", none],
      ["warning", "sorted-index", twice],
      ["error", "sorted-key", none],
      ["error", "sorted-key", twice],
    ];
  });

  itFinds(
    "says nothing of what has no order: the root of a context, and an unsorted collection",
    node,
    async (store) => {
      const mark = (contextId: Uint8Array, { id, fullHash }: EntityIndex011) =>
        store.put(new SortedIndexMeta({ contextId, collectionId: id }), fullHash);
      const all = await entitiesOf(store);
      const roots = all.filter(
        ({ key, index }) => equalBytes(index.id, key.contextId) && (index.children ?? []).length > 0,
      );
      const unsorted = all.filter(
        ({ index }) => index.metadata.crdtType?.kind === "UnorderedMap" && (index.children ?? []).length > 0,
      );
      expect([roots.length, unsorted.length].every((count) => count > 0)).toBe(true);
      for (const { key, index } of [...roots, ...unsorted]) await mark(key.contextId, index);
      return [];
    },
  );

  itFinds("of a collection that does not say what it is", node, async (store) => {
    const { meta, rows } = await current(store);
    const { contextId, collectionId } = meta.key;
    const index = EntityIndex011.decode((await store.get(placed(contextId, collectionId))) ?? nobody);
    const metadata = { ...index.metadata, crdtType: null };
    await store.put(placed(contextId, collectionId), EntityIndex011.encode({ ...index, metadata }));
    await store.delete(rows[0].key);
    return [["warning", "sorted-index", meta.key]];
  });

  itFinds("says nothing of an order that the node will rebuild", node, async (store) => {
    const { meta, rows } = await current(store);
    await store.put(meta.key, nobody);
    await store.delete(rows[0].key);
    return [];
  });
});

describe("sorted-key", () => {
  itFinds(
    "of two places that have each other's entries, where nothing else is wrong",
    node,
    async (store) => {
      const [first, second] = await rowsOf(store, SortedIndex);
      if (second === undefined) return [];
      await store.put(first.key, second.value);
      await store.put(second.key, first.value);
      return [
        ["error", "sorted-key", first.key],
        ["error", "sorted-key", second.key],
      ];
    },
  );

  itFinds("of a place with another key, also if the node will rebuild the order", node, async (store) => {
    const [{ key, value }] = await rowsOf(store, SortedIndex);
    const { contextId, collectionId } = key;
    await store.put(new SortedIndexMeta({ contextId, collectionId }), nobody);
    const other = new SortedIndex({ contextId, collectionId, orderKey: Uint8Array.of(0x73) });
    await store.delete(key);
    await store.put(other, value);
    return [["error", "sorted-key", other]];
  });
});
