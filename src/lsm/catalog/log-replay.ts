/**
 * Replaying write-ahead logs as RocksDB does by default ("point in time"): the first damaged or incomplete record ends
 * its log, and every later log as well, unless it continues with exactly the next sequence number.
 */

import type { MerostoreError } from "../../errors.js";
import { MalformedBytes, UnsupportedFormat } from "../format/byte-cursor.js";
import { type LogEnd, scanLog } from "../format/log-records.js";
import { isUnfinished } from "../format/log-tail.js";
import { type ChangeSink, readBatch, sequenceOf } from "../format/write-batch.js";
import { readWhole } from "../source.js";
import { type Catalog, CatalogOutdated, damaged, logName } from "./catalog.js";
import { unsupported } from "./unsupported.js";

/** A write-ahead log that must be replayed. */
export interface LogBytes {
  readonly number: number;
  readonly bytes: Uint8Array;
}

/** The loss if the replay ended early. */
export interface LogLoss {
  readonly log: number;
  /** Describes the missing writes: acknowledged writes, or a write in progress when its writer ended. */
  readonly sentence: string;
  /** Whether only writes are missing that were never synced: the writer was killed within the last one, or the power failed. */
  readonly unfinished: boolean;
}

/**
 * The maximum size of all logs in bytes. They are in memory at the same time; a node starts to flush them at 256 MiB.
 */
const MOST_LOG_BYTES = 1024 * 1024 * 1024;

/** The numbers of the logs that are replayed at opening, ascending. */
function neededLogs({ logs, manifest }: Catalog): number[] {
  return logs.filter((log) => log >= manifest.minLogNumber);
}

/**
 * Passes the changes of all logs to `sink` in order.
 *
 * @param sink is called with the number of a log and returns the receiver of its changes
 * @returns the part that was not read; undefined if nothing was skipped
 * @throws MerostoreError DATABASE_DAMAGED if tables contain later writes than the missing ones; UnsupportedFormat
 */
export function replayLogs(
  catalog: Catalog,
  logs: readonly LogBytes[],
  sink: (log: number) => ChangeSink,
): LogLoss | undefined {
  const replay = new Replay(catalog, logs);
  for (const log of logs) replay.read(log, sink(log.number));
  return replay.loss();
}

/**
 * Reads the logs of a catalog.
 *
 * @throws CatalogOutdated if one was deleted in the meantime; MerostoreError FORMAT_UNSUPPORTED if they exceed the
 * limit
 */
export async function readLogs(catalog: Catalog): Promise<LogBytes[]> {
  const { files } = catalog;
  const logs: LogBytes[] = [];
  let left = MOST_LOG_BYTES;
  for (const number of neededLogs(catalog)) {
    const name = logName(number);
    const bytes = await readWhole(files, name, left, () => unsupported(files.where(name), new LogsTooLong()));
    if (bytes === undefined) throw new CatalogOutdated(`${name} is gone`);
    left -= bytes.length;
    logs.push({ number, bytes });
  }
  return logs;
}

class LogsTooLong extends UnsupportedFormat {
  constructor() {
    super(`the write-ahead logs have more than ${MOST_LOG_BYTES} bytes, the limit of this engine`);
  }
}

/**
 * Returns the part of the logs that RocksDB does not read; undefined if nothing is missing.
 *
 * @throws CatalogOutdated, UnsupportedFormat if this cannot be determined; MerostoreError DATABASE_DAMAGED,
 * FORMAT_UNSUPPORTED
 */
export async function findLogLoss(catalog: Catalog): Promise<LogLoss | undefined> {
  return replayLogs(catalog, await readLogs(catalog), () => () => undefined);
}

class Replay {
  readonly #catalog: Catalog;
  readonly #logs: readonly LogBytes[];
  #next: number | undefined;
  /** The log that ended in damage, if no later log has continued it. */
  #stopped: { readonly log: LogBytes; readonly end: Exclude<LogEnd, { kind: "whole" }> } | undefined;

  constructor(catalog: Catalog, logs: readonly LogBytes[]) {
    this.#catalog = catalog;
    this.#logs = logs;
  }

  read(log: LogBytes, sink: ChangeSink): void {
    const end = scanLog(log.bytes, log.number, (offset, payload) => {
      try {
        const sequence = sequenceOf(payload);
        if (this.#stopped !== undefined && sequence !== this.#next) return false;
        this.#stopped = undefined;
        const next = readBatch(payload, sink);
        if (this.#next !== undefined && next < this.#next) throw this.#setBack(log.number);
        this.#next = next;
        return true;
      } catch (error) {
        if (!(error instanceof MalformedBytes)) throw error;
        this.#stopped = { log, end: { kind: "damaged", offset, why: error.message } };
        return false;
      }
    });
    if (end !== undefined && end.kind !== "whole") this.#stopped = { log, end };
  }

  loss(): LogLoss | undefined {
    if (this.#stopped === undefined) return undefined;
    const { log, end } = this.#stopped;
    this.#checkTables(log.number);
    const later = this.#logs.filter(({ number, bytes }) => number > log.number && bytes.length > 0);
    const names = later.map(({ number }) => logName(number));
    // The rest of a recycled file is irrelevant, but a later log would not be.
    if (end.kind === "recycled" && names.length === 0) return undefined;
    const { files } = this.#catalog;
    const why = end.kind === "recycled" ? "what follows belongs to an older log" : end.why;
    const rest = names.length === 0 ? "" : `, and ${names.join(", ")} after it,`;
    const killed =
      end.kind === "torn" && names.length === 0
        ? " (a writer that is killed in the middle of a large write leaves the same: then only that write, which it never reported as done, is lost)"
        : "";
    return {
      log: log.number,
      unfinished: names.length === 0 && isUnfinished(log.bytes, end),
      sentence:
        `${files.where(logName(log.number))} is ${end.kind === "torn" ? "truncated" : "damaged"} at byte ${end.offset} of ` +
        `${log.bytes.length}: ${why}. Its last ${log.bytes.length - end.offset} bytes${rest} are not read: ` +
        `the writes in them are missing${killed}`,
    };
  }

  /** A family with tables from logs after the damage would have later rows than the others. */
  #checkTables(log: number): void {
    const { manifest, files } = this.#catalog;
    const filled = new Set(manifest.liveFiles.map(({ column }) => column));
    const ahead = manifest.columns.find(({ name, logNumber }) => logNumber > log && filled.has(name));
    if (ahead === undefined) return;
    throw damaged(
      `${files.where(logName(log))} is damaged, and tables of ${ahead.name} hold later writes than what is left of it`,
      "The column families would be inconsistent: restore the whole folder from a copy.",
    );
  }

  #setBack(log: number): MerostoreError {
    return damaged(
      `the sequence numbers in ${this.#catalog.files.where(logName(log))} go back`,
      "Restore the whole folder from a copy.",
    );
  }
}
