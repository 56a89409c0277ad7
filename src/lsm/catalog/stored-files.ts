/**
 * Facts about the stored tables and write-ahead logs of a database: levels, compression, sizes, and the column families
 * that need them.
 */

import { isDamage } from "../damage.js";
import { compressionNames } from "../format/compression.js";
import { readSizes } from "../format/properties.js";
import { readTableEnd } from "../format/table-end.js";
import type { Catalog } from "./catalog.js";
import { logName, tableName } from "./file-names.js";
import { closeLogs, openLogs, replayLogs } from "./log-replay.js";

/** The facts about a stored table. */
export interface StoredTable {
  /** Name of the file. */
  readonly file: string;
  /** Name of the column family. */
  readonly column: string;
  /** Its level: 0 for flushed tables; deeper levels have older rows. */
  readonly level: number;
  /** The version of its format. RocksDB 8.10 writes 5, 10.5 writes 6. */
  readonly formatVersion: number;
  /** RocksDB's names of the compressions: `LZ4`, `ZSTD`. Empty for a table without compression. */
  readonly compression: readonly string[];
  /** The bytes of its compression dictionary; 0 for none. */
  readonly dictionaryBytes: number;
  /** The bytes of its Bloom or ribbon filter, which rules out most absent keys without a read; 0 for none. */
  readonly filterBytes: number;
  /** The bytes of keys and values, including all versions of a row. */
  readonly plainBytes: number;
  /** Bytes of the file. */
  readonly storedBytes: number;
}

/**
 * Reads the facts about each stored table, by column family and level. Damaged and missing tables are left out.
 *
 * @throws MerostoreError if the system refuses to read a file
 */
export async function* storedTables(catalog: Catalog): AsyncGenerator<StoredTable, void, undefined> {
  const { files, manifest, tables } = catalog;
  for (const { number, column, level } of manifest.liveFiles) {
    const file = tables.get(number) ?? tableName(number);
    const source = await files.open(file);
    if (source === undefined) continue;
    try {
      const { footer, metaindex, properties } = await readTableEnd(source);
      const { compression, plainBytes, filterBytes } = readSizes(properties);
      yield {
        ...{ file, column, level, plainBytes, filterBytes, storedBytes: source.size },
        formatVersion: footer.version,
        compression: compressionNames(compression, footer.version),
        dictionaryBytes: metaindex.dictionary?.size ?? 0,
      };
    } catch (error) {
      if (!isDamage(error)) throw error;
    } finally {
      source.close();
    }
  }
}

/** A write-ahead log that the database still needs. */
export interface StoredLog {
  /** Name of the file. */
  readonly file: string;
  /** Bytes of the file. */
  readonly bytes: number;
  /**
   * The number of changes that are in no table yet, by column family. RocksDB keeps the oldest log, and so all later
   * ones, until the changes of these families are flushed.
   */
  readonly changes: Readonly<Record<string, number>>;
}

/** Reads the needed logs, oldest first. Changes after damage are not counted. @throws as {@link replayLogs} */
export async function storedLogs(catalog: Catalog): Promise<readonly StoredLog[]> {
  const families = new Map(catalog.manifest.columns.map((column) => [column.id, column]));
  const changes = new Map<number, Map<string, number>>();
  const logs = await openLogs(catalog);
  try {
    await replayLogs(catalog, logs, (log) => {
      const counts = new Map<string, number>();
      changes.set(log, counts);
      return (id) => {
        const family = families.get(id);
        if (family !== undefined && log >= family.logNumber)
          counts.set(family.name, (counts.get(family.name) ?? 0) + 1);
      };
    });
    return logs.map(({ number, source }) => ({
      file: logName(number),
      bytes: source.size,
      changes: Object.fromEntries(changes.get(number) ?? []),
    }));
  } finally {
    closeLogs(logs);
  }
}
