/** The tables of a database as they are stored: level, compression, and sizes. */

import { isDamage } from "../damage.js";
import { compressionNames } from "../format/compression.js";
import { readSizes } from "../format/properties.js";
import { TableEnd } from "../format/table-end.js";
import { type Catalog, tableName } from "./catalog.js";

/** A table as it is stored. */
export interface StoredTable {
  /** Name of the file. */
  readonly file: string;
  /** Name of the column family. */
  readonly column: string;
  /** 0 for tables that were flushed; deeper levels have older rows. */
  readonly level: number;
  /** The version of its format. RocksDB 8.10 writes 5, 10.5 writes 6. */
  readonly formatVersion: number;
  /** Names of compressions as RocksDB has them: `LZ4`, `ZSTD`. Empty for a table without compression. */
  readonly compression: readonly string[];
  /** Bytes of the dictionary that its rows are compressed with; 0 for none. */
  readonly dictionaryBytes: number;
  /** Bytes of the Bloom or ribbon filter, which tells without a read that a key is not in the table; 0 for none. */
  readonly filterBytes: number;
  /** Bytes of keys and values, all versions of a row included. */
  readonly plainBytes: number;
  /** Bytes of the file. */
  readonly storedBytes: number;
}

/**
 * Reads how each table is stored, by column family and level. Tables that are damaged or missing are left out.
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
      const { footer, metaindex, properties } = await TableEnd.read(source);
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
