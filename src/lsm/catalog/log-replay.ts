/**
 * Replays write-ahead logs as RocksDB does by default ("point in time"). The first damaged or incomplete record ends
 * its log. Later logs are then read only if they continue with exactly the next sequence number.
 */

import { MerostoreError } from "../../errors.js";
import { RECOVER, RESTORE, unsupported } from "../damage.js";
import { MalformedBytes, UnsupportedFormat } from "../format/byte-cursor.js";
import { BLOCK, type LogEnd, LogScanner } from "../format/log-records.js";
import { isUnfinished } from "../format/log-tail.js";
import type { Manifest } from "../format/manifest.js";
import { type ChangeSink, readBatch, sequenceOf } from "../format/write-batch.js";
import { logPieces } from "../log-pieces.js";
import { type FileSet, type FileSource, readBytes } from "../source.js";
import { type Catalog, CatalogOutdated, damaged, fileSize, neededLogs } from "./catalog.js";
import { logName, numberIn } from "./file-names.js";

/** A write-ahead log that must be replayed. */
export interface LogFile {
  readonly number: number;
  /** The open file. */
  readonly source: FileSource;
}

/** The loss if the replay ended early. */
export interface LogLoss {
  readonly log: number;
  /** The first byte of the log that was not read. */
  readonly offset: number;
  /** Describes the missing writes: acknowledged writes, or a write in progress when its writer ended. */
  readonly sentence: string;
  /** True if only unsynced writes are missing: the writer was killed within the last one, or the power failed. */
  readonly unfinished: boolean;
}

/** Checks that a loss is accepted, before a database is opened for writing. @throws MerostoreError LOG_DAMAGED */
export function checkAccepted(
  { sentence, unfinished }: Pick<LogLoss, "sentence" | "unfinished">,
  acceptLogLoss: boolean | "unfinished",
  cause?: unknown,
): void {
  if (acceptLogLoss === "unfinished" ? unfinished : acceptLogLoss) return;
  throw new MerostoreError(
    "LOG_DAMAGED",
    `${sentence}. Opening for writing would drop them for good: open it for reading, restore the log from a copy, or accept the loss (acceptLogLoss)`,
    { cause },
  );
}

/** Writes that are missing in all logs: RocksDB numbers all writes without a gap. */
export interface SequenceGap {
  /** The log before them, which may be truncated; undefined if no log is older. */
  readonly after: number | undefined;
  /** The log after them. */
  readonly before: number;
  /** The first and the last sequence number of the missing writes. */
  readonly first: number;
  readonly last: number;
}

/** The result of reading all logs. */
export interface LogReplay {
  /** The unread part; undefined if everything was read. */
  readonly loss: LogLoss | undefined;
  /** The writes that are missing before and between logs. */
  readonly gaps: readonly SequenceGap[];
}

/**
 * The maximum size of all logs in bytes. Their content is kept in memory; a node starts to flush them at 256 MiB.
 */
export const MOST_LOG_BYTES = 4 * 1024 * 1024 * 1024;

/**
 * Passes the changes of all logs to `sink` in order. The logs are read in pieces.
 *
 * @param sink called with the number of a log; returns the receiver of its changes
 * @param afterPiece awaited after each piece
 * @throws MerostoreError DATABASE_DAMAGED if tables contain later writes than the missing ones; UnsupportedFormat;
 *   CatalogOutdated if a writer may have reused the file of the unread part for another log
 */
export async function replayLogs(
  catalog: Catalog,
  logs: readonly LogFile[],
  sink: (log: number) => ChangeSink,
  afterPiece?: () => Promise<void>,
): Promise<LogReplay> {
  const replay = new Replay(catalog, logs);
  for (const log of logs) {
    try {
      await replay.read(log, sink(log.number), afterPiece);
    } catch (error) {
      await checkUnchanged(catalog.files, log);
      throw error;
    }
  }
  return { loss: await replay.loss(), gaps: replay.gaps };
}

/**
 * Checks a log after it was read. A writer that recycles logs shortens a finished one, renames it to the next log, and
 * overwrites its content. Bytes that an open file then shows are no damage.
 *
 * @throws CatalogOutdated if that may have happened
 */
