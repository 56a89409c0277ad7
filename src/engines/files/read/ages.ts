/**
 * Checks the ages of tables of level 0. RocksDB orders these tables by age. A range deletion in a table hides every
 * entry of an older table, whatever its sequence number. This agrees with the sequence numbers if the tables were
 * written one after another. But a repair puts tables of all levels on level 0: their sequence numbers interleave, and
 * RocksDB then hides rows that are newer than the deletion.
 */

import { compareBytes } from "../../../bytes/order.js";
import { unsupported } from "../../../lsm/damage.js";
import { UnreadableFormat, UnsupportedFormat } from "../../../lsm/format/byte-cursor.js";
import type { LiveFile } from "../../../lsm/format/manifest.js";
import type { Table } from "./table.js";

/**
 * Throws FORMAT_UNSUPPORTED in two cases. First, a table has range deletions, and an overlapping table is neither older
 * nor newer. Second, two overlapping tables have entries with the sequence number 0. Only a compaction to the lowest
 * level writes such entries, into tables that do not overlap. A repair after a crash restores the inputs of such a
 * compaction beside its output. Then it is unknown which of two entries of a key is newer, and RocksDB shows both.
 */
export function checkAges(tables: readonly Table[]): void {
  checkZeros(tables.filter(({ file }) => file.smallestSequence === 0));
  for (const { file, where } of tables.filter(({ deletesRanges }) => deletesRanges)) {
    const isMixed = tables.some(
      (other) => other.file !== file && overlap(other.file, file) && interleave(other.file, file),
    );
    if (!isMixed) continue;
    const message = "it deletes ranges and is neither older nor newer than another table, as after a repair";
    throw unsupported(where, new UnsupportedFormat(message));
  }
}

/** @param tables the tables with entries of sequence number 0 */
function checkZeros(tables: readonly Table[]): void {
  const sorted = tables.toSorted((a, b) => compareBytes(a.file.smallest.key, b.file.smallest.key));
  let before = sorted[0];
  for (const table of sorted.slice(1)) {
    if (before !== undefined && overlap(before.file, table.file)) {
      const message =
        "its oldest entries have no sequence numbers, nor have those of another table with keys in common, as after a repair";
      throw unsupported(
        table.where,
        new UnreadableFormat(message, "Restore the whole folder from a copy of before the repair"),
      );
    }
    if (before === undefined || compareBytes(table.file.largest.key, before.file.largest.key) > 0)
      before = table;
  }
}

function overlap(a: LiveFile, b: LiveFile): boolean {
  return compareBytes(a.smallest.key, b.largest.key) <= 0 && compareBytes(b.smallest.key, a.largest.key) <= 0;
}

function interleave(a: LiveFile, b: LiveFile): boolean {
  return isBefore(a.smallestSequence, b.largestSequence) && isBefore(b.smallestSequence, a.largestSequence);
}

/** If the MANIFEST has no sequence numbers, the tables count as in order. */
function isBefore(a: number | undefined, b: number | undefined): boolean {
  return a !== undefined && b !== undefined && a < b;
}
