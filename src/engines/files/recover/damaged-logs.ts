/** What can be read of the write-ahead logs of a damaged database. */

import { compareRanges } from "../../../bytes/order.js";
import { logName } from "../../../lsm/catalog/catalog.js";
import { MalformedBytes, UnsupportedFormat } from "../../../lsm/format/byte-cursor.js";
import { salvageLog } from "../../../lsm/format/damaged-log.js";
import { EntryType } from "../../../lsm/format/internal-key.js";
import { isTornWrite } from "../../../lsm/format/log-tail.js";
import { readBatch, sequenceOf } from "../../../lsm/format/write-batch.js";
import { type FileSet, readWhole } from "../../../lsm/source.js";
import { type Memtable, MemtableBuilder } from "../read/memtable.js";
import { whyOf } from "./damaged-table.js";
import { finding } from "./finding.js";
import type { RunEvents } from "./run.js";

/** Bytes of the longest log that is read. A node begins a new one at 64 MiB, and flushes all at 256 MiB. */
const LONGEST_LOG = 1024 * 1024 * 1024;

/** The message for a log that ends within a record. */
const UNFINISHED =
  "the last write is incomplete, as a killed node leaves it: the node never acknowledged it. A log that was truncated later looks the same";

/** Batches between two pauses for other work. */
const BATCHES = 1000;

/** What a log holds of each column family, by its id. */
export interface DamagedLog {
  readonly number: number;
  readonly memtables: ReadonlyMap<number, Memtable>;
}

/** Receives findings. */
type LogEvents = Pick<RunEvents, "onFinding" | "settled">;

/** A log that was read, and how it begins and ends. */
interface ReadLog extends DamagedLog {
  /** The sequence number of its first batch; undefined if that batch is damaged, or there is none. */
  readonly first: number | undefined;
  /** The sequence number after the last batch of the log; undefined if the log has no batch or a damaged end. */
  readonly next: number | undefined;
  /** Whether it has neither batches nor damage. */
  readonly isEmpty: boolean;
}

/**
 * Reads logs. The result has each undamaged batch of writes as a whole. Bytes between them become a finding, and so do
 * writes that are missing between two logs.
 *
 * @param takes whether a log counts for the family with an id
 */
export async function readDamagedLogs(
  files: FileSet,
  numbers: readonly number[],
  takes: (log: number, column: number) => boolean,
  events: LogEvents,
): Promise<DamagedLog[]> {
  const { onFinding } = events;
  const logs: DamagedLog[] = [];
  let before: ReadLog | undefined;
  /** Logs without writes. A writer begins another log only after a write. */
  let empty: number[] = [];
  for (const number of numbers) {
    const name = logName(number);
    let bytes: Uint8Array | undefined;
    try {
      bytes = await readWhole(files, name, LONGEST_LOG);
      if (bytes === undefined) throw new MalformedBytes("the file is gone");
    } catch (error) {
      onFinding(finding(name, `the log cannot be read: ${whyOf(error)}`));
      before = undefined;
      continue;
    }
    const isLast = number === numbers.at(-1);
    const log = await readDamagedLog(number, bytes, isLast, (column) => takes(number, column), events);
    if (log.isEmpty) {
      empty.push(number);
      continue;
    }
    for (const one of empty)
      onFinding(finding(logName(one), `the log is empty, and ${name} after it is not`));
    empty = [];
    if (before?.next !== undefined && log.first !== undefined && log.first > before.next)
      onFinding(finding(logName(before.number), missingBetween(before.next, log.first, name)));
    before = log;
    logs.push(log);
  }
  return logs;
}

function missingBetween(next: number, first: number, name: string): string {
  return `writes are missing between its end and the beginning of ${name}: those with the sequence numbers ${next} to ${first - 1}`;
}

/** {@link readDamagedLogs} for the bytes of one log. */
async function readDamagedLog(
  number: number,
  bytes: Uint8Array,
  isLast: boolean,
  takes: (column: number) => boolean,
  { onFinding, settled }: LogEvents,
): Promise<ReadLog> {
  const name = logName(number);
  const builders = new Map<number, MemtableBuilder>();
  const lose = (offset: number, end: number, why: string): void =>
    onFinding(finding(name, `writes are left out: ${why}`, { offset, bytes: end - offset }));
  let next = 0;
  let first: number | undefined;
  let endsDamaged = false;
  let pieces = 0;
  let place = 0;
  try {
    for (const { record, gap } of salvageLog(bytes, number)) {
      if (++pieces % BATCHES === 0) await new Promise((resolve) => setTimeout(resolve));
      endsDamaged = true;
      if (gap !== undefined) {
        const { offset, end, why, isTruncated } = gap;
        place = end;
        if (isLast && isTruncated && end === bytes.length && isTornWrite(bytes, offset))
          onFinding(finding(name, UNFINISHED, { offset, bytes: end - offset, lost: false }));
        else lose(offset, end, why);
        await settled();
        continue;
      }
      const { offset, payload } = record;
      place = offset;
      const why = whyNot(payload, next);
      if (why !== undefined) {
        lose(offset, offset + payload.length, why);
        await settled();
        continue;
      }
      endsDamaged = false;
      if (pieces === 1) first = sequenceOf(payload);
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
    endsDamaged = true;
  }
  const memtables = new Map<number, Memtable>();
  for (const [column, builder] of builders) memtables.set(column, await builder.build());
  return {
    number,
    first,
    next: endsDamaged || next === 0 ? undefined : next,
    isEmpty: pieces === 0 && !endsDamaged,
    memtables,
  };
}

/** Why a batch cannot be taken as a whole; undefined if it can. */
function whyNot(payload: Uint8Array, least: number): string | undefined {
  try {
    if (sequenceOf(payload) < least) return "the sequence numbers go back";
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
