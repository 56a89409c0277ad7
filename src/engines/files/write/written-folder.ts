/**
 * The folder of a database that is open for writing: the numbers of its files, its logs, and the check for other
 * programs.
 */

import { type ErrorCode, MerostoreError, type Warning } from "../../../errors.js";
import {
  type Catalog,
  fileSize,
  namedManifest,
  neededLogs,
  readCatalog,
} from "../../../lsm/catalog/catalog.js";
import { logName } from "../../../lsm/catalog/file-names.js";
import { MOST_LOG_BYTES } from "../../../lsm/catalog/log-replay.js";
import { storedTables } from "../../../lsm/catalog/stored-files.js";
import { unsupported } from "../../../lsm/damage.js";
import { MalformedBytes, UnreadableFormat, UnsupportedFormat } from "../../../lsm/format/byte-cursor.js";
import { BLOOM_BITS } from "../../../lsm/format/encode-filter.js";
import type { TableForm } from "../../../lsm/format/encode-table.js";
import { MOST_NUMBER } from "../../../lsm/format/manifest.js";
import type { MaybePromise } from "../../../lsm/source.js";
import type { WritableFiles } from "../../../lsm/writable-files.js";
import { openCurrentFiles } from "../open.js";
import { type ReadOptions, readState, type State } from "../state.js";
import { type FamilyForms, formOf, type TableOptions } from "./family-forms.js";
import { type FailedRun, type FlushChanges, flushTables, removeObsolete } from "./flush.js";
import { LogWriter } from "./log-writer.js";
import { type OlderLogs, readOlderLogs } from "./older-logs.js";

/** Logs of so many bytes are flushed before the next batch, as RocksDB does by default. */
const FLUSHED_BYTES = 64 * 1024 * 1024;

export class WrittenFolder {
  readonly files: WritableFiles;
  /** The most bytes of all logs. */
  readonly #mostLogBytes: number;
  readonly #options: ReadOptions;
  #catalog: Catalog;
  readonly #failedRuns = new Map<string, FailedRun>();
  #nextNumber: number;
  /** The bytes of the logs before the current one. */
  #olderLogBytes = 0;
  #log: LogWriter | undefined;
  readonly #forms: FamilyForms;
  #form: TableForm | undefined;
  #older: Promise<OlderLogs> | undefined;
  /** Called when the database is closed. */
  readonly release: () => MaybePromise<unknown>;

  private constructor(
    files: WritableFiles,
    catalog: Catalog,
    nextNumber: number,
    { families = {}, ...options }: TableOptions,
    release: () => MaybePromise<unknown>,
  ) {
    this.files = files;
    this.#mostLogBytes = Math.min(MOST_LOG_BYTES, catalog.options?.mostLogBytes || MOST_LOG_BYTES);
    this.#options = options;
    this.#forms = families;
    this.#catalog = catalog;
    this.#nextNumber = nextNumber;
    this.release = release;
  }

  static async open(
    files: WritableFiles,
    catalog: Catalog,
    options: TableOptions,
    release: () => MaybePromise<unknown>,
  ): Promise<WrittenFolder> {
    const { manifest } = catalog;
    // The next number is above the numbers of all files, because RocksDB must replay our log last and never reuse its
    // number. RocksDB gives no file a number of MOST_NUMBER or more.
    const numbers = (await files.list()).flatMap(
      (name) => /^(?:MANIFEST-|OPTIONS-)?(\d+)(?:\.\w+)?$/.exec(name)?.[1] ?? [],
    );
    const next = numbers
      .map(Number)
      .filter((number) => number < MOST_NUMBER)
      .reduce((most, number) => Math.max(most, number + 1), manifest.nextFileNumber);
    const opened = new WrittenFolder(files, catalog, next, options, release);
    for (const log of neededLogs(catalog))
      opened.#olderLogBytes += (await fileSize(files, logName(log))) ?? 0;
    return opened;
  }

  /** The ids of the column families, by name. */
  get ids(): ReadonlyMap<string, number> {
    return new Map(this.#catalog.manifest.columns.map(({ id, name }) => [name, id]));
  }

  /** Returns whether the rows of logs go into tables before the next batch. */
  needsFlush(batchBytes: number): boolean {
    const { logBytes } = this;
    return logBytes >= FLUSHED_BYTES || (logBytes > 0 && logBytes + batchBytes > this.#mostLogBytes);
  }

  /** The bytes of all logs. */
  get logBytes(): number {
    return this.#olderLogBytes + (this.#log?.size ?? 0);
  }

  /** Warnings about tables that could not be compacted. */
  get warnings(): readonly Warning[] {
    const { name } = this.files;
    return Array.from(this.#failedRuns, ([column, { error }]) => ({
      code: "COMPACTION_FAILED",
      message: `the tables of ${column} in ${name} could not be compacted (${codeOf(error)}): ${error.message}. All rows are as they were, but each flush adds a table`,
    }));
  }

