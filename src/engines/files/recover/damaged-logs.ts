/** Reads the undamaged batches of the write-ahead logs of a damaged database. */

import { compareRanges } from "../../../bytes/order.js";
import type { DamagedCatalog } from "../../../lsm/catalog/damaged-catalog.js";
import { logName } from "../../../lsm/catalog/file-names.js";
import { MOST_LOG_BYTES } from "../../../lsm/catalog/log-replay.js";
import { MalformedBytes, UnsupportedFormat } from "../../../lsm/format/byte-cursor.js";
import { type LogPiece, LogSalvage } from "../../../lsm/format/damaged-log.js";
import { EntryType } from "../../../lsm/format/internal-key.js";
import { BLOCK } from "../../../lsm/format/log-records.js";
import { isTornWrite } from "../../../lsm/format/log-tail.js";
import { MOST_FAMILIES } from "../../../lsm/format/manifest.js";
import { changesOf, readBatch, sequenceOf } from "../../../lsm/format/write-batch.js";
import { endOfLog, logPieces } from "../../../lsm/log-pieces.js";
import { type FileSet, type FileSource, readBytes } from "../../../lsm/source.js";
import { type Memtable, MemtableBuilder } from "../read/memtable.js";
import { BatchOrder } from "./batch-order.js";
import { whyOf } from "./block-reading.js";
import type { RecoveryEvents } from "./damaged-tables.js";
import { finding } from "./finding.js";

/** The message for a log that ends within a record. */
const UNFINISHED =
  "the last write is incomplete, as a killed node leaves it: the node never acknowledged it. A log that was truncated later looks the same";

/** The entries of a log for each column family, by its id. */
export interface DamagedLog {
  readonly number: number;
  readonly memtables: ReadonlyMap<number, Memtable>;
}

/** Receives findings. */
type LogEvents = Pick<RecoveryEvents, "onFinding" | "settled">;

/** A log that was read, and its first and last sequence numbers. */
interface ReadLog extends DamagedLog {
  /** The sequence number of its first batch; undefined if that batch is damaged, or the log has no batch. */
  readonly first: number | undefined;
  /** The sequence number after the last batch of the log; undefined if the log has no batch or a damaged end. */
  readonly next: number | undefined;
  /** True if it has neither batches nor damage. */
  readonly isEmpty: boolean;
}

/**
 * Reads the logs of a catalog. The result has each undamaged batch as a whole. The damaged bytes between batches become
 * findings, and so do writes that are missing between two logs.
 *
 * @param takes returns whether the family with an id needs a log
 */
