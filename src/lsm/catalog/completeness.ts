/**
 * Detects a truncated MANIFEST. RocksDB reads a MANIFEST up to its end: if the last records are missing, it opens the
 * database with fewer rows and reports nothing. Three facts about other files reveal the loss:
 *
 * 1. The newest OPTIONS file lists a column family that the MANIFEST never mentions. RocksDB writes it to the MANIFEST
 * first.
 * 2. A live table file is missing or has another size. The lost record names its replacement.
 * 3. The MANIFEST does not know a table file, and the write-ahead log with its rows is gone. A killed writer leaves
 * unknown table files too, but then the log is still there: RocksDB deletes a log only after the MANIFEST names the
 * tables made from it and L, the next log that is needed. So if the MANIFEST is complete, L is on disk, or, if nothing
 * was flushed since the MANIFEST was begun, the log that was begun right before it. If that log is missing, the lost
 * records named the unknown tables from L on. A table between L and all logs has its rows in none of them, with two
 * exceptions. Logs below L show that the writer was killed during its cleanup at the start. Or the MANIFEST is newer
 * than the OPTIONS file: a running writer began it because the previous one was too long, and it names no table that
 * was replaced by then. Tables below L are leftovers.
 *
 * The check cannot detect these cuts. A cut between two records whose lost changes are still in a log: the replay
 * restores them, and no row is missing. The loss of a column family without tables if the OPTIONS file is lost as well:
 * only its rows in a log reveal it ({@link unmentionedColumn}). And a cut within the records that RocksDB writes when
 * it opens a database, if later compactions have replaced all tables that these records named.
 */

import { NumberMap } from "../../bytes/number-map.js";
import { MerostoreError, type Warning } from "../../errors.js";
import { RESTORE } from "../damage.js";
import type { ManifestColumn } from "../format/manifest.js";
import type { MaybePromise } from "../source.js";
import { type Catalog, damaged, neededLogs } from "./catalog.js";
import { logName, numberIn, tableName } from "./file-names.js";
import type { SequenceGap } from "./log-replay.js";

/**
 * Returns an error that names the missing rows, or undefined if the MANIFEST is complete.
 *
 * @param sizeOf returns the size of a table file in bytes, undefined if it does not exist
 * @param nameOf returns the name of a table file
 */
export async function findIncompleteness(
  catalog: Catalog,
  sizeOf: (name: string) => MaybePromise<number | undefined>,
  nameOf: (number: number) => string = tableName,
): Promise<MerostoreError | undefined> {
  return (
    lostColumn(catalog) ??
    (await lostFile(catalog, sizeOf, nameOf)) ??
    unknownTable(catalog) ??
    lostRecord(catalog)
  );
}

/**
 * Missing logs prove that the torn record at the end was once complete: a writer deletes a log only after writing it.
 */
function lostRecord(catalog: Catalog) {
  const { files, manifestName, manifestEnd, manifestLength } = catalog;
  if (manifestEnd === manifestLength || !lacksLog(catalog)) return undefined;
  return damaged(
    `${files.where(manifestName)} is truncated in the record at byte ${manifestEnd} of ${manifestLength}: the write-ahead logs that it needs without that record are missing`,
    RESTORE,
  );
}

function lostColumn({ files, manifest, manifestName, options, optionsName }: Catalog) {
  const known = new Set(manifest.columns.map(({ name }) => name));
  const lost = options?.columns.filter((name) => !known.has(name) && !manifest.dropped.has(name)) ?? [];
  if (lost.length === 0) return undefined;
  return damaged(
    `${files.where(manifestName)} is truncated: it does not mention the column families ${lost.join(", ")}, which ${optionsName} lists`,
    RESTORE,
  );
}

/**
 * The error for a log with rows of a column family whose id is above all ids in the MANIFEST: a writer mentions a new
 * family there first.
 */
export function unmentionedColumn({ files, manifestName }: Catalog, log: number): MerostoreError {
  return damaged(
    `${files.where(manifestName)} is truncated: it does not mention a column family that ${logName(log)} has rows of`,
    RESTORE,
  );
}

async function lostFile(
  { files, manifest, manifestName, tables }: Catalog,
  sizeOf: (name: string) => MaybePromise<number | undefined>,
  nameOf: (number: number) => string,
) {
  for (const { number, size, column } of manifest.liveFiles) {
    const name = tables.get(number);
    const found = name === undefined ? undefined : await sizeOf(name);
    if (found === size) continue;
    const file = files.where(name ?? nameOf(number));
    return found === undefined
      ? damaged(
          `${file} with rows of ${column} is missing, or lies in another folder (db_paths, cf_paths), or ${manifestName}, which names it, is truncated`,
          RESTORE,
        )
      : damaged(
          `${file} with rows of ${column} has ${found} bytes and should have ${size}, or ${manifestName} is truncated`,
          RESTORE,
        );
  }
  return undefined;
}

