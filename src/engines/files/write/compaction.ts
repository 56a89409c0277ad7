/**
 * Compaction: the tables of level 0, of the next small levels, and the rows of logs become one run of tables on a
 * level. Only the newest entry of each key stays. So a column family has few tables, however often it is flushed.
 */

import { UnsupportedFormat } from "../../../lsm/format/byte-cursor.js";
import type { NewTable } from "../../../lsm/format/encode-manifest.js";
import { EntryType, MAX_SEQUENCE } from "../../../lsm/format/internal-key.js";
import type { TableFile } from "../../../lsm/format/manifest.js";
import { Pause } from "../../../pause.js";
import type { ColumnFamilyReader } from "../read/family.js";
import type { RangeDeletion } from "../read/tombstones.js";
import { TABLE_BYTES, type TableWriter } from "./table-writer.js";

/** The number of entries that are read at a time. */
const ENTRIES = 64;

/** A level is included unless it has more than so many times the bytes of all levels above it. */
const GROWTH = 4;

/** A run of tables that replaces others. */
export interface Run<T extends TableFile> {
  /** The replaced tables: all on its level and above it. */
  readonly inputs: readonly T[];
  readonly level: number;
  /** True if the inputs are all tables of the family. */
  readonly isAll: boolean;
}

/**
 * Chooses the tables that a flush replaces by a run; undefined if it only adds a table to level 0.
 *
 * @param tables the tables of the column family
 * @param flushedBytes the bytes of its rows in logs
 * @param deepest the deepest level of the family
 * @param compactFrom the number of tables on level 0 from which on a run is made; 0 for never
 */
export function chooseRun<T extends TableFile>(
  tables: readonly T[],
  flushedBytes: number,
  deepest: number,
  compactFrom = 4,
): Run<T> | undefined {
  const on = (level: number): readonly T[] => tables.filter((table) => table.level === level);
  const bytesOn = (level: number): number => on(level).reduce((sum, { size }) => sum + size, 0);
  if (deepest === 0 || compactFrom === 0 || on(0).length < compactFrom) return undefined;
  let bytes = flushedBytes + bytesOn(0);
  let level = 1;
  for (; level < deepest; level++) {
    bytes += bytesOn(level);
    if (bytesOn(level + 1) > GROWTH * bytes) break;
  }
  const inputs = tables.filter((table) => table.level <= level);
  return { inputs, level, isAll: inputs.length === tables.length };
}

/**
 * Writes a run.
 *
 * @param create begins a table
 * @throws MerostoreError DATABASE_DAMAGED, ENGINE_FAILED
 * @throws UnsupportedFormat for rows that only RocksDB can compact
 */
export async function writeRun(
  family: ColumnFamilyReader,
  { level, isAll }: Run<TableFile>,
  create: () => Promise<TableWriter>,
): Promise<readonly NewTable[]> {
  const { entries, rangeDeletions } = await family.entries(level);
  const tables: NewTable[] = [];
  const pause = new Pause();
  let table: TableWriter | undefined;
  try {
    // A deletion hides rows of deeper tables. A run of all tables has none below it, and drops deletions.
    const kept = isAll ? [] : rangeDeletions;
    if (!kept.every(isWhole)) throw new UnsupportedFormat("range deletions end within the versions of a key");
    for (let piece = await entries.next(ENTRIES); piece !== undefined; piece = await entries.next(ENTRIES))
      for (const entry of piece) {
        if (pause.isLong) await pause.ifLong();
        const isValue = entry.type === EntryType.Value;
        if (isAll && !isValue) continue;
        table ??= await create();
        // A plain deletion hides at least the entries that a deletion of a single version hides.
        const written = table.add(isValue ? entry : { ...entry, type: EntryType.Deletion });
        if (written !== undefined) await written;
        // Range deletions would have to be cut at the end of a table, so all rows stay in one table.
        if (kept.length > 0 || table.size < TABLE_BYTES) continue;
        tables.push(await table.finish(level));
        table = undefined;
      }
    if (kept.length > 0) table ??= await create();
    if (table !== undefined) tables.push(await table.finish(level, kept));
    return tables;
  } finally {
    await entries.close();
    await table?.abandon();
  }
}

/** Returns whether a range deletion deletes all older versions of its keys. */
function isWhole({ begin, end, sequence }: RangeDeletion): boolean {
  return begin.sequence >= sequence && end.sequence === MAX_SEQUENCE;
}
