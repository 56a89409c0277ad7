/** Reads the rows of a LevelDB iterator in chunks. While the caller uses a chunk, the next one is read. */

import { CHUNK_ROWS, type ChunkSource, NO_VALUE } from "../../engine/chunk-source.js";
import type { RawRow } from "../../engine/engine.js";
import { plain } from "../../engine/native.js";
import type { LevelIterator } from "./binding.js";

/** A read ends after so many bytes, so a chunk of large rows has fewer rows. */
export const CHUNK_BYTES = 1024 * 1024;

export class LevelScan implements ChunkSource {
  readonly #iterator: LevelIterator;
  readonly #keysOnly: boolean;
  #left: number;
  /** The next chunk; undefined if all rows are read. */
  #ahead: Promise<[Uint8Array, Uint8Array][]> | undefined;

  /**
   * Starts reading at once.
   *
   * @param limit at least 1
   */
  constructor(iterator: LevelIterator, limit: number, keysOnly: boolean) {
    this.#iterator = iterator;
    this.#keysOnly = keysOnly;
    this.#left = limit;
    this.#readAhead();
  }

  async next(): Promise<readonly RawRow[] | undefined> {
    if (this.#ahead === undefined) return undefined;
    const reading = this.#ahead;
    this.#ahead = undefined;
    const entries = await reading;
    this.#left -= entries.length;
    if (entries.length === 0) return undefined;
    if (this.#left > 0) this.#readAhead();
    const keysOnly = this.#keysOnly;
    return entries.map(([key, value]) => ({ key: plain(key), value: keysOnly ? NO_VALUE : plain(value) }));
  }

  /** Waits for the unfinished read. */
  close(): Promise<void> {
    return this.#iterator.close();
  }

  #readAhead(): void {
    this.#ahead = this.#iterator.nextv(Math.min(CHUNK_ROWS, this.#left));
    this.#ahead.catch(() => undefined); // the next call awaits it, unless the scan ends before
  }
}
