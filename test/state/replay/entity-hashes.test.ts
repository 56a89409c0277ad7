/** The full hashes of a tree follow its changes and undone changes, however few entities changed. */
import { expect, it } from "vitest";
import { IdTable } from "../../../src/bytes/id-table.js";
import { sha256 } from "../../../src/crypto/index.js";
import { childTrie, fullHash } from "../../../src/digests/index.js";
import { Pause } from "../../../src/pause.js";
import type { EntityMetadata } from "../../../src/state/index-row.js";
import type { ChildOrder } from "../../../src/state/replay/children.js";
import { ReplayedEntity } from "../../../src/state/replay/entity.js";
import { EntityTree } from "../../../src/state/replay/entity-tree.js";
import { Pieces } from "../../../src/state/replay/pieces.js";
import { publicMetadata } from "../../support/plain-rows.js";

/** Numbers below a bound, the same in each run. */
function numbers(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

const metadata: EntityMetadata = publicMetadata(0n);

/** The hash of an entity by its definition. */
function hashOf(tree: EntityTree, order: ChildOrder, id: number): Uint8Array | undefined {
  const { ownHash } = tree.get(id) ?? {};
  const children: { readonly id: Uint8Array; readonly fullHash: Uint8Array }[] = [];
  for (const child of tree.children(id)) {
    const hash = hashOf(tree, order, child);
    if (hash === undefined) return undefined;
    children.push({ id: tree.idOf(child), fullHash: hash });
  }
  if (ownHash === undefined) return undefined;
  if (order !== "trie") return sha256(ownHash, ...children.map((child) => child.fullHash));
  return fullHash(ownHash, children.length === 0 ? undefined : childTrie(tree.idOf(id), children, 0n).root);
}

it.each<[ChildOrder, number]>([
  ["id", 1],
  ["id", 2],
  ["creation", 3],
  ["creation", 4],
  ["trie", 5],
  ["trie", 6],
])("in the order by %s (seed %i)", async (order, seed) => {
  const below = numbers(seed);
  const tree = new EntityTree(order, { entities: new IdTable(), pieces: new Pieces() });
  const idOf = (at: number): number => tree.numberOf(sha256(Uint8Array.of(at & 255, at >> 8)));
  const root = idOf(0);
  const lists = [root, idOf(1), idOf(2)];
  const put = (id: number, parent: number | undefined, data: number | undefined): void => {
    const bytes = data === undefined ? undefined : Uint8Array.of(data & 255, data >> 8);
    tree.put(id, new ReplayedEntity({ parent, data: bytes, metadata, deletedAt: undefined, writer: 0 }));
  };
  for (const list of lists) put(list, undefined, 1);
  for (const list of lists.slice(1)) tree.addChild(root, list, 5n);
  /** The numbers of changes to undo to. */
  const marks: number[] = [];
  const compared = { known: 0, unknown: 0 };
  for (let round = 0; round < 400; round++) {
    const changes = below(12) === 0 ? 150 : below(4);
    for (let count = 0; count < changes; count++) {
      const list = lists[below(lists.length)] as number;
      const id = idOf(3 + below(200));
      const action = below(10);
      if (action < 6) {
        put(id, list, below(500) === 0 ? undefined : below(65_536));
        tree.addChild(list, id, BigInt(below(40)));
      } else if (action < 8) tree.dropChild(list, id);
      else put(list, undefined, below(100));
    }
    if (below(3) === 0) marks.push(tree.changes);
    const back = below(4) === 0 ? marks.pop() : undefined;
    if (back !== undefined) await tree.undoTo(back, new Pause());
    if (below(3) === 0) continue; // lets changes of several rounds come together
    const hash = tree.hash(root);
    compared[hash === undefined ? "unknown" : "known"]++;
    expect(hash).toEqual(hashOf(tree, order, root));
  }
  expect(Math.min(compared.known, compared.unknown)).toBeGreaterThan(20);
});
