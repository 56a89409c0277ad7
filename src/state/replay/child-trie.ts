/** The trie of one entity's children. After a change of a child, only the rows on the path to it are hashed again. */
import { firstNotBefore } from "../../bytes/search.js";
import { childTrieHash, fullHash, nibbleAt } from "../../digests/index.js";
import { BUCKET_MAX, type TrieChild } from "../../payloads/index.js";
import type { HashedChildren } from "./child-hashes.js";

/** The deepest rows whose hashes are kept: their places are still exact numbers. Only forged ids make deeper ones. */
const DEEPEST = 12;

/** The place of the first row. The place of a row below another row is 16 times that row's place, plus the nibble. */
const FIRST = 1;

/**
 * Up to 16 children are in one row of the trie, more in rows by the next nibble of their ids.
 *
 * @upstream storage/src/child_trie.rs (build) at 02140608 for core-1.0
 */
export class ChildTrie implements HashedChildren {
  readonly changed = new Set<number>();
  readonly #idOf: (child: number) => Uint8Array;
  readonly #hashOf: (child: number) => Uint8Array | undefined;
  /** The hashes of rows by their places. */
  readonly #rows = new Map<number, Uint8Array>();

  /** @param hashOf the full hash of a child; undefined if it is not known */
  constructor(idOf: (child: number) => Uint8Array, hashOf: (child: number) => Uint8Array | undefined) {
    this.#idOf = idOf;
    this.#hashOf = hashOf;
  }

  *fullHash(own: Uint8Array, children: Uint32Array): Generator<void, Uint8Array | undefined, undefined> {
    for (const child of this.changed) {
      const id = this.#idOf(child);
      for (
        let [depth, place] = [0, FIRST];
        depth <= DEEPEST;
        place = placeBelow(place, nibbleAt(id, depth++))
      )
        this.#rows.delete(place);
    }
    this.changed.clear();
    const hash = yield* this.#row(children, 0, FIRST);
    return hash && fullHash(own, hash);
  }

  /**
   * Returns the hash of a row, step by step; undefined if the hash of a child is not known.
   *
   * @param children the children below it, in the order of their ids
   */
  *#row(
    children: Uint32Array,
    depth: number,
    place: number,
  ): Generator<void, Uint8Array | undefined, undefined> {
    const kept = depth <= DEEPEST ? this.#rows.get(place) : undefined;
    if (kept !== undefined) return kept;
    yield;
    const hash =
      children.length <= BUCKET_MAX ? this.#bucket(children) : yield* this.#node(children, depth, place);
    if (hash !== undefined && depth <= DEEPEST) this.#rows.set(place, hash);
    return hash;
  }

  #bucket(numbers: Uint32Array): Uint8Array | undefined {
    const children: TrieChild[] = [];
    for (const child of numbers) {
      const hash = this.#hashOf(child);
      if (hash === undefined) return undefined;
      children.push({ id: this.#idOf(child), fullHash: hash });
    }
    return childTrieHash({ kind: "Bucket", nextOrder: 0n, children });
  }

  *#node(
    children: Uint32Array,
    depth: number,
    place: number,
  ): Generator<void, Uint8Array | undefined, undefined> {
    const nibble = (at: number): number => nibbleAt(this.#idOf(children[at] as number), depth);
    const slots: { nibble: number; hash: Uint8Array }[] = [];
    for (let start = 0; start < children.length; ) {
      const first = nibble(start);
      const end = endOf(start, children.length, (at) => nibble(at) === first);
      const below = yield* this.#row(children.subarray(start, end), depth + 1, placeBelow(place, first));
      if (below === undefined) return undefined;
      slots.push({ nibble: first, hash: below });
      start = end;
    }
    return childTrieHash({ kind: "Node", nextOrder: 0n, count: BigInt(children.length), slots });
  }
}

function placeBelow(place: number, nibble: number): number {
  return place * 16 + nibble;
}

/** The first place after `start` at which `holds` returns false. */
function endOf(start: number, length: number, holds: (at: number) => boolean): number {
  const after = start + 1;
  return after + firstNotBefore(length - after, (at) => holds(after + at));
}
