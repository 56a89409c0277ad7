/**
 * Checks for damage that LevelDB silently skips when it opens a database, and then deletes for good: the rest of a
 * MANIFEST or write-ahead log after a cut or damaged record. RocksDB still uses the form of both files.
 */

import { MerostoreError, type Warning } from "../../errors.js";
import { type Catalog, damaged, fileSize, readCatalog } from "../../lsm/catalog/catalog.js";
import { findIncompleteness, findMissingLogs, missingLogs } from "../../lsm/catalog/completeness.js";
import { filesOf, logName, tableName } from "../../lsm/catalog/file-names.js";
import { closeLogs, type LogFile, openLogs } from "../../lsm/catalog/log-replay.js";
import { UnsupportedFormat } from "../../lsm/format/byte-cursor.js";
import { type LogEnd, readLog } from "../../lsm/format/log-records.js";
import { hasLaterRecord, isUnfinished } from "../../lsm/format/log-tail.js";
import { type FileSet, readBytes } from "../../lsm/source.js";

/** The result of checking the files. */
interface CheckedFiles {
  readonly catalog: Catalog;
  /** Warnings about the parts of the logs that LevelDB will drop, which the caller accepts. */
  readonly warnings: readonly Warning[];
}

/**
 * Reads CURRENT, the MANIFEST and the logs that LevelDB would replay.
 *
 * @throws MerostoreError NOT_A_DATABASE for a database of RocksDB, DATABASE_DAMAGED, LOG_DAMAGED, LOG_MISSING
 */
export async function checkFiles(
  files: FileSet,
  acceptLogLoss: boolean | "unfinished",
): Promise<CheckedFiles> {
  const names = await files.list();
  if (names.includes("IDENTITY") || filesOf("options", names).length > 0) {
    throw new MerostoreError(
      "NOT_A_DATABASE",
      `${files.name} holds a database of RocksDB, which LevelDB cannot open: take openEngine`,
    );
  }
  const catalog = await readCatalog(files);
  const incomplete = await findIncompleteness(
    catalog,
    (name) => fileSize(files, name),
    (number) => tableName(number, "ldb"),
  );
  const lacking = incomplete ?? (acceptLogLoss === true ? undefined : findMissingLogs(catalog));
  if (lacking !== undefined) throw lacking;
  const logs = await openLogs(catalog);
  const { losses, unfinished } = await lossesIn(files, logs).finally(() => closeLogs(logs));
  const accepted = acceptLogLoss === "unfinished" ? unfinished : acceptLogLoss;
  if (losses.length === 0 || accepted) {
    const damaged = losses.map((message) => ({ code: "LOG_DAMAGED", message }) as const);
    return { catalog, warnings: [...missingLogs(catalog), ...damaged] };
  }
  throw new MerostoreError(
    "LOG_DAMAGED",
    `${losses.join(". ")}. Opening would drop them for good: restore the folder from a copy, or accept the loss (acceptLogLoss), which is right after a power failure or a killed writer: unsynced writes may end like that`,
  );
}

/**
 * Describes the parts of the logs that LevelDB would drop, and returns whether these are surely only unsynced writes.
 */
async function lossesIn(files: FileSet, logs: readonly LogFile[]) {
  const losses: string[] = [];
  let unfinished = true;
  for (const { number, source } of logs) {
    const bytes = await readBytes(source, 0, new Uint8Array(source.size));
    const end = endOf(files.where(logName(number)), bytes);
    if (end.kind === "whole") continue;
    // LevelDB would continue with later blocks, and writes in the middle would be missing.
    unfinished &&=
      number === logs.at(-1)?.number && isUnfinished(bytes, end) && !hasLaterRecord(bytes, end.offset);
    const what =
      end.kind === "torn"
        ? `is truncated at byte ${end.offset} of ${bytes.length}: ${end.why}`
        : `is damaged at byte ${end.offset} of ${bytes.length}`;
    losses.push(
      `${files.where(logName(number))} ${what}. The batch there is dropped, and perhaps others after it`,
    );
  }
  return { losses, unfinished };
}

function endOf(file: string, bytes: Uint8Array): LogEnd {
  try {
    return readLog(bytes).end;
  } catch (error) {
    if (!(error instanceof UnsupportedFormat)) throw error;
    throw damaged(
      `${file} is not a log of LevelDB: ${error.message}`,
      "Restore the whole folder from a copy.",
      error,
    );
  }
}
