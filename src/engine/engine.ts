/**
 * The engine contract: byte keys and byte values in named columns, in ascending unsigned order. The contract does not
 * know Calimero, and code above it does not know RocksDB.
 */

import type { Warning } from "../errors.js";
/**
 * A range of keys. An absent bound is unbounded. The empty byte string is a key, and the first of all, so no key is
 * before it as `lt`. A range is empty if `lt` is not after `gte`.
 */
export interface ByteRange {
  /** The lower bound, inclusive. The key need not exist. */
  readonly gte?: Uint8Array | undefined;
  /** The end, exclusive. */
  readonly lt?: Uint8Array | undefined;
}

/** Selects the rows within all of these bounds. Without a bound, it selects all rows. */
export interface Bounds extends ByteRange {
  /** Keys after this one. */
  readonly gt?: Uint8Array | undefined;
  /** Keys up to this one, inclusive. */
  readonly lte?: Uint8Array | undefined;
}

/** The order of a scan, and a selection among the rows within its bounds. */
export interface ScanOptions {
  /** Descending order. */
  readonly reverse?: boolean | undefined;
  /** At most this many rows: a whole number from 0. */
  readonly limit?: number | undefined;
  /** Rows after this key in the direction of the scan. For pages, the last key of the previous page. */
  readonly after?: Uint8Array | undefined;
  /** Ends the scan: it rejects with the `reason` of the signal. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Do not read values: every `value` is the empty byte string. For readers that wrap others; `scan().keys()` is
   * simpler.
   */
  readonly keysOnly?: boolean | undefined;
}

/**
 * A row that an engine returns. Both arrays belong to the caller, who may change them. They may be views of a larger
 * buffer: copy (`slice()`) arrays that you keep for long, or the whole buffer stays in memory.
 */
export interface RawRow {
  /** The key; may be empty. */
  readonly key: Uint8Array;
  /** The value; empty for a scan with `keysOnly`. */
  readonly value: Uint8Array;
}

/**
 * Rows in key order. Iterating the scan yields single rows. `chunks()` yields arrays of rows, which avoids a scheduling
 * round for each row. While the caller uses a chunk, the next one is read. A scan can be iterated once.
 */
export interface RawScan extends AsyncIterable<RawRow> {
  /** The keys of the rows, without reading values. Like the scan itself, they can be iterated once. */
  keys(): RawKeys;
  /** Reads all rows into an array. @throws MerostoreError `INVALID_ARGUMENT` for a second iteration */
  toArray(): Promise<RawRow[]>;
  /** Iterates over non-empty arrays of rows. @throws MerostoreError `INVALID_ARGUMENT` for a second iteration */
  chunks(): AsyncIterableIterator<readonly RawRow[]>;
}

/** Keys in order, one by one or in arrays. They can be iterated once. */
export interface RawKeys extends AsyncIterable<Uint8Array> {
  /** Reads all keys into an array. @throws MerostoreError `INVALID_ARGUMENT` for a second iteration */
  toArray(): Promise<Uint8Array[]>;
  /** Iterates over non-empty arrays of keys. @throws MerostoreError `INVALID_ARGUMENT` for a second iteration */
  chunks(): AsyncIterableIterator<readonly Uint8Array[]>;
}

/** A change of one row, or of all rows of a range, in one column family. */
export type WriteOperation = PutOperation | DeleteOperation | DeleteRangeOperation;

/** Writes one row. It replaces a row with the same key. */
export interface PutOperation {
  /** Distinguishes the operations. */
  readonly type: "put";
  /** Name of the column family. */
  readonly column: string;
  /** The key; may be empty. */
  readonly key: Uint8Array;
  /** The new value; may be empty. */
  readonly value: Uint8Array;
}

/** Deletes one row, if there is one. */
export interface DeleteOperation {
  /** Distinguishes the operations. */
  readonly type: "delete";
  /** Name of the column family. */
  readonly column: string;
  /** The key; may be empty. */
  readonly key: Uint8Array;
}

/** Deletes the rows with keys in `[gte, lt)`. */
export interface DeleteRangeOperation {
  /** Distinguishes the operations. */
  readonly type: "deleteRange";
  /** Name of the column family. */
  readonly column: string;
  /** The first key, inclusive. */
  readonly gte: Uint8Array;
  /** The end, exclusive. A range that ends at or before `gte` is empty. */
  readonly lt: Uint8Array;
}

/** Reading: the common part of an engine, its snapshots and the overlays on it. */
export interface EngineReader {
  /** The names of the column families on disk, including unknown ones. */
  readonly columns: readonly string[];
  /**
   * The name of the revision at the creation of the database, if the engine stores it. The rows may have another
   * revision.
   */
  readonly revision?: string | undefined;
  /**
   * Sentences about rows that are known to be missing: writes after damage in a write-ahead log. Exports and copies
   * refuse such a database, because they would look complete. Empty if the opening accepted the loss (`acceptLogLoss`),
   * and after the kill of a writer during a write. Absent if the engine cannot know.
   */
  readonly lost?: readonly string[] | undefined;
  /**
   * True if it is closed or closing. It then returns no more rows, not even rows that a scan has already read. Absent
   * if only a read shows it.
   */
  readonly isClosed?: boolean | undefined;
  /** The underlying reader, which fails at damaged tables. Only readers that skip damage have it. */
  readonly strict?: EngineReader | undefined;
  /** Returns the value of a key; undefined if there is no row. */
  get(column: string, key: Uint8Array): Promise<Uint8Array | undefined>;
  /** Returns the values of several keys in one round, in the order of the keys. */
  getMany(column: string, keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]>;
  /** Scans the rows of a range in chunks. The scan sees the state at the start of its iteration. */
  scan(column: string, bounds?: Bounds, options?: ScanOptions): RawScan;
}

