/** Where a write-ahead log is cut or damaged, for the sentence about what RocksDB does not read of it. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Folder, logName } from "./folder.js";
import { readLog } from "./log-format.js";

export interface LogDamage {
  /** The log's path. */
  readonly file: string;
  /** Bytes of the log that are whole. */
  readonly offset: number;
  /** Bytes of the log in all. */
  readonly length: number;
  /** Whether the log ends too early, rather than holding something that is no record. */
  readonly torn: boolean;
  /** A sentence for a person: the file, where, why, and what is not read. */
  readonly sentence: string;
}

/**
 * The first damage in the write-ahead logs that are replayed at opening; undefined when there is none to be seen:
 * a log that was cut exactly between two records looks like one that never had more.
 */
export async function findLogDamage(folder: Folder): Promise<LogDamage | undefined> {
  const needed = folder.logs.filter((log) => log >= folder.manifest.minLogNumber);
  for (const [index, log] of needed.entries()) {
    const file = join(folder.path, logName(log));
    const bytes = await readFile(file);
    const { end } = readLog(bytes);
    if (end.kind === "whole") continue;
    const later = needed.slice(index + 1).map(logName);
    const rest = later.length === 0 ? "" : `, and ${later.join(", ")} after it,`;
    return {
      file,
      offset: end.offset,
      length: bytes.length,
      torn: end.kind === "torn",
      sentence:
        `${file} is ${end.kind === "torn" ? "cut" : "damaged"} at byte ${end.offset} of ${bytes.length}: ${end.why}. ` +
        `Its last ${bytes.length - end.offset} bytes${rest} are not read: the writes in them are missing`,
    };
  }
  return undefined;
}
