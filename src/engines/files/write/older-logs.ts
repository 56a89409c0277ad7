/** The logs that were there before ours: facts that their rows do not show. */

import type { Catalog } from "../../../lsm/catalog/catalog.js";
import { logName } from "../../../lsm/catalog/file-names.js";
import { closeLogs, openLogs } from "../../../lsm/catalog/log-replay.js";
import { type LogEnd, LogScanner } from "../../../lsm/format/log-records.js";
import { isPlainBatch } from "../../../lsm/format/write-batch.js";
import { logPieces } from "../../../lsm/log-pieces.js";

export interface OlderLogs {
  /** A log whose values have more in them than a memtable keeps: they cannot be written into tables here. */
  readonly notPlain: string | undefined;
  /** The newest log, and the bytes of it that count, if the rest of an older log whose file it uses again follows them. */
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
