/** RocksDB opened with options of the binding that make many small files, as a node gets only with much data. */

import type { Engine } from "../../../src/engines/index.js";
import type { NativeDatabase, NativeSession } from "../../../src/engines/rocksdb/binding.js";
import { RocksEngine } from "../../../src/engines/rocksdb/rocks-engine.js";

export interface Tuning {
  readonly tableBlockSize: number;
  readonly tableFormatVersion: number;
  readonly writeBufferSize: number;
  /** Column families beside `default`. */
  readonly columns: readonly string[];
}

interface TunableSession extends Omit<NativeSession, "session"> {
  compactRange(start: Uint8Array | null, end: Uint8Array | null): Promise<void>;
  session(options: { columnFamily: string }): TunableSession;
}

type TunableConstructor = {
  new (path: string, options: object): NativeDatabase;
  readonly ColumnFamily: new (name: string, options: object) => object;
};

const PACKAGE: string = "rocksdb-native";

/** A database for writing, with methods that the engine contract lacks. */
export interface TunedDatabase {
  readonly engine: Engine;
  /** Compacts the keys of a range; null is unbounded. */
  compact(column: string, from: Uint8Array | null, to: Uint8Array | null): Promise<void>;
}

/** Opens or creates a database, and adds the families that it lacks. */
export async function openTuned(path: string, tuning: Tuning): Promise<TunedDatabase> {
  const { columns, ...options } = tuning;
  const Native = ((await import(PACKAGE)) as { default: TunableConstructor }).default;
  const family = (name: string): object => new Native.ColumnFamily(name, options);
  const native = new Native(path, {
    columnFamily: family("default"),
    columnFamilies: columns.map(family),
    createIfMissing: true,
    createMissingColumnFamilies: true,
    readOnly: false,
  });
  await native.ready();
  const engine = new RocksEngine({
    native,
    path,
    folder: path,
    columns: ["default", ...columns],
    writable: true,
    reason: undefined,
    warnings: [],
  });
  return {
    engine,
    async compact(column, from, to) {
      const session = (native as unknown as TunableSession).session({ columnFamily: column });
      await session.compactRange(from, to);
      await session.close();
    },
  };
}
