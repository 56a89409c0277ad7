/** The rows of tries of children that can differ between two states of a context. */
import { concat } from "../../bytes/concat.js";
import { fromHex } from "../../bytes/hex.js";
import { childTrieAddress } from "../../digests/index.js";
import { childTrieKey } from "../../layouts/index.js";
import { Pause } from "../../pause.js";
import { BUCKET_MAX } from "../../payloads/index.js";
import type { Schema } from "../../schemas/index.js";
import { layoutOf } from "../layouts/layout-of.js";
import type { ContextReplay } from "./replay.js";

/**
 * The keys of the rows of tries that can differ between two states if some entities differ: the rows above these
 * entities, and all rows below a row that is a leaf in one state only. Empty if nodes keep no tries.
 *
 * @internal
 * @param replays two replays of one context, moved to the states
 * @param differing the ids of the entities, 64 hex digits each
 */
export async function* trieRowsAbove(
  schema: Schema,
  replays: readonly [ContextReplay, ContextReplay],
  differing: Iterable<string>,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (layoutOf(schema).replay.childOrder !== "trie") return;
  const trees = replays.map(({ tree }) => tree);
  const below = new Map<string, Set<string>>();
  for (const id of differing)
    for (const parent of new Set(trees.map((tree) => tree.parentOf(id))))
      if (parent !== undefined) below.set(parent, (below.get(parent) ?? new Set()).add(id));
  const context = fromHex(replays[0].contextId);
  const pause = new Pause();
  for (const [parent, ids] of below) {
    const all = trees.map((tree) => tree.children(parent));
    for await (const address of addresses({ parent: fromHex(parent), pause }, all, [...ids], ""))
      yield concat(context, childTrieKey(address));
  }
}

/**
 * The addresses of rows of a trie.
 *
 * @param states the children of each state whose ids begin with the path
 * @param differing the children that differ; undefined if all rows do
 * @param path hex digits
 */
async function* addresses(
  of: { readonly parent: Uint8Array; readonly pause: Pause },
  states: readonly (readonly string[])[],
  differing: readonly string[] | undefined,
  path: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield childTrieAddress(
    of.parent,
    Array.from(path, (digit) => Number.parseInt(digit, 16)),
  );
  const isNode = (children: readonly string[]): boolean => children.length > BUCKET_MAX;
  if (!states.some(isNode)) return;
  const isOther = differing === undefined || !states.every(isNode);
  for (const digit of "0123456789abcdef") {
    const next = `${path}${digit}`;
    const isBelow = (id: string): boolean => id.startsWith(next);
    if (of.pause.isLong) await of.pause.ifLong();
    const some = differing?.filter(isBelow);
    if (!isOther && some?.length === 0) continue;
    const children = states.map((ids) => ids.filter(isBelow));
    if (children.every(({ length }) => length === 0)) continue;
    yield* addresses(of, children, isOther ? undefined : some, next);
  }
}
