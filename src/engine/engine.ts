/**
 * The engine contract: byte keys and byte values in named columns, in ascending unsigned order.
 * It knows nothing of Calimero; everything above it knows nothing of RocksDB.
 */

import type { Warning } from "../errors.js";
/**
 * A range of keys. What is absent is unbounded. The empty byte string is a key like any other and the first of all: as `lt`
 * it leaves no key. A range whose `lt` is not after its `gte` is empty.
 */
export interface ByteRange {
  /** The first key, or the place where it would be; included. */
  readonly gte?: Uint8Array | undefined;
  /** The end; not included. */
  readonly lt?: Uint8Array | undefined;
}

/** The rows that are meant: those within all of these bounds. Without a bound, all rows. */
export interface Bounds extends ByteRange {
  /** Keys after this one. */
  readonly gt?: Uint8Array | undefined;
  /** Keys up to this one. */
  readonly lte?: Uint8Array | undefined;
}

/** The rows within bounds that a scan gives, and their order. */
export interface ScanOptions {
  /** Descending order. */
  readonly reverse?: boolean | undefined;
  /** At most this many rows: a whole number from 0. */
  readonly limit?: number | undefined;
  /** Rows that follow this key in the direction of the scan: for pages, the last key of the page before. */
  readonly after?: Uint8Array | undefined;
  /** Ends the scan: it rejects with the `reason` of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Do not read values: every `value` is the empty byte string. For readers around others; `scan().keys()` is simpler. */
  readonly keysOnly?: boolean | undefined;
}

/**
 * A row as the engine hands it out. Both arrays belong to the caller, who may change them. They may be views into a larger
 * buffer: copy (`slice()`) what is kept for long, or the whole buffer stays in memory with it.
 */
export interface RawRow {
  /** The key; may be empty. */
  readonly key: Uint8Array;
  /** The value; empty for a scan with `keysOnly`. */
  readonly value: Uint8Array;
}

/**
 * Rows in key order. Iterated itself it gives row after row; `chunks()` gives arrays of rows, which spares one
 * scheduling round for each row. While one chunk is being used the next is being read. One iteration per scan.
 */
export interface RawScan extends AsyncIterable<RawRow> {
  /** The keys of the rows, without reading values. Like the scan itself, they can be iterated once. */
  keys(): RawKeys;
  /** Reads all rows into an array. @throws MerostoreError `INVALID_ARGUMENT` for a second iteration */
  toArray(): Promise<RawRow[]>;
  /** Iterates over arrays of rows, none of them empty. @throws MerostoreError `INVALID_ARGUMENT` for a second iteration */
  chunks(): AsyncIterableIterator<readonly RawRow[]>;
}

/** Keys in order, one by one or in arrays. One iteration. */
export interface RawKeys extends AsyncIterable<Uint8Array> {
  /** Reads all keys into an array. @throws MerostoreError `INVALID_ARGUMENT` for a second iteration */
  toArray(): Promise<Uint8Array[]>;
  /** Iterates over arrays of keys, none of them empty. @throws MerostoreError `INVALID_ARGUMENT` for a second iteration */
  chunks(): AsyncIterableIterator<readonly Uint8Array[]>;
}

/** A change of one row, or of all rows of a range, in one column family. */
export type WriteOperation = PutOperation | DeleteOperation | DeleteRangeOperation;

/** Writes one row, in place of the one that is there. */
export interface PutOperation {
  /** Tells the operations apart. */
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
  /** Tells the operations apart. */
  readonly type: "delete";
  /** Name of the column family. */
  readonly column: string;
  /** The key; may be empty. */
  readonly key: Uint8Array;
}

/** Deletes the rows with keys in `[gte, lt)`. */
export interface DeleteRangeOperation {
  /** Tells the operations apart. */
  readonly type: "deleteRange";
  /** Name of the column family. */
  readonly column: string;
  /** The first key; included. */
  readonly gte: Uint8Array;
  /** The end; not included. A range that ends at or before `gte` is empty. */
  readonly lt: Uint8Array;
}

/** Reading: what an engine, a snapshot of it and an overlay on it have in common. */
export interface EngineReader {
  /** Names of the column families, as found on disk, unknown ones included. */
  readonly columns: readonly string[];
  /** The name of the revision that the database was created with, if the engine stores it. The rows may have another one. */
  readonly revision?: string | undefined;
  /**
   * The rows that are known to be missing, in sentences: writes behind damage in a write-ahead log. Without that part an export or
   * a copy would look complete: both refuse it. Nothing if the opening accepted the loss (`acceptLogLoss`), nor after a writer that was
   * killed during a write. Absent where nothing tells.
   */
  readonly lost?: readonly string[] | undefined;
  /**
   * True if it is closed, or closes: then it returns no row any more, not even one that a scan has read already. Absent
   * where only a read tells.
   */
  readonly isClosed?: boolean | undefined;
  /** The reader below, which fails at damaged tables. Only readers that pass over damage have it. */
  readonly strict?: EngineReader | undefined;
  /** The value at a key, or undefined. */
  get(column: string, key: Uint8Array): Promise<Uint8Array | undefined>;
  /** The values at several keys, in the order of the keys: one round for all. */
  getMany(column: string, keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]>;
  /** The rows of a range, read in chunks. Sees the state at the moment when the iteration starts. */
  scan(column: string, bounds?: Bounds, options?: ScanOptions): RawScan;
}