/**
 * Returns warnings about missing write-ahead logs; none if all are there. A missing log may have had no writes.
 *
 * @param gaps the missing writes before and between the logs, if the logs were read
 */
export function missingLogs(catalog: Catalog, gaps: readonly SequenceGap[] = []): readonly Warning[] {
  const { files, manifest, manifestName } = catalog;
  const sentences = gaps.map(({ after, before, first, last }) => {
    const end = after === undefined ? "" : `${logName(after)} ends before them, `;
    return `the writes ${first} to ${last} are in none of the logs: ${end}${logName(before)} begins after them`;
  });
  if (lacksLog(catalog)) {
    const needed = neededLogs(catalog).map(logName);
    const found = needed.length === 0 ? "none" : `only ${needed.join(", ")}`;
    sentences.unshift(
      files.lastSought === undefined
        ? `${manifestName} needs more logs, or is truncated; ${found} can be found`
        : `of ${logName(manifest.minLogNumber)} to ${logName(files.lastSought)} ${found} can be found`,
    );
  }
  return sentences.map((sentence) => ({
    code: "LOG_MISSING",
    message: `write-ahead logs of ${files.name} are missing, and rows that are only in them: ${sentence}`,
  }));
}

/**
 * Returns the error about missing write-ahead logs; undefined if all are there.
 *
 * @param gaps as in {@link missingLogs}
 */
export function findMissingLogs(catalog: Catalog, gaps?: readonly SequenceGap[]): MerostoreError | undefined {
  const [missing] = missingLogs(catalog, gaps);
  if (missing === undefined) return undefined;
  return new MerostoreError(
    "LOG_MISSING",
    `${missing.message}. If this is a copy, copy the logs too, best with \`merostore backup\`; otherwise save the rest with \`merostore recover\`, or accept the loss (acceptLogLoss)`,
  );
}

/**
 * Returns true if a write-ahead log is missing. A writer begins a log right before the MANIFEST. It keeps the first log
 * that is needed, and one at least as new as the last flush. Only RocksDB's repair leaves a database without logs, and
 * its tables do not come from logs.
 */
export function lacksLog(catalog: Pick<Catalog, "manifest" | "manifestName" | "logs">): boolean {
  const { manifest, manifestName } = catalog;
  if (newestFlush(manifest.columns) === 0 && manifest.liveFiles.length > 0) return false;
  const number = numberIn(manifestName);
  const needed = neededLogs(catalog);
  const first = Math.max(number, manifest.minLogNumber + 1);
  const isFirstMissing = !needed.some((log) => log < first) && number > 1;
  return isFirstMissing || lacksNewestLog(needed, manifest.columns);
}

/** Returns true if every log is older than the last flush. */
export function lacksNewestLog(logs: readonly number[], columns: readonly ManifestColumn[]): boolean {
  const newest = newestFlush(columns);
  return newest > 0 && !logs.some((log) => log >= newest);
}

function newestFlush(columns: readonly ManifestColumn[]): number {
  return columns.reduce((most, { logNumber }) => Math.max(most, logNumber), 0);
}

function unknownTable({ files, manifest, manifestName, optionsName, logs, tables }: Catalog) {
  const live = new NumberMap(manifest.liveFiles.map(({ number }) => [number, true]));
  const least = manifest.minLogNumber;
  const manifestNumber = numberIn(manifestName);
  const isNew = manifestNumber === 1; // an interrupted creation of a database leaves no log
  const hasFirstLog = logs.some((log) => log >= least && log < Math.max(manifestNumber, least + 1));
  const firstLog = logs.find((log) => log >= least) ?? Number.POSITIVE_INFINITY;
  const hasOldLogs = logs.some((log) => log < least);
  const isRolled = optionsName !== undefined && numberIn(optionsName) < manifestNumber;
  for (const [number, name] of tables) {
    if (number < least || live.has(number) || manifest.deletedFiles.has(number)) continue;
    const leftover = (hasOldLogs || isRolled) && number < manifestNumber;
    const inLog = leftover || firstLog < number;
    if ((hasFirstLog || isNew) && inLog) continue;
    return damaged(
      `${files.where(manifestName)} is truncated: it does not name the table file ${name}, and no write-ahead log has its rows`,
      RESTORE,
    );
  }
  return undefined;
}
