/** The source of the rows of one scan: one array of rows after another. */

import type { RawRow } from "./engine.js";

/** The most rows in a chunk. */
export const CHUNK_ROWS = 1024;

/** The value of each row of a scan of keys. */
export const NO_VALUE = new Uint8Array(0);

/** A checked scan that can find rows: its range is not empty and its limit at least 1. */
export interface ScanPlan {
  /** The first key, inclusive; undefined if unbounded. A copy. */
  readonly gte: Uint8Array | undefined;
  /** The end of the range, exclusive; undefined if unbounded. A copy. */
  readonly lt: Uint8Array | undefined;
  /** Descending order. */
  readonly reverse: boolean;
  /** The most rows; `Infinity` without a limit. */
  readonly limit: number;
  /** True if every `value` is the empty byte string. */
  readonly keysOnly: boolean;
}

/** The rows of one scan, in its order. The base class calls one method at a time, and `close` once. */
export interface ChunkSource {
  /**
   * Returns the next rows, or undefined at the end.
   *
   * @param most the most rows to return: 1 to 1,024, and not above the rest of the limit
   */
  next(most: number): readonly RawRow[] | undefined | Promise<readonly RawRow[] | undefined>;
  /**
   * Releases the resources of the source: at the end of the scan, when the loop is left early, or when the reader
   * closes.
   */
  close?(): void | Promise<void>;
}