/** A consistent view over all columns at one moment. Must be closed before its engine can be. */
export interface EngineSnapshot extends EngineReader, AsyncDisposable {
  /** Ends its scans and lets go of the state. A second call does nothing. */
  close(): Promise<void>;
}

/** The sizes that an engine can write, in bytes. Whatever is larger is refused with ROW_TOO_LARGE before anything is written. */
export interface Limits {
  /** Bytes of a key. */
  readonly keyBytes: number;
  /** Bytes of a value. */
  readonly valueBytes: number;
  /** Bytes of all keys and values of one batch. */
  readonly batchBytes: number;
}

/** The abilities of an engine: declared, not discovered by failing. */
export interface Capabilities {
  /** Its name, for people: `memory`, `files`, `rocksdb`, `leveldb`, `postgres`. */
  readonly engine: string;
  /** The reason for this engine, if another one comes first and could not be taken. */
  readonly reason?: string | undefined;
  /** True if `write` is possible on this handle. */
  readonly writable: boolean;
  /** True if rows outlive `close`. */
  readonly persistent: boolean;
  /** True if a `write` with `sync` survives a power failure once it has settled, with all writes before it. */
  readonly syncedWrites: boolean;
  /** True if `changes` returns what a writer elsewhere does. Absent: it does not. */
  readonly changes?: boolean | undefined;
  /** The sizes that can be written. Absent: memory is the limit. */
  readonly limits?: Limits | undefined;
}

/** Options of writing a batch. */
export interface WriteOptions {
  /**
   * Wait until the batch, and every batch before it, would survive a power failure: promised where
   * `capabilities.syncedWrites` is true. Elsewhere the option is accepted and the batch written as without it. Batches
   * that wait at the same time share a sync. If it fails, with ENGINE_FAILED, the batch is written and may not be on disk.
   */
  readonly sync?: boolean | undefined;
  /**
   * The operations and their arrays belong to the engine from now on: the caller never changes them again, and they are
   * not copied. By default they are copied before `write` returns its promise.
   */
  readonly owned?: boolean | undefined;
}

/** The part of a column family that is in the write-ahead log only, not yet in a table file. */
export interface Unflushed {
  /** Puts and deletes, those that a later one overrides included. */
  readonly entries: number;
  /** Estimated bytes of their keys and values. */
  readonly bytes: number;
}

/**
 * The changes of one `write`, as the write-ahead log has them. Keys and values may be views, as those of a {@link
 * RawRow}.
 */
export interface ChangeBatch {
  /** The sequence number of its last operation. Go on with `changes(sequence)`. */
  readonly sequence: number;
  /** In their order. None where it changed only column families that were dropped since. */
  readonly operations: readonly WriteOperation[];
}

/** An open database: reading, and what only the whole of it can do. */
export interface Engine extends EngineReader, AsyncDisposable {
  /** The abilities of this handle. */
  readonly capabilities: Capabilities;
  /** Problems that were noticed at opening and did not prevent it, a log that ends in damage, for example. */
  readonly warnings: readonly Warning[];
  /**
   * Applies all operations, in their order, or none: atomic across columns. Batches that are not awaited are applied in the
   * order of the calls, whatever they cost. Reads see a batch once it has settled.
   */
  write(operations: readonly WriteOperation[], options?: WriteOptions): Promise<void>;
  /** Returns a view of the state at this moment, which later writes do not change. */
  snapshot(): Promise<EngineSnapshot>;
  /** Estimated bytes on disk of a range, for progress and plans. 0 where nothing is on disk. */
  approximateSize(column: string, bounds?: Bounds): Promise<number>;
  /** The rows that are in the write-ahead log only. Absent where there is no such log, or nothing tells. */
  unflushed?(column: string): Promise<Unflushed>;
  /**
   * Moves to the present state of the database; scans and snapshots that were begun keep theirs. Absent if reads see every
   * write anyway, or only those before the opening.
   */
  refresh?(): Promise<void>;
  /**
   * The sequence number of the last write that reads see. Each operation of a write has a number of its own, the next.
   * Absent where `capabilities.changes` is not true.
   */
  readonly sequence?: number | undefined;
  /**
   * The batches after a sequence number, each once: up to what is there now. Call it again with the sequence number of
   * the last batch. Batches are not shown by other reads until `refresh`. Absent, or INVALID_ARGUMENT, where
   * `capabilities.changes` is not true.
   *
   * @param since from 0; `sequence` for all that reads do not see yet
   * @throws MerostoreError CHANGES_LOST when some of it is no longer in the log: call `refresh`, read the rows that matter
   *   again, and go on with `sequence`
   */
  changes?(since: number): AsyncIterableIterator<ChangeBatch>;
  /**
   * Writes many rows in the fastest way: all of them, durable, or none. Their keys are not in the column family yet, and each
   * comes once; otherwise it may fail. Absent where `write` is the fastest way.
   *
   * @returns the number of rows
   */
  load?(column: string, rows: AsyncIterable<readonly RawRow[]>): Promise<number>;
  /**
   * Adds the column families that are not there yet, without rows, durably: all or none. Absent where the column families of a
   * database are settled when it is created.
   *
   * @throws MerostoreError INVALID_ARGUMENT for a name that is empty or given twice
   */
  addColumns?(columns: readonly string[]): Promise<void>;
  /** Makes durable what was written before the call, awaited or not: in table files, synced. */
  flush(): Promise<void>;
  /**
   * Waits for work under way, ends open scans and snapshots, then closes. What was written survives a power failure
   * afterwards, where `capabilities.syncedWrites` is true. A second call does nothing.
   */
  close(): Promise<void>;
}
