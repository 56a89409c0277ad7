/** A scan made from something that gives arrays of rows: what every engine returns from `scan`. */

import { invalidArgument } from "../errors.js";
import type { RawRow, RawScan } from "./engine.js";
import { RowIterator } from "./row-iterator.js";

/** Most rows in one chunk. */
export const CHUNK_ROWS = 1024;

/** Gives the rows of one scan, array by array. */
export interface ChunkSource {
  /** The next rows, never an empty array; undefined at the end. Called again only when it has settled. */
  next(): Promise<readonly RawRow[] | undefined>;
  /** Throws CLOSED when the engine or snapshot under the scan is closed. */
  check(): void;
  /** Releases what the scan holds. Called once by the scan, at its end or when it is left early. */
  close(): Promise<void>;
}

/** A {@link RawScan} over a source that is opened when the iteration starts, at the first `next()`. */
export class ChunkedScan implements RawScan {
  readonly #open: () => ChunkSource;
  #source: ChunkSource | undefined;
  #taken = false;

  constructor(open: () => ChunkSource) {
    this.#open = open;
  }

  chunks(): AsyncIterableIterator<readonly RawRow[]> {
    if (this.#taken) throw invalidArgument("a scan can be iterated once; call scan() again for another pass");
    this.#taken = true;
    return this.#run();
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<RawRow> {
    return new RowIterator(this.chunks(), () => this.#source?.check());
  }

  async *#run(): AsyncGenerator<readonly RawRow[], void, undefined> {
    const source = this.#open();
    this.#source = source;
    try {
      for (let rows = await source.next(); rows !== undefined; rows = await source.next()) yield rows;
    } finally {
      await source.close();
    }
  }
}
