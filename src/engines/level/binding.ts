/** The parts of the native package `classic-level` that merostore uses, and its loading. */

import { loadNative } from "../../lsm/optional-package.js";

/** The version that the error for a missing package names: the one of package.json. */
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
  /** Ends iterators and snapshots that are open, waits for work under way. */
  close(): Promise<void>;
  get(key: Uint8Array, at: LevelReadView): Promise<Uint8Array | undefined>;
  getMany(keys: Uint8Array[], at: LevelReadView): Promise<(Uint8Array | undefined)[]>;
  /** Sees the state at this call, or that of the snapshot. */
  iterator(options: LevelIteratorOptions): LevelIterator;
  /** Begins a batch. */
  batch(): LevelBatch;
  /** The state at this call. */
  snapshot(): LevelSnapshot;
  /** Bytes of the range in table files. */
  approximateSize(start: Uint8Array, end: Uint8Array): Promise<number>;
  /** Puts what is in the log into table files, then compacts the tables of the range. Does not tell when it fails. */
  compactRange(start: Uint8Array, end: Uint8Array): Promise<void>;
}

/** Opaque. */
export interface LevelSnapshot {
  /** Waits for reads under way. */
  close(): Promise<void>;
}

/** The state that a read sees: the present, or a snapshot. */
export interface LevelReadView {
  readonly snapshot?: LevelSnapshot;
}

export interface LevelIteratorOptions extends LevelReadView {
  /** Must not be there when there is no bound: undefined would be taken for a key. */
  readonly gte?: Uint8Array;
  readonly lt?: Uint8Array;
  readonly reverse: boolean;
  readonly values: boolean;
  /** A read ends early after so many bytes of keys and values; without it after 16 KiB. */
  readonly highWaterMarkBytes: number;
}

export interface LevelIterator {
  /** From 1 to `size` rows; none at the end. One call at a time. */
  nextv(size: number): Promise<[Uint8Array, Uint8Array][]>;
  /** Waits for a read under way. */
  close(): Promise<void>;
}

/** A batch of operations. It copies keys and values. */
export interface LevelBatch {
  /** The number of its operations. */
  readonly length: number;
  put(key: Uint8Array, value: Uint8Array): unknown;
  del(key: Uint8Array): unknown;
  /** One record of the log, which is not synced. Closes the batch. */
  write(): Promise<void>;
  close(): Promise<void>;
}

/** Imports the package; replaced in tests. */
export type PackageImporter = () => Promise<LevelConstructor>;

/** In a variable, so that bundlers leave the package where its native library is. */
const PACKAGE: string = "classic-level";

/**
 * The native package, loaded when it is first needed.
 *
 * @throws MerostoreError NATIVE_LOAD_FAILED, saying what is missing and how to get it
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
