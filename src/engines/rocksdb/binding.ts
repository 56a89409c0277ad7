/**
 * The parts of the native package `rocksdb-native` that merostore uses. The declarations follow its source at version
 * 3.18.1, which is pinned: members that begin with `_` are private there, and another version may not have them.
 */

import { MerostoreError } from "../../errors.js";
import { loadNative } from "../../lsm/optional-package.js";

/** The exact version that has the private members below. */
export const BINDING_VERSION = "3.18.1";

/** The ways in which RocksDB replays write-ahead logs: `constants.walRecoveryMode`. */
export const WalRecovery = {
  /** Any damage or cut is an error. */
  AbsoluteConsistency: 1,
  /** Stops silently at the first damage. RocksDB's default. */
  PointInTime: 2,
} as const;

interface NativeOptions {
  readonly columnFamilies: readonly string[];
  readonly readOnly: boolean;
  readonly createIfMissing: boolean;
  readonly createMissingColumnFamilies: boolean;
  readonly walRecoveryMode: number;
}

/** The class that the package exports. */
export type NativeConstructor = new (path: string, options: NativeOptions) => NativeDatabase;

/** Column family of a session; opaque. */
type NativeColumnFamily = object;

/** A database, or a session on it: a column family and perhaps a snapshot. */
export interface NativeSession {
  session(options: { columnFamily?: string; snapshot?: boolean }): NativeSession;
  iterator(range: { gte?: Uint8Array; lt?: Uint8Array }, options: NativeIteratorOptions): NativeIterator;
  read(options: { capacity: number; autoDestroy: true }): NativeReadBatch;
  write(options: { capacity: number; autoDestroy: true }): NativeWriteBatch;
  flush(): Promise<void>;
  approximateSize(
    start: Uint8Array,
    end: Uint8Array,
    options: { includeMemtables: boolean; includeFiles: boolean },
  ): Promise<number>;
  getProperty(name: string): Promise<string>;
  close(): Promise<void>;
  /**
   * Private: the family into which `write()` batches of this session put. Changing it lets one batch span several
   * families.
   */
  _columnFamily: NativeColumnFamily;
}

export interface NativeDatabase extends NativeSession {
  /** Must be awaited. Before it settles, and after it fails, other calls never settle. */
  ready(): Promise<void>;
}

interface NativeIteratorOptions {
  readonly reverse: boolean;
  readonly values: boolean;
  /** The rows of one native read. 0 hangs, and -1 aborts the process. */
  readonly capacity: number;
}

type Callback = (error?: Error | null) => void;

/**
 * An iterator is a stream. merostore calls its native reads directly, without the stream's queue, so all members here
 * are private. Only one call may be pending: `_open`, then `_read`s, then `_destroy`.
 */
export interface NativeIterator {
  _open(done: Callback): Promise<void>;
  /** Reads at most `_limit` rows and at most the capacity. The rows go to `_onread`, which calls `done`. */
  _read(done: Callback): Promise<void>;
  _destroy(done: Callback): Promise<void>;
  /**
   * The native code calls it after a read. merostore replaces it on the instance, before `_open`, to get the rows as
   * arrays.
   */
  _onread(error: Error | null | undefined, keys: ArrayBuffer[], values: ArrayBuffer[]): void;
  /** The callback of the pending read. `_onread` clears and calls it. */
  _pendingRead: Callback | null;
  /** The most rows of the next native read, if below the capacity. Must be at least 1. */
  _limit: number;
  /** `io` counts pending native calls. `_read` increments it, and `_onread` must decrement it. */
  readonly _db: { readonly _state: { readonly io: { dec(): void } } };
}

export interface NativeReadBatch {
  get(key: Uint8Array): Promise<Uint8Array | null>;
  /** Starts the reads. Each one settles its own promise. */
  tryFlush(): void;
  /** Starts the reads. Settles when all are done. */
  flush(): Promise<void>;
  /** Private: adds the entry of a `get` to `_promises`. A null entry means that nothing awaits that value. */
  _enqueuePromise: () => void;
  readonly _promises: null[];
  /** Private: the native code calls it with the error or the value of each key. */
  _onread: (errors: (Error | null)[], values: (ArrayBuffer | null)[]) => void;
  /** Private: settles `flush`, and frees the batch. */
  _onfinished(error: Error | null): void;
}

interface NativeWriteBatch {
  tryPut(key: Uint8Array, value: Uint8Array): void;
  tryDelete(key: Uint8Array): void;
  tryDeleteRange(start: Uint8Array, end: Uint8Array): void;
  flush(): Promise<void>;
}

/** In a variable, so that bundlers do not bundle the package: it must stay beside its native library. */
const PACKAGE: string = "rocksdb-native";

/** Imports the package; replaced in tests. */
export type PackageImporter = () => Promise<unknown>;

/** Runtimes that have only some functions of libuv. Their process ends when the package calls a missing one. */
const UNABLE = { bun: "Bun", deno: "Deno" } as const;

/**
 * Loads the native package at its first use.
 *
 * @throws MerostoreError NATIVE_LOAD_FAILED, whose message names what is missing and how to get it
 */
export async function loadBinding(importPackage: PackageImporter = importNative): Promise<NativeConstructor> {
  for (const [name, runtime] of Object.entries(UNABLE))
    if (process.versions[name] !== undefined)
      throw new MerostoreError(
        "NATIVE_LOAD_FAILED",
        `${PACKAGE} is not loaded in ${runtime}, which it would end. ${runtime} can read and write its files with the engine "files", and use LevelDB`,
      );
  return loadNative(
    { spec: `${PACKAGE}@${BINDING_VERSION}`, reasonOf },
    async () => ((await importPackage()) as { default: NativeConstructor }).default,
  );
}

function importNative(): Promise<unknown> {
  return import(PACKAGE);
}

function reasonOf({ code }: NodeJS.ErrnoException): string | undefined {
  if (code === "CANNOT_LOAD")
    return (
      "its library is there and does not load. Usually libatomic.so.1 is missing: " +
      "install libatomic1 on Debian and Ubuntu (apt-get install libatomic1), libatomic on Fedora (dnf install libatomic). " +
      "Alpine and other systems with musl are not supported: use one with glibc"
    );
  if (code === "ADDON_NOT_FOUND")
    return (
      `it has no prebuilt library for ${process.platform}-${process.arch}. It has them for Linux with glibc, macOS and ` +
      "Windows, x64 and arm64; Alpine and other systems with musl are not supported"
    );
  return undefined;
}
