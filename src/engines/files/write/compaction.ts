/**
 * Compaction: the tables of level 0 and the smaller ones of the next levels become one run of tables on a level, together with what is in
 * logs. Of each key only the newest entry stays. So a column family has few tables, however often it is flushed.
 */

import { UnsupportedFormat } from "../../../lsm/format/byte-cursor.js";
import type { NewTable } from "../../../lsm/format/encode-manifest.js";
import { EntryType, MAX_SEQUENCE } from "../../../lsm/format/internal-key.js";
import type { TableFile } from "../../../lsm/format/manifest.js";
import { Pause } from "../../../pause.js";
import type { ColumnFamilyReader } from "../read/family.js";
import type { RangeDeletion } from "../read/tombstones.js";
import { TABLE_BYTES, type TableWriter } from "./table-writer.js";

/** Entries that are taken at once. */
const ENTRIES = 64;

/** A level takes part unless it has so many times the bytes of those above it. */
const GROWTH = 4;

/** A run of tables that takes the place of others. */
export interface Run<T extends TableFile> {
  /** All tables on its level and above it. */
  readonly inputs: readonly T[];
  readonly level: number;
  /** True if no other table of the family is left. */
  readonly isAll: boolean;
}

/**
 * Chooses what a flush makes a run of; undefined if it only adds a table to level 0.
 *
 * @param tables those of the column family
 * @param flushedBytes bytes of its rows that are in logs
 * @param deepest the deepest level of the family
 * @param compactFrom tables of level 0 of which a run is made; 0 for never
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
    // A deletion hides rows of deeper tables. The last run has none below it and drops deletions.
    const kept = isAll ? [] : rangeDeletions;
    if (!kept.every(isWhole)) throw new UnsupportedFormat("range deletions end within the versions of a key");
    for (let piece = await entries.next(ENTRIES); piece !== undefined; piece = await entries.next(ENTRIES))
      for (const entry of piece) {
        if (pause.isLong) await pause.ifLong();
        const isValue = entry.type === EntryType.Value;
        if (isAll && !isValue) continue;
        table ??= await create();
        // A plain deletion hides all that a deletion of a single version hides.
        const written = table.add(isValue ? entry : { ...entry, type: EntryType.Deletion });
        if (written !== undefined) await written;
        // Range deletions would have to be cut where a table ends.
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
