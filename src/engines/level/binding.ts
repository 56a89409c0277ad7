/** The parts of the native package `classic-level` that merostore uses, and its loading. */

import { loadNative } from "../../lsm/optional-package.js";

/** The version in package.json, for the error about a missing package. */
export const BINDING_VERSION = "3.0.0";

/** The class that the package exports. */
export type LevelConstructor = new (
  path: string,
  options: {
    readonly keyEncoding: "view";
    readonly valueEncoding: "view";
    readonly createIfMissing: boolean;
    readonly errorIfExists: boolean;
  },
) => LevelDatabase;

export interface LevelDatabase {
  open(): Promise<void>;
  /** Ends open iterators and snapshots, and waits for unfinished work. */
  close(): Promise<void>;
  get(key: Uint8Array, at: LevelReadView): Promise<Uint8Array | undefined>;
  getMany(keys: Uint8Array[], at: LevelReadView): Promise<(Uint8Array | undefined)[]>;
  /** Iterates over the state at this call, or over the snapshot. */
  iterator(options: LevelIteratorOptions): LevelIterator;
  /** Begins a batch. */
  batch(): LevelBatch;
  /** Takes a snapshot of the present state. */
  snapshot(): LevelSnapshot;
  /** Returns the bytes of the range in table files. */
  approximateSize(start: Uint8Array, end: Uint8Array): Promise<number>;
  /**
   * Writes the rows of the log into table files, then compacts the tables of the range. It does not report failures.
   */
  compactRange(start: Uint8Array, end: Uint8Array): Promise<void>;
}

/** Opaque. */
interface LevelSnapshot {
  /** Waits for unfinished reads. */
  close(): Promise<void>;
}

/** The state that a read sees: the present state, or a snapshot. */
export interface LevelReadView {
  readonly snapshot?: LevelSnapshot;
}

interface LevelIteratorOptions extends LevelReadView {
  /** Must be absent if there is no bound: undefined would count as a key. */
  readonly gte?: Uint8Array;
  readonly lt?: Uint8Array;
  readonly reverse: boolean;
  readonly values: boolean;
  /** A read ends after so many bytes of keys and values. The package's default is 16 KiB. */
  readonly highWaterMarkBytes: number;
}

export interface LevelIterator {
  /** Returns 1 to `size` rows, or none at the end. Only one call may be pending. */
  nextv(size: number): Promise<[Uint8Array, Uint8Array][]>;
  /** Waits for an unfinished read. */
  close(): Promise<void>;
}

/** A batch of operations. It copies keys and values. */
export interface LevelBatch {
  /** The number of its operations. */
  readonly length: number;
  put(key: Uint8Array, value: Uint8Array): unknown;
  del(key: Uint8Array): unknown;
  /** Writes the batch as one record of the log, without a sync, and closes it. */
  write(): Promise<void>;
  close(): Promise<void>;
}

/** Imports the package; replaced in tests. */
export type PackageImporter = () => Promise<LevelConstructor>;

/** In a variable, so that bundlers do not bundle the package: it must stay beside its native library. */
const PACKAGE: string = "classic-level";

/**
 * Loads the native package at its first use.
 *
 * @throws MerostoreError NATIVE_LOAD_FAILED, whose message names what is missing and how to get it
 */
export function loadBinding(importPackage: PackageImporter = importNative): Promise<LevelConstructor> {
  return loadNative({ spec: `${PACKAGE}@${BINDING_VERSION}`, reasonOf }, importPackage);
}

async function importNative(): Promise<LevelConstructor> {
  const { ClassicLevel } = (await import(PACKAGE)) as typeof import("classic-level");
  return ClassicLevel<Uint8Array, Uint8Array>;
}

function reasonOf({ message }: Error): string | undefined {
  return message.startsWith("No native build")
    ? `it has no prebuilt library for ${process.platform}-${process.arch}. It has them for Linux, macOS, Windows and Android`
    : undefined;
}
