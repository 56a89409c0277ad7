/** The hash of the trie of an entity's children, from their ids and hashes. */
import { childTrieHash, nibbleAt } from "../../digests/index.js";
import { BUCKET_MAX, type ChildTrieRow, type TrieChild } from "../../payloads/index.js";

/**
 * The hash of the first row of a trie, 32 bytes: up to 16 children are in one row, more in rows by the next nibble of their ids.
 *
 * @upstream storage/src/child_trie.rs (build) at 02140608 for core-1.0
 * @param children at least one, in the order of their ids, which differ
 */
export function* trieHash(children: readonly TrieChild[], depth = 0): Generator<void, Uint8Array, undefined> {
  if (children.length <= BUCKET_MAX) {
    yield;
    return childTrieHash({ kind: "Bucket", nextOrder: 0n, children });
  }
  const slots: { nibble: number; hash: Uint8Array }[] = [];
  for (let start = 0; start < children.length; ) {
    const nibble = nibbleAt((children[start] as TrieChild).id, depth);
    let end = start + 1;
    while (end < children.length && nibbleAt((children[end] as TrieChild).id, depth) === nibble) end++;
    slots.push({ nibble, hash: yield* trieHash(children.slice(start, end), depth + 1) });
    start = end;
  }
  const row: ChildTrieRow = { kind: "Node", nextOrder: 0n, count: BigInt(children.length), slots };
  return childTrieHash(row);
}
