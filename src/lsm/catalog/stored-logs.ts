/** The write-ahead logs of a database as they are stored: sizes, and the column families that need them. */

import { type Catalog, logName } from "./catalog.js";
import { closeLogs, openLogs, replayLogs } from "./log-replay.js";

/** A write-ahead log that the database still needs. */
export interface StoredLog {
  /** Name of the file. */
  readonly file: string;
  /** Bytes of the file. */
  readonly bytes: number;
  /**
   * The number of changes that are in no table yet, by column family. RocksDB keeps the oldest log, and so all after it, until
   * those of the families named there are flushed.
   */
  readonly changes: Readonly<Record<string, number>>;
}

/** Reads the needed logs, oldest first. Changes behind damage are not counted. @throws as {@link replayLogs} */
export async function storedLogs(catalog: Catalog): Promise<readonly StoredLog[]> {
  const families = new Map(catalog.manifest.columns.map((column) => [column.id, column]));
  const changes = new Map<number, Record<string, number>>();
  const logs = await openLogs(catalog);
  try {
    await replayLogs(catalog, logs, (log) => {
      const counts: Record<string, number> = {};
      changes.set(log, counts);
      return (id) => {
        const family = families.get(id);
        if (family !== undefined && log >= family.logNumber)
          counts[family.name] = (counts[family.name] ?? 0) + 1;
      };
    });
    return logs.map(({ number, source }) => ({
      ...{ file: logName(number), bytes: source.size },
      changes: changes.get(number) ?? {},
    }));
  } finally {
    closeLogs(logs);
  }
}
