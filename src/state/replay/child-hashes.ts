/** The full hashes of the children of one entity, one after another: a change of a child is written where its hash is. */
import { ID_BYTES } from "../../bytes/id-table.js";
import { startSha256 } from "../../crypto/index.js";

/** Children whose hashes are copied or hashed in one step. */
const STEP = 2048;

/** Changed children from which on all hashes are written again. */
const MANY = 64;

/** Writes the hash of a child to a place in bytes; false if it is not known. */
type WriteHash = (child: number, bytes: Uint8Array, at: number) => boolean;

export class ChildHashes {
  /** The children that were added, removed or changed since the last update. */
  readonly changed = new Set<number>();
  readonly #write: WriteHash;
  readonly #unknown = new Set<number>();
  #children: Uint32Array = new Uint32Array(0);
  #bytes = new Uint8Array(0);
  /** The bytes before the last change of the list, whose place the next ones take. */
  #spare = new Uint8Array(0);

  constructor(write: WriteHash) {
    this.#write = write;
  }

  /** Returns true if so many children changed that keeping the hashes of the others saves nothing. */
  get isStale(): boolean {
    return this.changed.size > MANY;
  }

  /**
   * Writes the hashes that changed, step by step.
   *
   * @param children all children, in their order
   * @returns true if the hashes of all are known
   */
  *update(children: Uint32Array): Generator<void, boolean, undefined> {
    const isFirst = this.#children.length === 0;
    if (children !== this.#children) this.#move(children);
    for (const child of this.changed) this.#set(child, children.indexOf(child));
    this.changed.clear();
    for (let at = 0; isFirst && at < children.length; at++) {
      this.#set(children[at] as number, at);
      if (at % STEP === STEP - 1) yield;
    }
    return this.#unknown.size === 0;
  }

  /** Returns the hash of an entity, step by step, from that of its data. */
  *hash(own: Uint8Array): Generator<void, Uint8Array, undefined> {
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
