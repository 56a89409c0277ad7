/** The source of an engine's rows for one scan: arrays of rows, one after the other. */

import type { RawRow } from "./engine.js";

/** Most rows in one chunk. */
export const CHUNK_ROWS = 1024;

/** A checked scan that can find rows: its range is not empty and its limit at least 1. */
export interface ScanPlan {
  /** First key, inclusive; undefined: unbounded. A copy, as `lt`. */
  readonly gte: Uint8Array | undefined;
  /** End of the range, exclusive; undefined: unbounded. */
  readonly lt: Uint8Array | undefined;
  /** Descending order. */
  readonly reverse: boolean;
  /** Most rows; `Infinity` without a limit. */
  readonly limit: number;
  /** Every `value` is the empty byte string. */
  readonly keysOnly: boolean;
}

/** The rows of one scan, in its order. The base class calls one method at a time, and `close` once. */
export interface ChunkSource {
  /**
   * Returns the next rows, or undefined at the end.
   *
   * @param most rows that are returned at most: from 1 to 1,024, and no more than the limit leaves
   */
  next(most: number): readonly RawRow[] | undefined | Promise<readonly RawRow[] | undefined>;
  /** Releases what the source holds: at the end of the scan, when it is left early, when its reader closes. */
  close?(): void | Promise<void>;
}