  /** The current log, created at the first use. */
  async log(): Promise<LogWriter> {
    if (this.#log !== undefined) return this.#log;
    const { recycled } = await this.#olderLogs();
    // RocksDB treats that rest as damage. If it has read no record before, it ends the replay before our log.
    if (recycled !== undefined) await this.files.cut(recycled.name, recycled.end);
    this.#log = await LogWriter.create(this.files, logName(this.#nextNumber++));
    return this.#log;
  }

  /** The default form of new tables. Existing tables show which forms the program that wrote them can read. */
  async #formOfTables(): Promise<TableForm> {
    if (this.#form !== undefined) return this.#form;
    let [lz4, isSix] = [false, false];
    for await (const { compression, formatVersion } of storedTables(this.#catalog)) {
      lz4 ||= compression.includes("LZ4");
      isSix ||= formatVersion >= 6;
      if (lz4 && isSix) break;
    }
    this.#form = { version: isSix ? 6 : 5, lz4, bloomBits: BLOOM_BITS };
    return this.#form;
  }

  #olderLogs(): Promise<OlderLogs> {
    this.#older ??= readOlderLogs(this.#catalog);
    return this.#older;
  }

  /** Reads the present state of the files. */
  async read(): Promise<State> {
    return readState(await openCurrentFiles(this.files), this.#options);
  }

  /**
   * Throws DATABASE_LOCKED if another program has opened the database meanwhile. Such a program takes the lock, reads
   * the logs, and begins a MANIFEST.
   */
  checkAlone(): void {
    if (this.files.isAlone(this.#catalog.manifestName)) return;
    throw new MerostoreError(
      "DATABASE_LOCKED",
      `another program, a node perhaps, has opened ${this.files.name} meanwhile: the batch may be lost, those before it are not. Stop the program, open the database again and look`,
    );
  }

  /**
   * Returns whether CURRENT surely names the MANIFEST that was read last. Otherwise nothing may be written any more:
   * rows would go into a log that the new MANIFEST ignores.
   */
  async isCurrent(): Promise<boolean> {
    try {
      return (await namedManifest(this.files)) === this.#catalog.manifestName;
    } catch {
      return false;
    }
  }

  /**
   * Writes all rows of logs into tables, and makes further changes. Returns the new state. After a failure, the caller
   * asks `isCurrent` whether it may go on.
   */
  async flush(
    state: State,
    changes?: FlushChanges,
  ): Promise<{ readonly next: State; readonly loaded: number }> {
    const older = this.#log;
    const { notPlain } = await this.#olderLogs();
    if (notPlain !== undefined)
      throw unsupported(
        this.files.where(notPlain),
        new UnreadableFormat(
          "values in the log have several columns",
          "Open and close the database once with RocksDB",
        ),
      );
    const form = await this.#formOfTables();
    const logNumber = this.#nextNumber++;
    const log = await LogWriter.create(this.files, logName(logNumber));
    const target = {
      files: this.files,
      catalog: this.#catalog,
      formOf: (column: string) => formOf(form, this.#forms[column]),
      compactFrom: (column: string) => this.#forms[column]?.compactFrom,
      logNumber,
      nextNumber: () => this.#nextNumber++,
      checkAlone: () => this.checkAlone(),
      isCurrent: () => this.isCurrent(),
      failedRuns: this.#failedRuns,
    };
    let loaded: number;
    try {
      loaded = await flushTables(state, target, changes);
    } catch (error) {
      await log.close().catch(() => undefined);
      // If CURRENT already names the new MANIFEST, the log is needed.
      if (await this.isCurrent()) await this.files.remove(logName(logNumber)).catch(() => undefined);
      throw error;
    }
    this.#log = log;
    this.#olderLogBytes = 0;
    this.#older = Promise.resolve({ notPlain: undefined, recycled: undefined });
    await older?.close();
    const { manifestName } = this.#catalog;
    const catalog = await readCatalog(this.files);
    const next = await this.read();
    this.#catalog = catalog;
    await removeObsolete(this.files, catalog, manifestName, logNumber);
    return { next, loaded };
  }

  /** Closes the log. */
  async close(): Promise<void> {
    try {
      await this.#log?.sync();
    } finally {
      await this.#log?.close();
      await this.release();
    }
  }
}

/** Returns the code of an error that ended a compaction. */
function codeOf(error: Error): ErrorCode {
  if (error instanceof MerostoreError) return error.code;
  if (error instanceof UnsupportedFormat) return "FORMAT_UNSUPPORTED";
  return error instanceof MalformedBytes ? "DATABASE_DAMAGED" : "ENGINE_FAILED";
}
