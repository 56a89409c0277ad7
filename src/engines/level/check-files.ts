/**
 * What LevelDB passes over in silence when it opens a database, and then deletes for good: the rest of a MANIFEST or a
 * write-ahead log after a record that is cut or damaged. Both have the form that RocksDB still writes.
 */

import { cutManifest } from "../../disk/cut-manifest.js";
import { MerostoreError } from "../../errors.js";
import { damaged, fileSize, logName, readCatalog } from "../../lsm/catalog/catalog.js";
import { findIncompleteness } from "../../lsm/catalog/completeness.js";
import { readLogs } from "../../lsm/catalog/log-replay.js";
import { UnsupportedFormat } from "../../lsm/format/byte-cursor.js";
import { type LogEnd, readLog } from "../../lsm/format/log-records.js";
import { hasLaterRecord, isUnfinished } from "../../lsm/format/log-tail.js";
import type { FileSet } from "../../lsm/source.js";

/**
 * Reads CURRENT, the MANIFEST and the logs that LevelDB would replay, and cuts from the MANIFEST what was never synced.
 *
 * @returns sentences about what of the logs would be dropped, if that is accepted
 * @throws MerostoreError NOT_A_DATABASE for a database of RocksDB, DATABASE_DAMAGED, LOG_DAMAGED
 */
export async function checkFiles(files: FileSet, acceptLogLoss: boolean | "unfinished"): Promise<string[]> {
  const names = await files.list();
  if (names.some((name) => name === "IDENTITY" || /^OPTIONS-\d+$/.test(name))) {
    throw new MerostoreError(
      "NOT_A_DATABASE",
      `${files.name} holds a database of RocksDB, which LevelDB cannot open: take openEngine`,
    );
  }
  const catalog = await readCatalog(files);
  const incomplete = await findIncompleteness(
    catalog,
    (name) => fileSize(files, name),
    (number) => `${String(number).padStart(6, "0")}.ldb`,
  );
  if (incomplete !== undefined) throw incomplete;
  const losses: string[] = [];
  const logs = await readLogs(catalog);
  let unfinished = true;
  for (const { number, bytes } of logs) {
    const end = endOf(files.where(logName(number)), bytes);
    if (end.kind === "whole") continue;
    // LevelDB would go on with later blocks: writes would be missing between those that are there.
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
  const accepted = acceptLogLoss === "unfinished" ? unfinished : acceptLogLoss;
  if (losses.length === 0 || accepted) {
    await cutManifest(catalog);
    return losses;
  }
  throw new MerostoreError(
    "LOG_DAMAGED",
    `${losses.join(". ")}. Opening would drop them for good: restore the folder from a copy, or accept the loss (acceptLogLoss), which is right after a power failure or a killed writer: what was not synced may end like that`,
  );
}

function endOf(file: string, bytes: Uint8Array): LogEnd {
  try {
    return readLog(bytes).end;
  } catch (error) {
    if (!(error instanceof UnsupportedFormat)) throw error;
    throw damaged(
      `${file} is no log of LevelDB: ${error.message}`,
      "Restore the whole folder from a copy.",
      error,
    );
  }
}
