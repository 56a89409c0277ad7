/** The native binding used directly, as the baseline of the store. */
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
  compact(options: { readonly bottommostLevelCompaction: number }): Promise<void>;
  close(): Promise<void>;
  /** Private: the family that batches put into. Changing it is the only way to span several in one batch. */
  _columnFamily: object;
}

export interface RawDatabase extends RawSession {
  ready(): Promise<void>;
}

interface RawOptions {
  readonly columnFamily?: object;
  readonly columnFamilies: readonly (string | object)[];
  readonly readOnly: boolean;
  readonly createIfMissing: boolean;
  readonly createMissingColumnFamilies: boolean;
}

interface RawConstructor {
  new (path: string, options: RawOptions): RawDatabase;
  readonly ColumnFamily: new (name: string, options: object) => object;
}

const PACKAGE: string = "rocksdb-native";

let loaded: RawConstructor | undefined;

/** The mode of opening: read-only, for writing, or creating a new database. */
export type RawMode = "read" | "write" | "create";

/** Opens a database with the column families named: those of core-0.10. */
export async function openRaw(
  path: string,
  mode: RawMode,
  columns: readonly string[] = core010.columns,
): Promise<RawDatabase> {
  const Native = await load();
  const raw = new Native(path, {
    columnFamilies: columns,
    readOnly: mode === "read",
    createIfMissing: mode === "create",
    createMissingColumnFamilies: mode === "create",
  });
  await raw.ready();
  return raw;
}

/** Rewrites blocks at the last level, too. */
const FORCE = 2;

/**
 * Makes one sorted run of each column family, in blocks of 4 KiB without filters, as a node does: scans then do not
 * depend on background compactions. (The binding's own defaults are 8 KiB and a Bloom filter.)
 */
export async function compactAsNode(path: string, columns: readonly string[]): Promise<void> {
  const Native = await load();
  const family = (name: string) =>
    new Native.ColumnFamily(name, { tableBlockSize: 4096, filterPolicy: null });
  const raw = new Native(path, {
    columnFamily: family("default"),
    columnFamilies: columns.map(family),
    readOnly: false,
    createIfMissing: false,
    createMissingColumnFamilies: false,
  });
  await raw.ready();
  for (const columnFamily of columns) {
    const session = raw.session({ columnFamily });
    await session.compact({ bottommostLevelCompaction: FORCE });
    await session.close();
  }
  await raw.close();
}

async function load(): Promise<RawConstructor> {
  loaded ??= ((await import(PACKAGE)) as { default: RawConstructor }).default;
  return loaded;
}
