/** Many hashes in little memory: half of each is kept, in one array. Two that share it would have to be made on purpose. */
import { copyBytes } from "./bytes.js";

/** Bytes of a hash that are kept. */
const KEPT = 16;
const WORDS = KEPT / 4;

/** A set of hashes of at least 16 bytes. It takes 35 to 70 bytes for each; they cannot be listed or removed. */
export class HashSet {
  #words = new Uint32Array(WORDS * 64);
  #used = new Uint8Array(64);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(hash: Uint8Array): void {
    if (2 * (this.#size + 1) > this.#used.length) this.#grow();
    const words = wordsOf(hash);
    const slot = this.#slot(words);
    if (this.#used[slot] === 1) return;
    this.#used[slot] = 1;
    this.#words.set(words, slot * WORDS);
    this.#size++;
  }

  has(hash: Uint8Array): boolean {
    return this.#used[this.#slot(wordsOf(hash))] === 1;
  }

  /** Where these words are, or where there is room for them. */
  #slot(words: Uint32Array): number {
    const mask = this.#used.length - 1;
    let slot = (words[0] as number) & mask;
    while (this.#used[slot] === 1 && !this.#holds(slot, words)) slot = (slot + 1) & mask;
    return slot;
  }

  #holds(slot: number, words: Uint32Array): boolean {
    for (let at = 0; at < WORDS; at++) if (this.#words[slot * WORDS + at] !== words[at]) return false;
    return true;
  }

  #grow(): void {
    const [words, used] = [this.#words, this.#used];
    this.#words = new Uint32Array(words.length * 2);
    this.#used = new Uint8Array(used.length * 2);
    for (let slot = 0; slot < used.length; slot++) {
      if (used[slot] === 0) continue;
      const kept = words.subarray(slot * WORDS, (slot + 1) * WORDS);
      const place = this.#slot(kept);
      this.#used[place] = 1;
      this.#words.set(kept, place * WORDS);
    }
  }
}

/** The part of a hash that is kept, as numbers of this machine's order. */
function wordsOf(hash: Uint8Array): Uint32Array {
  return new Uint32Array(copyBytes(hash.subarray(0, KEPT)).buffer);
}
