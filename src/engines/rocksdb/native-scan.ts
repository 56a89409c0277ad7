/** Reads the rows of a native iterator in chunks. In a long scan, the next chunk is read while the caller uses one. */

import { CHUNK_ROWS, type ChunkSource, NO_VALUE, type ScanPlan } from "../../engine/chunk-source.js";
import type { RawRow } from "../../engine/engine.js";
import type { NativeIterator, NativeSession } from "./binding.js";

/**
 * The rows of the first read. Each later read has four times as many, up to a chunk. So a scan that ends early reads
 * little.
 */
const FIRST_ROWS = 16;
const GROWTH = 4;

/** From this number of rows on, the next read starts before the current rows are used up. */
const READ_AHEAD_FROM = 256;

/** The approximate bytes of a read. After large rows, a read has fewer rows. */
const READ_BYTES = 4 * 1024 * 1024;

export class NativeScan implements ChunkSource {
  readonly #keysOnly: boolean;
  readonly #release: () => Promise<void>;
  readonly #iterator: NativeIterator;
  #rows: RawRow[] = [];
  #left: number;
  /** The number of rows of the next read. */
  #size: number;
  /** The pending read of a chunk. */
  #reading: Promise<RawRow[]> | undefined;
  /** True if all rows are read. */
  #done = false;

  /**
   * Starts reading at once.
   *
   * @param session the column family to read, and its snapshot if it has one
   * @param plan its range is not empty and its limit is not 0: the native iterator would treat both as unbounded
   * @param release returns the session when the scan is over
   */
  constructor(session: NativeSession, plan: ScanPlan, release: () => Promise<void>) {
    this.#keysOnly = plan.keysOnly;
    this.#release = release;
    this.#left = plan.limit;
    const range: { gte?: Uint8Array; lt?: Uint8Array } = {};
    if (plan.gte !== undefined) range.gte = plan.gte;
    if (plan.lt !== undefined) range.lt = plan.lt;
    const capacity = Math.min(CHUNK_ROWS, plan.limit);
    this.#size = Math.min(FIRST_ROWS, plan.limit);
    this.#iterator = session.iterator(range, { reverse: plan.reverse, values: !plan.keysOnly, capacity });
    this.#iterator._onread = (error, keys, values) => this.#receive(error, keys, values);
    void this.#begin(this.#open());
  }

  async next(): Promise<readonly RawRow[] | undefined> {
    if (this.#done) return undefined;
    const asked = this.#size;
    const rows = await (this.#reading ?? this.#begin());
    this.#reading = undefined;
    this.#left -= rows.length;
    this.#done = rows.length < asked || this.#left === 0;
    if (!this.#done) {
      this.#size = Math.min(this.#left, sizeAfter(rows));
      if (this.#size >= READ_AHEAD_FROM) void this.#begin();
    }
    return rows.length === 0 ? undefined : rows;
  }

  async close(): Promise<void> {
    await this.#reading?.catch(() => undefined); // an iterator must not be destroyed while it reads
    await new Promise<void>((resolve) => void this.#iterator._destroy(() => resolve()));
    await this.#release();
  }

  /** Begins to read a chunk once `ready` has settled. */
  #begin(ready: Promise<void> = Promise.resolve()): Promise<RawRow[]> {
    const reading = ready.then(() => this.#read());
    reading.catch(() => undefined); // the next call awaits it, unless the scan ends before
    this.#reading = reading;
    return reading;
  }

  #open(): Promise<void> {
    return withCallback((done) => this.#iterator._open(done));
  }

  async #read(): Promise<RawRow[]> {
    this.#iterator._limit = this.#size;
    await withCallback((done) => this.#iterator._read(done));
    return this.#rows;
  }

  /** Replaces the iterator's own `_onread`, which would push each row into a stream. */
  #receive(error: Error | null | undefined, keys: ArrayBuffer[], values: ArrayBuffer[]): void {
    const iterator = this.#iterator;
    const done = iterator._pendingRead;
    iterator._pendingRead = null;
    iterator._db._state.io.dec();
    if (!error) {
      const keysOnly = this.#keysOnly;
      const rows = new Array<RawRow>(keys.length);
      for (let at = 0; at < keys.length; at++) {
        rows[at] = {
          key: new Uint8Array(keys[at] as ArrayBuffer),
          value: keysOnly ? NO_VALUE : new Uint8Array(values[at] as ArrayBuffer),
        };
      }
      this.#rows = rows;
    }
    done?.(error);
  }
}

/** The number of rows in the next chunk. */
function sizeAfter(rows: readonly RawRow[]): number {
  let bytes = 0;
  for (const { key, value } of rows) bytes += key.length + value.length;
  const fitting = Math.ceil((READ_BYTES * rows.length) / Math.max(1, bytes));
  return Math.min(CHUNK_ROWS, GROWTH * rows.length, fitting);
}

/** Turns a call with a callback into a promise. The call may also reject. */
function withCallback(call: (done: (error?: Error | null) => void) => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    call((error) => (error ? reject(error) : resolve())).catch(reject);
  });
}