/** A consistent view of all column families at one moment. Close it soon; closing the engine closes it too. */
export interface EngineSnapshot extends EngineReader, AsyncDisposable {
  /** Ends its scans and releases the state. A second call does nothing. */
  close(): Promise<void>;
}

/**
 * The greatest sizes that an engine can write, in bytes. A larger write is refused with ROW_TOO_LARGE before anything
 * is written.
 */
export interface Limits {
  /** Bytes of a key. */
  readonly keyBytes: number;
  /** Bytes of a value. */
  readonly valueBytes: number;
  /** Bytes of all keys and values in one batch. */
  readonly batchBytes: number;
}

/** The abilities of an engine: declared, not discovered by failing. */
export interface Capabilities {
  /** Its name, for people: `memory`, `files`, `rocksdb`, `leveldb`, `postgres`. */
  readonly engine: string;
  /** The reason for this engine, if the preferred engine could not be used. */
  readonly reason?: string | undefined;
  /** True if `write` is possible on this handle. */
  readonly writable: boolean;
  /** True if rows outlive `close`. */
  readonly persistent: boolean;
  /** True if a settled `write` with `sync`, and all writes before it, survive a power failure. */
  readonly syncedWrites: boolean;
  /** True if `changes` returns the changes of another writer. Absent if it does not. */
  readonly changes?: boolean | undefined;
  /** The sizes that can be written. Absent if only memory limits them. */
  readonly limits?: Limits | undefined;
}

/** Options for writing a batch. */
export interface WriteOptions {
  /**
   * Wait until the batch and all earlier batches would survive a power failure. This holds if
   * `capabilities.syncedWrites` is true; otherwise the option has no effect. Batches that wait at the same time share a
   * sync. If the sync fails with ENGINE_FAILED, the batch is written, but may not be on disk.
   */
  readonly sync?: boolean | undefined;
  /**
   * The operations and their arrays belong to the engine from now on: they are not copied, and the caller must not
   * change them. By default they are copied before `write` returns its promise.
   */
  readonly owned?: boolean | undefined;
}

/** The part of a column family that only the write-ahead log has, and no table file yet. */
export interface Unflushed {
  /** The number of puts and deletes, including overridden ones. */
  readonly entries: number;
  /** Estimated bytes of their keys and values. */
  readonly bytes: number;
}

/**
 * The changes of one `write`, as the write-ahead log has them. Keys and values may be views, as in a {@link RawRow}.
 */
export interface ChangeBatch {
  /** The sequence number of its last operation. Continue with `changes(sequence)`. */
  readonly sequence: number;
  /** Its operations in order. Empty if it changed only column families that were dropped later. */
  readonly operations: readonly WriteOperation[];
}

/** An open database: reading, writing, snapshots, and the methods for the whole database. */
export interface Engine extends EngineReader, AsyncDisposable {
  /** The abilities of this handle. */
  readonly capabilities: Capabilities;
  /** Problems that did not prevent the opening, for example a log that ends in damage. */
  readonly warnings: readonly Warning[];
  /**
   * Applies all operations in their order, or none, also across column families. Batches that are not awaited are
   * applied in the order of the calls. Reads see a batch after its promise has settled.
   */
  write(operations: readonly WriteOperation[], options?: WriteOptions): Promise<void>;
  /** Returns a view of the state at this moment, which later writes do not change. */
  snapshot(): Promise<EngineSnapshot>;
  /** Estimates the bytes on disk of a range, for progress and planning; 0 if nothing is on disk. */
  approximateSize(column: string, bounds?: Bounds): Promise<number>;
  /** Returns the rows that only the write-ahead log has. Absent if there is no such log, or if it is not known. */
  unflushed?(column: string): Promise<Unflushed>;
  /**
   * Moves to the present state of the database. Open scans and snapshots keep their state. Absent if reads see every
   * write anyway, or only the writes before the opening.
   */
  refresh?(): Promise<void>;
  /**
   * The sequence number of the last write that reads see. Each operation of a write has its own number, one above the
   * previous. Absent if `capabilities.changes` is not true.
   */
  readonly sequence?: number | undefined;
  /**
   * Yields the batches after a sequence number, each once, up to the present end. Call it again with the sequence
   * number of the last batch. Other reads do not show these batches until `refresh`. Absent, or INVALID_ARGUMENT, if
   * `capabilities.changes` is not true.
   *
   * @param since from 0; `sequence` for all batches that reads do not see yet
   * @throws MerostoreError CHANGES_LOST if the log no longer has all of them: call `refresh`, read the important rows
   *   again, and continue with `sequence`
   */
  changes?(since: number): AsyncIterableIterator<ChangeBatch>;
  /**
   * Writes many rows in the fastest way: all of them, durable, or none. It may fail if a key already exists in the
   * column family, or comes twice. Absent if `write` is the fastest way.
   *
   * @returns the number of rows
   */
  load?(column: string, rows: AsyncIterable<readonly RawRow[]>): Promise<number>;
  /**
   * Adds missing column families without rows, durably: all or none. Absent if the column families of a database are
   * fixed at its creation.
   *
   * @throws MerostoreError INVALID_ARGUMENT for an empty or repeated name
   */
  addColumns?(columns: readonly string[]): Promise<void>;
  /** Makes all writes before the call, awaited or not, durable in synced table files. */
  flush(): Promise<void>;
  /**
   * Waits for unfinished work, ends open scans and snapshots, then closes. Afterwards all writes survive a power
   * failure, if `capabilities.syncedWrites` is true. A second call does nothing.
   */
  close(): Promise<void>;
}
