/** Recoveries of databases: what they find, and the rows that they read. */
import { readRecovered } from "../../src/engines/files/recover/recovered.js";
import type { RawRow, RecoveryFinding } from "../../src/engines/index.js";
import type { FileSet } from "../../src/lsm/source.js";

/** The number of rows of each family that has rows. */
export async function rowCounts(
  columns: readonly string[],
  scan: (column: string) => AsyncIterable<readonly RawRow[]>,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const column of columns)
    for await (const rows of scan(column)) counts.set(column, (counts.get(column) ?? 0) + rows.length);
  return counts;
}

/** The findings of a recovery of these files, those that are losses, and the number of rows of each family. */
export async function recovered(files: FileSet) {
  const findings: RecoveryFinding[] = [];
  const found = await readRecovered(files, {
    onFinding: (finding) => findings.push(finding),
    onRead: () => undefined,
    settled: () => undefined,
    writers: [],
  });
  const counts = await rowCounts(found.columns, (column) => found.rows(column));
  return { counts, findings, lost: findings.filter(({ lost }) => lost) };
}

/** The number of all rows. */
export const sum = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((all, one) => all + one, 0);