export async function checkUnchanged(files: FileSet, { number, source }: LogFile): Promise<void> {
  const name = logName(number);
  if ((await fileSize(files, name)) === undefined) throw new CatalogOutdated(`${name} is gone`);
  if (source.sizeNow !== undefined && source.sizeNow() < source.size)
    throw new CatalogOutdated(`${name} was shortened`);
}

/**
 * Opens the logs of a catalog. The caller closes them.
 *
 * @throws CatalogOutdated if a log was deleted meanwhile; MerostoreError FORMAT_UNSUPPORTED if they exceed the limit
 */
export async function openLogs(catalog: Catalog): Promise<LogFile[]> {
  const { files } = catalog;
  const logs: LogFile[] = [];
  let left = MOST_LOG_BYTES;
  try {
    for (const number of neededLogs(catalog)) {
      const name = logName(number);
      const source = await files.open(name);
      if (source === undefined) throw new CatalogOutdated(`${name} is gone`);
      logs.push({ number, source });
      left -= source.size;
      if (left < 0) {
        const why = `the write-ahead logs have more than ${MOST_LOG_BYTES} bytes, the limit of this engine`;
        throw unsupported(files.where(name), new UnsupportedFormat(why));
      }
    }
    return logs;
  } catch (error) {
    closeLogs(logs);
    throw error;
  }
}

/** Closes the files of logs. */
export function closeLogs(logs: readonly LogFile[]): void {
  for (const { source } of logs) source.close();
}

/**
 * Reads the logs only to find their losses.
 *
 * @throws CatalogOutdated, UnsupportedFormat if this cannot be determined; MerostoreError DATABASE_DAMAGED,
 *   FORMAT_UNSUPPORTED
 */
export async function checkLogs(catalog: Catalog): Promise<LogReplay> {
  const logs = await openLogs(catalog);
  try {
    return await replayLogs(catalog, logs, () => () => undefined);
  } finally {
    closeLogs(logs);
  }
}

class Replay {
  readonly #gaps: SequenceGap[] = [];
  /** True if sequence numbers are missing inside a log: its writer bypasses the log for some writes. */
  #isPartial = false;
  readonly #catalog: Catalog;
  readonly #logs: readonly LogFile[];
  #next: number | undefined;
  /** The last log with writes. */
  #last: number | undefined;
  /** The log that ended in damage, unless a later log continued it. */
  #stopped: { readonly log: LogFile; readonly end: Exclude<LogEnd, { kind: "whole" }> } | undefined;

  constructor(catalog: Catalog, logs: readonly LogFile[]) {
    this.#catalog = catalog;
    this.#logs = logs;
  }