export async function readDamagedLogs(
  { files, logs: numbers, lastSequence }: Pick<DamagedCatalog, "files" | "logs" | "lastSequence">,
  takes: (log: number, column: number) => boolean,
  events: LogEvents,
): Promise<DamagedLog[]> {
  const { onFinding } = events;
  const logs: DamagedLog[] = [];
  let before: ReadLog | undefined;
  /** Logs without writes. RocksDB begins another log only after a write. This package also begins one at each flush. */
  let empty: number[] = [];
  for (const number of numbers) {
    const name = logName(number);
    const isLast = number === numbers.at(-1);
    let log: ReadLog;
    try {
      log = await readDamagedLog(files, number, isLast, (column) => takes(number, column), events);
    } catch (error) {
      onFinding(finding(name, `the log cannot be read: ${whyOf(error)}`));
      before = undefined;
      continue;
    }
    if (log.isEmpty) {
      empty.push(number);
      continue;
    }
    const isNext = log.first !== undefined && log.first === (before?.next ?? 1);
    const lost = lastSequence === undefined || log.first === undefined || log.first > lastSequence + 1;
    for (const one of isNext ? [] : empty)
      onFinding(finding(logName(one), `the log is empty, and ${name} after it is not`, { lost }));
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

/**
 * {@link readDamagedLogs} for one log, which is read in pieces.
 *
 * @throws MerostoreError, MalformedBytes if it cannot be read
 */
async function readDamagedLog(
  files: FileSet,
  number: number,
  isLast: boolean,
  takes: (column: number) => boolean,
  { onFinding, settled }: LogEvents,
): Promise<ReadLog> {
  const name = logName(number);
  const source = await files.open(name);
  if (source === undefined) throw new MalformedBytes("the file is gone");
  const builders = new Map<number, MemtableBuilder>();
  const lose = (offset: number, end: number, why: string): void =>
    onFinding(finding(name, `writes are left out: ${why}`, { offset, bytes: end - offset }));
  let next = 0;
  let first: number | undefined;
  let endsDamaged = false;
  let found = 0;
  let place = 0;
  let batches = 0;
  try {
    const { size } = source;
    if (size > MOST_LOG_BYTES) throw new MalformedBytes(`it has ${size} bytes, more than the logs of a node`);
    const used = await endOfLog(source);
    const isOutOfPlace = await batchesOutOfPlace(salvaged(files, source, number, used));
    for await (const pieces of salvaged(files, source, number, used)) {
      for (const { record, gap } of pieces) {
        found++;
        endsDamaged = true;
        if (gap !== undefined) {
          const { offset, end, why, isTruncated } = gap;
          place = end;
          if (isLast && isTruncated && end === size && (await endsTorn(source, offset)))
            onFinding(finding(name, UNFINISHED, { offset, bytes: end - offset, lost: false }));
          else lose(offset, end, why);
          await settled();
          continue;
        }
        const { offset, payload } = record;
        place = offset;
        const why = isOutOfPlace(batches++)
          ? "the sequence numbers are those of another place in the log"
          : whyNot(payload, next);
        if (why !== undefined) {
          lose(offset, offset + payload.length, why);
          await settled();
          continue;
        }
        endsDamaged = false;
        if (found === 1) first = sequenceOf(payload);
        next = readBatch(payload, (column, type, sequence, ...change) => {
          if (!takes(column)) return;
          if (builders.size === MOST_FAMILIES && !builders.has(column))
            throw new MalformedBytes(`it writes to more than ${MOST_FAMILIES} column families`);
          const builder = builders.get(column) ?? new MemtableBuilder();
          builders.set(column, builder);
          builder.add(type, sequence, ...change);
        });
      }
      for (const builder of builders.values()) if (builder.isFull) await builder.drop();
    }
  } catch (error) {
    if (!(error instanceof UnsupportedFormat)) throw error;
    lose(place, source.size, error.message);
    endsDamaged = true;
  } finally {
    source.close();
  }
  const memtables = new Map<number, Memtable>();
  for (const [column, builder] of builders) memtables.set(column, await builder.build());
  return {
    number,
    first,
    next: endsDamaged || next === 0 ? undefined : next,
    isEmpty: found === 0 && !endsDamaged,
    memtables,
  };
}

/** Yields the records of a log and the gaps between them, piece by piece. */
async function* salvaged(
  files: FileSet,
  source: FileSource,
  number: number,
  used: number,
): AsyncGenerator<Iterable<LogPiece>, void, undefined> {
  const salvage = new LogSalvage(number, { size: source.size, used });
  for await (const { bytes } of logPieces(source, files)) yield salvage.read(bytes);
}

/** Reads all batches of a log for their order. @returns whether a batch, by its number from 0, is out of place */
async function batchesOutOfPlace(
  log: AsyncIterable<Iterable<LogPiece>>,
): Promise<(batch: number) => boolean> {
  const order = new BatchOrder();
  try {
    for await (const pieces of log)
      for (const { record } of pieces) if (record !== undefined) order.add(...numbersOf(record.payload));
  } catch (error) {
    if (!(error instanceof UnsupportedFormat)) throw error; // the log counts up to there
  }
  return order.outOfPlace();
}

/** The first sequence number of a batch, and the number of its changes; zeros for bytes that are not a batch. */
function numbersOf(payload: Uint8Array): [first: number, changes: number] {
  try {
    return [sequenceOf(payload), changesOf(payload)];
  } catch (error) {
    if (!(error instanceof MalformedBytes)) throw error;
    return [0, 0];
  }
}

/**
 * Returns true if the log ends at `offset` with the beginning of a record, as a killed writer leaves it. It reads only
 * the bytes after the offset.
 */
async function endsTorn(source: FileSource, offset: number): Promise<boolean> {
  const start = offset - (offset % BLOCK);
  const bytes = await readBytes(source, start, new Uint8Array(source.size - start));
  return isTornWrite(bytes, offset - start);
}

/** Returns the reason why a batch cannot be used as a whole; undefined if it can. */
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
