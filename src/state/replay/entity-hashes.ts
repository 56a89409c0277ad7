/**
 * The full hash of an entity is SHA-256 over the hash of its data and the full hashes of its children that are not
 * deleted, in the order of their ids, or in core-0.10 of their creation. In core-1.0, the hash of the trie of its
 * children replaces these hashes.
 *
 * @upstream storage/src/interface.rs:3370; storage/src/index.rs:595-612; storage/src/child_trie.rs (TrieRow) at
 * 02140608 for core-1.0
 */
import { copyBytes } from "../../bytes/bytes.js";
import { ID_BYTES } from "../../bytes/id-table.js";
import { sha256 } from "../../crypto/index.js";
import { ChildHashes, type HashedChildren } from "./child-hashes.js";
import { ChildTrie } from "./child-trie.js";
import type { Children } from "./children.js";

/** The hash of an entity is not computed, is known, or depends on unknown data. */
const [NOT_COMPUTED, KNOWN, UNKNOWN] = [0, 1, 2];

/** The number of children that are visited in one step. */
const STEP = 2048;

/** The number of changed children from which keeping the other hashes saves no time. */
const MANY = 64;

/** The number of children up to which their hashes are collected anew for each hash of the entity. */
const FEW = 32;

/**
 * Full hashes by the numbers of entities. If the hash of an entity is computed, the hashes of all entities below it are
 * too.
 */
export class EntityHashes {
  readonly #children: Children;
  readonly #ownHash: (id: number) => Uint8Array | undefined;
  readonly #leafHash: (id: number) => Uint8Array | undefined;
  readonly #idOf: ((id: number) => Uint8Array) | undefined;
  #bytes = new Uint8Array(64 * ID_BYTES);
  #states = new Uint8Array(64);
  /** The hashes of the children of entities with many. */
  readonly #ofChildren = new Map<number, HashedChildren>();

  /**
   * @param ownHash the own hash of an entity; undefined if the entity is not there, or its data is unknown
   * @param leafHash the full hash of an entity without its children
   * @param idOf the id of an entity, 32 bytes; needed if children are in a trie
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
    return copyBytes(this.#bytes.subarray(id * ID_BYTES, (id + 1) * ID_BYTES));
  }

  /**
   * Forgets the hash of an entity and of all that have it below them.
   *
   * @param child a child that the entity got or lost
   */
  forget(id: number, child?: number): void {
    const states = this.#states;
    if (child !== undefined) this.#hasChanged(id, child);
    const wasComputed = (states[id] ?? NOT_COMPUTED) !== NOT_COMPUTED;
    if (id < states.length) states[id] = NOT_COMPUTED;
    for (const open = [id]; open.length > 0; ) {
      const below = open.pop() as number;
      this.#children.eachParent(below, (above) => {
        if (below !== id || wasComputed) this.#hasChanged(above, below);
        if ((states[above] ?? NOT_COMPUTED) === NOT_COMPUTED) return;
        states[above] = NOT_COMPUTED;
        open.push(above);
      });
    }
  }

  #hasChanged(id: number, child: number): void {
    const { changed } = this.#ofChildren.get(id) ?? {};
    changed?.add(child);
    if (changed !== undefined && changed.size > MANY) this.#ofChildren.delete(id);
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
    const open = [{ id, children: this.#notComputed(id), next: 0 }];
    const isOpen = new Set([id]);
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const child = top.children[top.next++];
      if (child === undefined) {
        yield* this.#compute(top.id, this.#children.sorted(top.id));
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
      open.push({ id: child, children: this.#notComputed(child), next: 0 });
    }
  }

  /** The children whose hashes may have to be computed. */
  #notComputed(id: number): Uint32Array {
    const hashed = this.#ofChildren.get(id);
    if (hashed === undefined) return this.#children.sorted(id);
    return Uint32Array.from([...hashed.changed].filter((child) => this.#children.has(id, child)));
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
    const isLong = children.length > FEW;
    if (isLong || this.#idOf !== undefined) {
      const hashed = this.#ofChildren.get(id) ?? this.#hashedChildren(this.#idOf);
      if (isLong) this.#ofChildren.set(id, hashed);
      const hash = yield* hashed.fullHash(own, children);
      if (hash !== undefined) this.#set(id, hash);
      return;
    }
    this.#ofChildren.delete(id);
    const bytes = new Uint8Array(ID_BYTES * (1 + children.length));
    bytes.set(own);
    for (let at = 0; at < children.length; at++)
      if (!this.#copyTo(children[at] as number, bytes, (at + 1) * ID_BYTES)) return;
    this.#set(id, sha256(bytes));
  }

  /** Copies the hash of an entity to a place in bytes; false if it is not known. */
  #copyTo(id: number, bytes: Uint8Array, at: number): boolean {
    if (this.#states[id] !== KNOWN) return false;
    // A view of 32 bytes costs more than they do.
    const start = id * ID_BYTES;
    for (let byte = 0; byte < ID_BYTES; byte++) bytes[at + byte] = this.#bytes[start + byte] as number;
    return true;
  }

  #hashedChildren(idOf: ((id: number) => Uint8Array) | undefined): HashedChildren {
    return idOf === undefined
      ? new ChildHashes((child, bytes, at) => this.#copyTo(child, bytes, at))
      : new ChildTrie(idOf, (child) => this.get(child));
  }

  #set(id: number, hash: Uint8Array): void {
    this.#bytes.set(hash, id * ID_BYTES);
    this.#states[id] = KNOWN;
  }

  #grow(size: number): void {
    const [bytes, states] = [this.#bytes, this.#states];
    const larger = size + (size >> 2);
    this.#bytes = new Uint8Array(larger * ID_BYTES);
    this.#bytes.set(bytes);
    this.#states = new Uint8Array(larger);
    this.#states.set(states);
  }
}