  async read(log: LogFile, sink: ChangeSink, afterPiece?: () => Promise<void>): Promise<void> {
    const scanner = new LogScanner(log.number, (offset, payload) => {
      try {
        const sequence = sequenceOf(payload);
        if (this.#stopped !== undefined && sequence !== this.#next) return false;
        this.#stopped = undefined;
        const next = readBatch(payload, sink);
        if (this.#next !== undefined && next < this.#next) throw this.#setBack(log.number);
        this.#findGap(log.number, sequence);
        this.#next = next;
        return true;
      } catch (error) {
        if (!(error instanceof MalformedBytes)) throw error;
        this.#stopped = { log, end: { kind: "damaged", offset, why: error.message } };
        return false;
      }
    });
    for await (const { bytes, isLast } of logPieces(log.source, this.#catalog.files)) {
      const end = scanner.read(bytes, isLast);
      if (end !== undefined && end.kind !== "whole") this.#stopped = { log, end };
      if (scanner.ended) return;
      await afterPiece?.();
    }
  }

  async loss(): Promise<LogLoss | undefined> {
    if (this.#stopped === undefined) return undefined;
    const { log, end } = this.#stopped;
    await checkUnchanged(this.#catalog.files, log);
    this.#checkTables(log.number);
    const later = this.#logs.filter(({ number, source }) => number > log.number && source.size > 0);
    const names = later.map(({ number }) => logName(number));
    // The rest of a recycled file does not matter, but a skipped later log does.
    if (end.kind === "recycled" && names.length === 0) return undefined;
    const { files } = this.#catalog;
    const why = end.kind === "recycled" ? "what follows belongs to an older log" : end.why;
    const rest = names.length === 0 ? "" : `, and ${names.join(", ")} after it,`;
    const killed =
      end.kind === "torn" && names.length === 0
        ? " (a writer that is killed in the middle of a large write leaves the same: then only that write, which it never reported as done, is lost)"
        : "";
    const unfinished = names.length === 0 && (await endsUnfinished(log.source, end));
    const remedy = unfinished ? "" : `; ${RECOVER}`;
    return {
      log: log.number,
      offset: end.offset,
      unfinished,
      sentence:
        `${files.where(logName(log.number))} is ${end.kind === "torn" ? "truncated" : "damaged"} at byte ${end.offset} of ` +
        `${log.source.size}: ${why}. Its last ${log.source.size - end.offset} bytes${rest} are not read: ` +
        `the writes in them are missing${killed}${remedy}`,
    };
  }

  /**
   * The missing writes before and between logs. Each log begins with the write after the last write of the previous
   * log. The first log begins at the latest with the write after the last flush. Exceptions are writes that go to no
   * log: ingested tables, and writes that bypass the log.
   */
  get gaps(): readonly SequenceGap[] {
    return this.#isPartial ? [] : this.#gaps;
  }

  #findGap(log: number, sequence: number): void {
    const first = this.#next ?? lastInTables(this.#catalog.manifest) + 1;
    const last = sequence - 1;
    if (first <= last && log === this.#last) this.#isPartial = true;
    else if (first <= last && !this.#isComplete(log) && !this.#areInTables(first, last))
      this.#gaps.push({ after: this.#last, before: log, first, last });
    this.#last = log;
  }

  /**
   * Returns whether the MANIFEST shows that all writes before a log are in tables or in earlier logs. Then the log is
   * the first needed one, or was begun at an opening, right before the MANIFEST. Missing numbers before it belong to
   * writes that went to no log.
   */
  #isComplete(log: number): boolean {
    const { manifest, manifestName } = this.#catalog;
    const isOpening = numberIn(manifestName) === log + 1;
    return this.#last === undefined && (log <= manifest.minLogNumber || isOpening);
  }

  /**
   * Returns whether each of these writes is the only write of a table. An ingested table uses a number that no log has.
   */
  #areInTables(first: number, last: number): boolean {
    const { liveFiles } = this.#catalog.manifest;
    if (last - first >= liveFiles.length) return false;
    const alone = new Set<number>();
    for (const { smallestSequence, largestSequence } of liveFiles)
      if (smallestSequence !== undefined && smallestSequence === largestSequence) alone.add(largestSequence);
    for (let sequence = first; sequence <= last; sequence++) if (!alone.has(sequence)) return false;
    return true;
  }

  /** Throws if a family has tables from logs after the damage: it would have later rows than other families. */
  #checkTables(log: number): void {
    const { manifest, files } = this.#catalog;
    const filled = new Set(manifest.liveFiles.map(({ column }) => column));
    const ahead = manifest.columns.find(({ name, logNumber }) => logNumber > log && filled.has(name));
    if (ahead === undefined) return;
    throw damaged(
      `${files.where(logName(log))} is damaged, and tables of ${ahead.name} hold later writes than its readable part`,
      `The column families would be inconsistent. ${RESTORE}`,
    );
  }

  #setBack(log: number): MerostoreError {
    return damaged(`the sequence numbers in ${this.#catalog.files.where(logName(log))} go back`, RESTORE);
  }
}

/** Returns the sequence number of the last write in the MANIFEST and its tables. */
export function lastInTables({ liveFiles, lastSequence }: Manifest): number {
  return liveFiles.reduce((most, { largestSequence = 0 }) => Math.max(most, largestSequence), lastSequence);
}

/** {@link isUnfinished} for a file, of which it reads only the bytes after the last whole record. */
async function endsUnfinished(source: FileSource, end: Exclude<LogEnd, { kind: "whole" }>): Promise<boolean> {
  const start = end.offset - (end.offset % BLOCK);
  const bytes = await readBytes(source, start, new Uint8Array(source.size - start));
  return isUnfinished(bytes, { ...end, offset: end.offset - start });
}
