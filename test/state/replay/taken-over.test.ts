/** Deltas of a node that is taking over entities from another: their states are found and proven by hashes. */
import { describe, expect, it } from "vitest";
import { toHex } from "../../../src/bytes/hex.js";
import { compareBytes } from "../../../src/bytes/order.js";
import { sha256 } from "../../../src/crypto/index.js";
import { Pause } from "../../../src/pause.js";
import type { AnyAction } from "../../../src/payloads/index.js";
import { AuthorStates } from "../../../src/state/replay/author-states.js";
import type { DeltaOfRow } from "../../../src/state/replay/delta.js";
import { publicMetadata } from "../../support/plain-rows.js";
import { plainDelta, replayOf } from "./plain-deltas.js";

const id = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const [root, list, other] = [id(1), id(2), id(3)];
const [inList, inOther, written] = [id(4), id(5), id(6)];
const sha = (...parts: readonly Uint8Array[]): Uint8Array => sha256(Buffer.concat(parts));
const full = (own: Uint8Array, ...children: readonly Uint8Array[]): Uint8Array =>
  children.length === 0 ? sha(own) : sha(own, ...children);

function add(
  entity: Uint8Array,
  time: bigint,
  ...above: readonly (readonly [Uint8Array, Uint8Array])[]
): AnyAction {
  const ancestors = above.map(([ancestor, merkleHash]) => ({
    id: ancestor,
    merkleHash,
    metadata: publicMetadata(1n),
  }));
  return { kind: "Add", id: entity, data: entity, ancestors, metadata: publicMetadata(time) };
}

function delta(
  name: number,
  parents: readonly number[],
  author: number,
  ...actions: readonly AnyAction[]
): DeltaOfRow {
  const last = actions.findLast((action) => "ancestors" in action && action.ancestors.length > 0);
  const hash = last && "ancestors" in last ? last.ancestors.at(-1) : undefined;
  return plainDelta({
    deltaId: id(name),
    follows: parents.map(id),
    clock: { time: BigInt(name), id: BigInt(author) },
    authorId: id(author),
    actions,
    witness: hash && "merkleHash" in hash ? { at: actions.length - 1, hash: hash.merkleHash } : undefined,
  });
}

/** The full hash of the root above some entities. */
const rootHash = (...children: readonly (readonly [Uint8Array, Uint8Array])[]): Uint8Array =>
  full(sha(root), ...children.toSorted(([a], [b]) => compareBytes(a, b)).map(([, hash]) => hash));

const leaf = (entity: Uint8Array): Uint8Array => full(sha(entity));

describe("a delta of a node that was taking over entities", () => {
  // The first node adds two collections with an entry each.
  const lists = [
    [list, full(sha(list), leaf(inList))],
    [other, full(sha(other), leaf(inOther))],
  ] as const;
  const first = delta(10, [], 77, { ...add(root, 1n), kind: "Update" } as AnyAction);
  const second = delta(
    11,
    [10],
    77,
    add(list, 2n, [root, rootHash([list, leaf(list)])]),
    add(inList, 3n, [list, lists[0][1]], [root, rootHash(lists[0])]),
    add(other, 4n, [root, rootHash(lists[0], [other, leaf(other)])]),
    add(inOther, 5n, [other, lists[1][1]], [root, rootHash(...lists)]),
  );

  async function agreementOf(third: DeltaOfRow) {
    const { graph, tree, cursor } = await replayOf([first, second, third], toHex(root));
    const pause = new Pause();
    const authors = await AuthorStates.of(graph, cursor, tree.numberOf(root), pause);
    const found = [];
    for (const number of graph.deltas.keys()) found.push(await authors.find(number, pause));
    const { isProven, state } = found[2] as (typeof found)[number];
    return { isProven, taken: (state.taken ?? []).map((entity) => toHex(tree.idOf(entity.id))) };
  }

  const stub = (entity: Uint8Array, claimed: Uint8Array, child: Uint8Array) =>
    [entity, full(claimed, leaf(child))] as const;

  it("is proven, with the collection above the entity made from its full hash", async () => {
    // The second node has one entry, below a collection whose own hash is the full hash that it had on the first node.
    const taken = stub(other, lists[1][1], inOther);
    const third = delta(12, [10], 88, add(written, 6n, [root, rootHash(taken, [written, leaf(written)])]));
    expect(await agreementOf(third)).toEqual({ isProven: true, taken: [toHex(inOther)] });
  });

  it("is proven if it took over everything of the other node", async () => {
    const all = [stub(list, lists[0][1], inList), stub(other, lists[1][1], inOther)];
    const third = delta(12, [10], 88, add(written, 6n, [root, rootHash(...all, [written, leaf(written)])]));
    const { isProven, taken } = await agreementOf(third);
    expect({ isProven, taken: taken.toSorted() }).toEqual({
      isProven: true,
      taken: [toHex(inList), toHex(inOther)],
    });
  });

  it("is not proven by another hash", async () => {
    const third = delta(12, [10], 88, add(written, 6n, [root, id(9)]));
    expect(await agreementOf(third)).toEqual({ isProven: false, taken: [] });
  });
});
