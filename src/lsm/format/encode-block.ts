/** Encodes the blocks of a table: entries whose keys leave out the prefix that they share with the previous key. */

import { grown } from "../../bytes/bytes.js";
import { ByteWriter } from "./byte-writer.js";

const FIRST_KEY = 256;

/** Builds the contents of one block after another. */
export class BlockBuilder {
  readonly #interval: number;
  readonly #writer = new ByteWriter();
  #restarts: number[] = [0];
  #count = 0;
  #last = new Uint8Array(FIRST_KEY);
  #lastLength = 0;

  /** @param interval the number of entries from one whole key to the next */
  constructor(interval: number) {
    this.#interval = interval;
  }

  get size(): number {
    return this.#writer.length;
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** The last key, as a view that the next call changes. */
  get lastKey(): Uint8Array {
    return this.#last.subarray(0, this.#lastLength);
  }

  /** Adds an entry. It copies the first `length` bytes of the key. */
  add(key: Uint8Array, value: Uint8Array, length = key.length): void {
    const isRestart = this.#count % this.#interval === 0;
    if (isRestart && this.#count > 0) this.#restarts.push(this.#writer.length);
    const shared = isRestart ? 0 : this.#sharedWith(key, length);
    const writer = this.#writer
      .varint(shared)
      .varint(length - shared)
      .varint(value.length);
    writer.part(key, shared, length).raw(value);
    if (length > this.#last.length) this.#last = grown(this.#last, new Uint8Array(2 * length));
    const last = this.#last;
    for (let at = shared; at < length; at++) last[at] = key[at] as number;
    this.#lastLength = length;
    this.#count++;
  }

  /** Returns the contents, a view until the next entry, and begins the next block. */
  finish(): Uint8Array {
    for (const restart of this.#restarts) this.#writer.u32(restart);
    const contents = this.#writer.u32(this.#restarts.length).bytes;
    this.#writer.clear();
    this.#restarts = [0];
    this.#count = 0;
    return contents;
  }

  #sharedWith(key: Uint8Array, length: number): number {
    const most = Math.min(this.#lastLength, length);
    const last = this.#last;
    let shared = 0;
    while (shared < most && last[shared] === key[shared]) shared++;
    return shared;
  }
}
