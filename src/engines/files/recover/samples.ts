/** Takes sample rows from a table or a log, to find their column family. */

import { copyBytes } from "../../../bytes/bytes.js";
import type { RawRow } from "../../../engine/engine.js";
import { EntryType } from "../../../lsm/format/internal-key.js";
import type { FileSet } from "../../../lsm/source.js";
import type { Memtable } from "../read/memtable.js";
import { DamagedTablesIterator, type NumberedTable } from "./damaged-tables.js";

/** The number of sample rows. */
const SAMPLE = 100;

/** The bytes of one read. */
const READ = 64 * 1024;

/** Some rows of a family, from logs. */
export function sampleOfLogs(memtables: readonly Memtable[]): readonly RawRow[] {
  const rows: RawRow[] = [];
  for (const memtable of memtables) {
    for (let at = 0; at < memtable.count && rows.length < SAMPLE; at++) {
      const { type, key, value } = memtable.entry(at);
      if (type === EntryType.Value) rows.push({ key, value });
    }
  }
  return rows;
}

/** Some rows of a table, from its first readable blocks. Reading the table later reports its damage. */
export async function sampleOfTable(files: FileSet, table: NumberedTable): Promise<readonly RawRow[]> {
  const events = { onFinding: () => undefined, onRead: () => undefined, settled: () => undefined };
  const blocks = new DamagedTablesIterator(files, [table], READ, events);
  const rows: RawRow[] = [];
  try {
    for (;;) {
      const block = await blocks.next();
      if (block === undefined) return rows;
      for (let at = 0; at < block.count; at++) {
        if (block.types[at] !== EntryType.Value) continue;
        const key = copyBytes(block.keys.subarray(block.keyStarts[at], block.keyEnds[at]));
        const value = copyBytes(block.values.subarray(block.valueStarts[at], block.valueEnds[at]));
        rows.push({ key, value });
        if (rows.length === SAMPLE) return rows;
      }
    }
  } finally {
    await blocks.close();
  }
}
