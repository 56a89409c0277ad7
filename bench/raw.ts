/** The native binding as one would use it without merostore: what the store is measured against. */
import { core010 } from "../src/index.js";

export interface RawEntry {
  readonly key: Buffer;
  readonly value: Buffer;
}

/** The iterator is a stream of rows. */
export interface RawIterator extends AsyncIterable<RawEntry> {
  on(event: "data", listener: (row: RawEntry) => void): this;
  on(event: "readable" | "close", listener: () => void): this;
  on(event: "error", listener: (error: Error) => void): this;
  read(): RawEntry | null;
}

export interface RawReadBatch {
  get(key: Uint8Array): Promise<Buffer | null>;
  tryFlush(): void;
}

export interface RawWriteBatch {
  tryPut(key: Uint8Array, value: Uint8Array): void;
  flush(): Promise<void>;
}

/** A session on one column family. */
export interface RawSession {
  session(options: { columnFamily?: string }): RawSession;
  iterator(range: object, options: { capacity: number }): RawIterator;
  read(options: { capacity: number; autoDestroy: true }): RawReadBatch;
  write(options: { capacity: number; autoDestroy: true }): RawWriteBatch;
  compact(): Promise<void>;
  close(): Promise<void>;
  /** Private: the family that batches put into. Changing it is the only way to span several in one batch. */
  _columnFamily: object;
}

export interface RawDatabase extends RawSession {
  ready(): Promise<void>;
}

interface RawOptions {
  readonly columnFamilies: readonly string[];
  readonly readOnly: boolean;
  readonly createIfMissing: boolean;
  readonly createMissingColumnFamilies: boolean;
}

type RawConstructor = new (path: string, options: RawOptions) => RawDatabase;

const PACKAGE: string = "rocksdb-native";

let loaded: RawConstructor | undefined;

/** How to open: read-only, for writing, or for writing where there is nothing yet. */
export type RawMode = "read" | "write" | "create";

/** Opens a database with all column families of core-0.10 named. */
export async function openRaw(path: string, mode: RawMode): Promise<RawDatabase> {
  loaded ??= ((await import(PACKAGE)) as { default: RawConstructor }).default;
  const raw = new loaded(path, {
    columnFamilies: core010.columns,
    readOnly: mode === "read",
    createIfMissing: mode === "create",
    createMissingColumnFamilies: mode === "create",
  });
  await raw.ready();
  return raw;
}
