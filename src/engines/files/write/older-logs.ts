/** Facts about the logs that were there before this package's log. */

import type { Catalog } from "../../../lsm/catalog/catalog.js";
import { logName } from "../../../lsm/catalog/file-names.js";
import { closeLogs, openLogs } from "../../../lsm/catalog/log-replay.js";
import { type LogEnd, LogScanner } from "../../../lsm/format/log-records.js";
import { isPlainBatch } from "../../../lsm/format/write-batch.js";
import { logPieces } from "../../../lsm/log-pieces.js";

export interface OlderLogs {
  /** The name of a log with values of several columns. This package cannot write them into tables. */
  readonly notPlain: string | undefined;
  /**
   * The newest log and the number of its valid bytes, if it reuses the file of an older log and the rest of that log
   * follows.
   */
  readonly recycled: { readonly name: string; readonly end: number } | undefined;
}

/** Reads the logs of a database to their ends. */
export async function readOlderLogs(catalog: Catalog): Promise<OlderLogs> {
  const logs = await openLogs(catalog);
  let notPlain: string | undefined;
  let last: { readonly name: string; readonly end: LogEnd | undefined } | undefined;
  try {
    for (const { number, source } of logs) {
      const name = logName(number);
      let end: LogEnd | undefined;
      const scanner = new LogScanner(number, (_, payload) => {
        if (!isPlainBatch(payload)) notPlain ??= name;
        return true;
      });
      for await (const { bytes, isLast } of logPieces(source, catalog.files)) {
        end = scanner.read(bytes, isLast);
        if (scanner.ended) break;
      }
      last = { name, end };
    }
  } finally {
    closeLogs(logs);
  }
  if (last?.end?.kind !== "recycled") return { notPlain, recycled: undefined };
  return { notPlain, recycled: { name: last.name, end: last.end.offset } };
}
