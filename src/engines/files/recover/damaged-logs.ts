/** What can be read of the write-ahead logs of a damaged database. */

import { compareRanges } from "../../../bytes/order.js";
import { logName } from "../../../lsm/catalog/catalog.js";
import { MalformedBytes, UnsupportedFormat } from "../../../lsm/format/byte-cursor.js";
import { salvageLog } from "../../../lsm/format/damaged-log.js";
import { EntryType } from "../../../lsm/format/internal-key.js";
import { readBatch, sequenceOf } from "../../../lsm/format/write-batch.js";
import { type FileSet, readWhole } from "../../../lsm/source.js";
import { type Memtable, MemtableBuilder } from "../read/memtable.js";
import { whyOf } from "./damaged-table.js";
import { type FindingSink, finding } from "./finding.js";

/** Bytes of the longest log that is read. A node begins a new one at 64 MiB, and flushes all at 256 MiB. */
const LONGEST_LOG = 1024 * 1024 * 1024;

/** Batches between two pauses for other work. */
const BATCHES = 1000;

/** What a log holds of each column family, by its id. */
export interface DamagedLog {
  readonly number: number;
  readonly memtables: ReadonlyMap<number, Memtable>;
}

/**
 * Reads logs. Each batch of writes that is not damaged is in the result as a whole; what is between them becomes a finding.
 *
 * @param takes whether a log counts for the family with an id
 */
export async function readDamagedLogs(
  files: FileSet,
  numbers: readonly number[],
  takes: (log: number, column: number) => boolean,
  onFinding: FindingSink,
): Promise<DamagedLog[]> {
  const logs: DamagedLog[] = [];
  for (const number of numbers) {
    const name = logName(number);
    let bytes: Uint8Array | undefined;
    try {
      bytes = await readWhole(files, name, LONGEST_LOG);
      if (bytes === undefined) throw new MalformedBytes("the file is gone");
    } catch (error) {
      onFinding(finding(name, `the log cannot be read: ${whyOf(error)}`));
      continue;
    }
    if (bytes.length === 0) continue;
    logs.push(await readDamagedLog(number, bytes, (column) => takes(number, column), onFinding));
  }
  return logs;
}

/** {@link readDamagedLogs} for the bytes of one log. */
export async function readDamagedLog(
  number: number,
  bytes: Uint8Array,
  takes: (column: number) => boolean,
  onFinding: FindingSink,
): Promise<DamagedLog> {
  const name = logName(number);
  const builders = new Map<number, MemtableBuilder>();
  const lose = (offset: number, end: number, why: string): void =>
    onFinding(finding(name, `writes are left out: ${why}`, { offset, bytes: end - offset }));
  let next = 0;
  let batches = 0;
  let place = 0;
  try {
    for (const { record, gap } of salvageLog(bytes, number)) {
      if (++batches % BATCHES === 0) await new Promise((resolve) => setTimeout(resolve));
      if (gap !== undefined) {
        place = gap.end;
        lose(gap.offset, gap.end, gap.why);
        continue;
      }
      const { offset, payload } = record;
      place = offset;
      const why = whyNot(payload, next);
      if (why !== undefined) {
        lose(offset, offset + payload.length, why);
        continue;
      }
      next = readBatch(payload, (column, type, sequence, ...change) => {
        if (!takes(column)) return;
        const builder = builders.get(column) ?? new MemtableBuilder();
        builders.set(column, builder);
        builder.add(type, sequence, ...change);
      });
    }
  } catch (error) {
    if (!(error instanceof UnsupportedFormat)) throw error;
    lose(place, bytes.length, error.message);
  }
  return {
    number,
    memtables: new Map(Array.from(builders, ([column, builder]) => [column, builder.build()])),
  };
}

/** Why a batch cannot be taken as a whole; undefined if it can. */
function whyNot(payload: Uint8Array, next: number): string | undefined {
  try {
    if (sequenceOf(payload) < next) return "the sequence numbers go back";
    readBatch(payload, (_column, type, _sequence, bytes, keyStart, keyEnd, valueStart, valueEnd) => {
      if (
        type === EntryType.RangeDeletion &&
        compareRanges(bytes, keyStart, keyEnd, bytes, valueStart, valueEnd) > 0
      )
        throw new MalformedBytes("a range deletion ends before it begins");
    });
    return undefined;
  } catch (error) {
    return whyOf(error);
  }
}
