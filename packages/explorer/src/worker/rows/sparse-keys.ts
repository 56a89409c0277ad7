/** Some of the keys of a scan, evenly spaced. All other keys are reached from them. */
import { compareBytes, firstNotBefore } from "merostore/internal";

/** Rows from one key to the next at first: a page of the grid begins at a key. */
const CLOSE = 50;
/** The most keys that are kept. Beyond that, every other key is dropped. */
const MOST = 32_768;

/** A key, and the number of its row. */
export interface Waypoint {
  readonly row: number;
  readonly key: Uint8Array;
}

/** Keys of rows 0, 50, 100, …; farther apart if there are very many rows. */
export class SparseKeys {
  readonly #most: number;
  #keys: Uint8Array[] = [];
  #step = CLOSE;
  #count = 0;

  /** @param most the most keys that are kept */
  constructor(most = MOST) {
    this.#most = most;
  }

  /** The number of rows. */
  get count(): number {
    return this.#count;
  }

  /** Rows from one kept key to the next. */
  get step(): number {
    return this.#step;
  }

  /** Takes the key of the next row; keys come in ascending order. */
  add(key: Uint8Array): void {
    if (this.#count % this.#step === 0) {
      this.#keys.push(Uint8Array.from(key));
      if (this.#keys.length > this.#most) {
        this.#keys = this.#keys.filter((_, at) => at % 2 === 0);
        this.#step *= 2;
      }
    }
    this.#count++;
  }

  /** The last kept key up to a row; undefined beyond the last row. */
  before(row: number): Waypoint | undefined {
    if (row < 0 || row >= this.#count) return undefined;
    const at = Math.floor(row / this.#step);
    const key = this.#keys[at];
    return key && { row: at * this.#step, key };
  }

  /** The last kept key at or before a key; undefined if all are after it. */
  upTo(key: Uint8Array): Waypoint | undefined {
    const isUpTo = (at: number) => compareBytes(this.#keys[at] as Uint8Array, key) <= 0;
    const at = firstNotBefore(this.#keys.length, isUpTo) - 1;
    const kept = this.#keys[at];
    return kept && { row: at * this.#step, key: kept };
  }
}
