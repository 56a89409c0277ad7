/** Findings about a table that is not the one in the MANIFEST, or whose index or range deletions are damaged. */

import { toHex } from "../../../bytes/hex.js";
import { equalBytes } from "../../../bytes/order.js";
import { BLOCK_TRAILER } from "../../../lsm/format/checksum.js";
import type { DamagedTable } from "./damaged-table.js";
import { type FindingSink, factsOf, finding } from "./finding.js";
import type { FoundTable, TableGap } from "./found-table.js";

/**
 * Reports a table that is not the one in the MANIFEST, damage outside data blocks, and gaps between found blocks that
 * may be damaged data blocks.
 */
export function tellTable(table: DamagedTable, onFinding: FindingSink): void {
  const { name, isAnother, origin, live, found, lostRanges, lostDictionary, why } = table;
  const column = origin?.column ?? live?.column ?? null;
  if (lostRanges !== undefined)
    onFinding(
      finding(name, `range deletions are left out, and rows that they deleted may come back: ${lostRanges}`, {
        column,
      }),
    );
  if (lostDictionary !== undefined)
    onFinding(
      finding(name, `the dictionary of compressed blocks cannot be read: ${lostDictionary}`, {
        column,
        lost: false,
      }),
    );
  if (isAnother && live !== undefined)
    onFinding(
      finding(
        name,
        "the file is another table than the one that the MANIFEST names; its rows are taken",
        factsOf(live),
      ),
    );
  if (found === undefined) return;
  const { blocks, entries } = found;
  const all = origin?.entries;
  onFinding(
    finding(
      name,
      `its blocks were found without the index, ${blocks.length} of them with ${entries}${all === undefined ? "" : ` of ${all}`} entries: ${why}`,
      { column, lost: false },
    ),
  );
  if (all === entries) return;
  tellLocked(table, found, column, onFinding);
  const gaps = gapsWithData(table);
  if (gaps.length === 0 && found.locked.length === 0 && !endsWith(found.last, live?.largest))
    onFinding(
      finding(name, "the table is cut: what followed its last block is missing", {
        ...{ offset: table.size, bytes: Math.max(0, (live?.size ?? 0) - table.size), column },
        firstKey: keyText(found.last ?? live?.smallest.key),
        lastKey: keyText(live?.largest.key),
      }),
    );
  const missing = all === undefined ? undefined : all - entries;
  for (const { offset, end, after, until } of gaps)
    onFinding(
      finding(name, "rows are left out: the bytes are not a block that can be read", {
        ...{ offset, bytes: end - offset, column },
        firstKey: keyText(after ?? live?.smallest.key),
        lastKey: keyText(until ?? live?.largest.key),
        entries:
          gaps.length === 1 && found.locked.length === 0 && missing !== undefined && missing > 0
            ? missing
            : null,
      }),
    );
}

/** Reports blocks that cannot be decompressed without the damaged dictionary. */
function tellLocked(
  { name, live }: DamagedTable,
  { locked }: FoundTable,
  column: string | null,
  onFinding: FindingSink,
): void {
  const [first] = locked;
  if (first === undefined) return;
  const message = `rows are left out: ${locked.length} blocks are compressed with a dictionary that was not found`;
  onFinding(
    finding(name, message, {
      offset: first.offset,
      bytes: locked.reduce((sum, { size }) => sum + size + BLOCK_TRAILER, 0),
      column,
      firstKey: keyText(live?.smallest.key),
      lastKey: keyText(live?.largest.key),
    }),
  );
}

/** The gaps that may have had data blocks. */
function gapsWithData({ found, origin, live, footerOffset }: DamagedTable): TableGap[] {
  const end = origin?.dataBytes ?? footerOffset;
  return (found?.gaps ?? [])
    .filter((gap) => gap.offset < end)
    .map((gap) => ({ ...gap, end: Math.min(gap.end, end) }))
    .filter(({ until }) => until !== undefined || !endsWith(found?.last, live?.largest));
}

/** Returns true if the last key found is the last key of the table. */
function endsWith(last: Uint8Array | undefined, largest: { readonly key: Uint8Array } | undefined): boolean {
  return last !== undefined && largest !== undefined && equalBytes(last, largest.key);
}

function keyText(key: Uint8Array | undefined): string | null {
  return key === undefined ? null : toHex(key);
}
