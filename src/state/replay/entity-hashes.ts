/**
 * The full hash of an entity is SHA-256 over the hash of its data and the full hashes of its children that live: by their ids, and in
 * core-0.10 in the order of their creation. In core-1.0 the hash of the trie of its children takes their place.
 *
 * @upstream storage/src/interface.rs:3370; storage/src/index.rs:595-612; storage/src/child_trie.rs (TrieRow) at 02140608 for core-1.0
 */
import { ID_BYTES } from "../../bytes/id-table.js";
import { sha256, startSha256 } from "../../crypto/index.js";
import { fullHash } from "../../digests/index.js";
import type { TrieChild } from "../../payloads/index.js";
import type { Children } from "./children.js";
import { trieHash } from "./trie-hash.js";

/** Words of a hash. */
const WORDS = 8;

/** The hash of an entity is not computed, is known, or depends on data that nothing says. */
const [NOT_COMPUTED, KNOWN, UNKNOWN] = [0, 1, 2];

/** Children that are looked at or hashed in one step. */
const STEP = 2048;

/** Full hashes by the numbers of entities. If that of an entity is computed, those of all entities below it are. */
export class EntityHashes {
  readonly #children: Children;
  readonly #ownHash: (id: number) => Uint8Array | undefined;
  readonly #leafHash: (id: number) => Uint8Array | undefined;
  readonly #idOf: ((id: number) => Uint8Array) | undefined;
  #hashes = new Int32Array(64 * WORDS);
  #states = new Uint8Array(64);

  /**
   * @param ownHash the own hash of an entity; undefined if it is not there, or nothing says its data
   * @param leafHash the full hash that an entity has without children
   * @param idOf the id of an entity, 32 bytes, where children are in a trie
   */
  constructor(
    children: Children,
    ownHash: (id: number) => Uint8Array | undefined,
    leafHash: (id: number) => Uint8Array | undefined,
    idOf?: (id: number) => Uint8Array,
  ) {
    this.#children = children;
    this.#ownHash = ownHash;
    this.#leafHash = leafHash;
    this.#idOf = idOf;
  }

  /** A hash that is computed, 32 bytes; undefined if it is not known. */
  get(id: number): Uint8Array | undefined {
    if (this.#states[id] !== KNOWN) return undefined;
    return new Uint8Array(this.#hashes.buffer.slice(id * WORDS * 4, (id + 1) * WORDS * 4));
  }

  /** Forgets the hash of an entity and of all that have it below them. */
  forget(id: number): void {
    const states = this.#states;
    if (id < states.length) states[id] = NOT_COMPUTED;
    for (const open = [id]; open.length > 0; )
      this.#children.eachParent(open.pop() as number, (above) => {
        if ((states[above] ?? NOT_COMPUTED) === NOT_COMPUTED) return;
        states[above] = NOT_COMPUTED;
        open.push(above);
      });
  }

  /**
   * Computes the hash of an entity and of all below it, step by step. Nothing may change until the last one.
   *
   * @param size the number of entities
   */
  *computing(id: number, size: number): Generator<void, void, undefined> {
    if (this.#states.length < size) this.#grow(size);
    if (this.#states[id] !== NOT_COMPUTED) return;
    yield* this.#children.sorting(id);
    const open = [{ id, children: this.#children.sorted(id), next: 0 }];
    const isOpen = new Set([id]);
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const child = top.children[top.next++];
      if (child === undefined) {
        yield* this.#compute(top.id, top.children);
        isOpen.delete(top.id);
        open.pop();
        yield;
        continue;
      }
      if (top.next % STEP === 0) yield;
      // An entity that is below itself, which only forged deltas make, has no hash.
      if (this.#states[child] !== NOT_COMPUTED || isOpen.has(child)) continue;
      yield* this.#children.sorting(child);
      isOpen.add(child);
      open.push({ id: child, children: this.#children.sorted(child), next: 0 });
    }
  }

  *#compute(id: number, children: Uint32Array): Generator<void, void, undefined> {
    this.#states[id] = UNKNOWN;
    if (children.length === 0) {
      const hash = this.#leafHash(id);
      if (hash !== undefined) this.#set(id, hash);
      return;
    }
    const own = this.#ownHash(id);
    if (own === undefined) return;
    if (this.#idOf !== undefined) {
      yield* this.#computeTrie(id, own, children, this.#idOf);
      return;
    }
    const isLong = children.length > STEP;
    const hash = isLong ? startSha256() : undefined;
    hash?.update(own);
    const start = isLong ? 0 : WORDS;
    const words = new Int32Array(start + WORDS * Math.min(STEP, children.length));
    const bytes = new Uint8Array(words.buffer);
    if (!isLong) bytes.set(own);
    let at = start;
    for (const child of children) {
      if (this.#states[child] !== KNOWN) return;
      const end = (child + 1) * WORDS;
      for (let word = end - WORDS; word < end; word++) words[at++] = this.#hashes[word] as number;
      if (at < words.length || hash === undefined) continue;
      hash.update(bytes);
      at = 0;
      yield;
    }
    hash?.update(bytes.subarray(0, at * 4));
    const found = hash === undefined ? sha256(bytes) : hash.digest();
    this.#set(id, found);
  }

  *#computeTrie(
    id: number,
    own: Uint8Array,
    children: Uint32Array,
    idOf: (id: number) => Uint8Array,
  ): Generator<void, void, undefined> {
    const listed: TrieChild[] = [];
    for (const child of children) {
      const hash = this.get(child);
      if (hash === undefined) return;
      listed.push({ id: idOf(child), fullHash: hash });
      if (listed.length % STEP === 0) yield;
    }
    this.#set(id, fullHash(own, yield* trieHash(listed)));
  }

  #set(id: number, hash: Uint8Array): void {
    new Uint8Array(this.#hashes.buffer, id * ID_BYTES, ID_BYTES).set(hash);
    this.#states[id] = KNOWN;
  }

  #grow(size: number): void {
    const [hashes, states] = [this.#hashes, this.#states];
    const larger = size + (size >> 2);
    this.#hashes = new Int32Array(larger * WORDS);
    this.#hashes.set(hashes);
    this.#states = new Uint8Array(larger);
    this.#states.set(states);
  }
}
