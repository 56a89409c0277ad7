/**
 * The full hashes of the children of one entity, one after another. The new hash of a changed child overwrites the old
 * one.
 */
import { ID_BYTES } from "../../bytes/id-table.js";
import { startSha256 } from "../../crypto/index.js";

/** The number of children whose hashes are copied or hashed in one step. */
const STEP = 2048;

/** Writes the hash of a child to a place in bytes; false if it is not known. */
type WriteHash = (child: number, bytes: Uint8Array, at: number) => boolean;

/** The children of one entity, whose hashes are kept from one hash of the entity to the next. */
export interface HashedChildren {
  /** The children that were added, removed or changed since the last hash. */
  readonly changed: Set<number>;
  /**
   * Computes the full hash of the entity, step by step; undefined if the hash of a child is not known.
   *
   * @param own the hash of its data
   * @param children all children, in their order
   */
  fullHash(own: Uint8Array, children: Uint32Array): Generator<void, Uint8Array | undefined, undefined>;
}

export class ChildHashes implements HashedChildren {
  readonly changed = new Set<number>();
  readonly #write: WriteHash;
  readonly #unknown = new Set<number>();
  #children: Uint32Array = new Uint32Array(0);
  #bytes = new Uint8Array(0);
  /** The bytes before the last change of the list. The next change reuses their memory. */
  #spare = new Uint8Array(0);

  constructor(write: WriteHash) {
    this.#write = write;
  }

  *fullHash(own: Uint8Array, children: Uint32Array): Generator<void, Uint8Array | undefined, undefined> {
    const isFirst = this.#children.length === 0;
    if (children !== this.#children) this.#move(children);
    for (const child of this.changed) this.#set(child, children.indexOf(child));
    this.changed.clear();
    for (let at = 0; isFirst && at < children.length; at++) {
      this.#set(children[at] as number, at);
      if (at % STEP === STEP - 1) yield;
    }
    if (this.#unknown.size > 0) return undefined;
    const hash = startSha256();
    hash.update(own);
    const end = this.#children.length * ID_BYTES;
    for (let at = 0; at < end; at += STEP * ID_BYTES) {
      hash.update(this.#bytes.subarray(at, Math.min(end, at + STEP * ID_BYTES)));
      if (end > STEP * ID_BYTES) yield;
    }
    return hash.digest();
  }

  #set(child: number, at: number): void {
    if (at < 0 || this.#write(child, this.#bytes, at * ID_BYTES)) this.#unknown.delete(child);
    else this.#unknown.add(child);
  }

  /** Moves the hashes of the children that have not changed to their places in another list. */
  #move(children: Uint32Array): void {
    const before = this.#children;
    const size = children.length * ID_BYTES;
    const moved = this.#spare.length < size ? new Uint8Array(size + (size >> 3)) : this.#spare;
    for (let [from, to] = [0, 0]; from < before.length && to < children.length; ) {
      const start = from;
      while (from < before.length && before[from] === children[to]) {
        from++;
        to++;
      }
      const length = from - start;
      if (length > 0)
        moved.set(this.#bytes.subarray(start * ID_BYTES, from * ID_BYTES), (to - length) * ID_BYTES);
      else if (this.changed.has(before[from] as number)) from++;
      else to++;
    }
    this.#spare = this.#bytes;
    this.#bytes = moved;
    this.#children = children;
  }
}
