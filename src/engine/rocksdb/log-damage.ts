/** Where a write-ahead log is cut or damaged, for the sentence about what RocksDB does not read of it. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Folder, logName } from "./folder.js";
import { readLog } from "./log-format.js";

/**
 * A sentence about the first damage in the write-ahead logs that are replayed at opening. Undefined when there is none
 * to be seen: a log that was cut exactly between two records looks like one that never had more. A log that cannot be
 * read here is passed over.
 */
export async function findLogDamage(folder: Folder): Promise<string | undefined> {
  const needed = folder.logs.filter((log) => log >= folder.manifest.minLogNumber);
  for (const [index, log] of needed.entries()) {
    const file = join(folder.path, logName(log));
    const bytes = await readFile(file).catch(() => undefined); // gone meanwhile, or beyond 2 GiB
    if (bytes === undefined) continue;
    const { end } = readLog(bytes);
    if (end.kind === "whole") continue;
    const later = needed.slice(index + 1).map(logName);
    const rest = later.length === 0 ? "" : `, and ${later.join(", ")} after it,`;
    const killed =
      end.kind === "torn" && later.length === 0
        ? " (a writer that is killed in the middle of a large write leaves the same: then only that write, which it never reported as done, is lost)"
        : "";
    return (
      `${file} is ${end.kind === "torn" ? "cut" : "damaged"} at byte ${end.offset} of ${bytes.length}: ${end.why}. ` +
      `Its last ${bytes.length - end.offset} bytes${rest} are not read: the writes in them are missing${killed}`
    );
  }
  return undefined;
}
