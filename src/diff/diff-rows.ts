/** Comparison of two databases row by row, in one pass over both. */

import { quoted, visible } from "../bytes/visible.js";
import { MerostoreError } from "../errors.js";
import { checkOptions, type OptionChecks } from "../options.js";
import { Pause } from "../pause.js";
import { Follower, type ProgressOptions, progressOptions } from "../progress.js";
import {
  mayCarryEntities,
  type PrivateEntities,
  type RowSelection,
  type SelectedRows,
  selectionOptions,
  selectRows,
} from "../schemas/index.js";

import { compareRows, describeDifference, type RowDifference } from "./compare-rows.js";
import { MadeGroups } from "./made-groups.js";
import { checkSources, pairs, type RowSource, type SourceRow } from "./row-source.js";

/** Selects the rows to compare; all by default. The progress counts the rows of both sides. */
export interface DiffOptions extends RowSelection, ProgressOptions {
  /** Only these column families. */
  readonly columns?: readonly string[] | undefined;
}

const diffOptions: OptionChecks<DiffOptions> = {
  ...selectionOptions,
  ...progressOptions,
};

/** The most column families that a message lists. */
const NAMED = 30;

/** The totals of a comparison. */
export interface DiffSummary {
  /** Rows that were read from the first side. */
  readonly a: number;
  /** Rows that were read from the second side. */
  readonly b: number;
  /** Rows that only the first side has. */
  readonly onlyInA: number;
  /** Rows that only the second side has. */
  readonly onlyInB: number;
  /** Rows that both have, with different values. */
  readonly different: number;
  /** The number of these differences that are expected between correct nodes. */
  readonly benign: number;
  /** Rows whose value one side lacks. Only their keys were compared. */
  readonly withoutValue: number;
}

/**
 * Yields the rows that differ, in the order of the column families and keys, and returns the summary. Closes both
 * sources at the end, but not their stores.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` at once, and both sources stay open; `UNKNOWN_COLUMN_FAMILY`; errors of
 * reading; `EXPORT_INVALID` for an incomplete export, at the latest after its last row
 * @example
 * for await (const row of diffRows(rowsOfStore(a), rowsOfStore(b))) console.log(row.difference, row.key);
 */
export function diffRows(
  a: RowSource,
  b: RowSource,
  options: DiffOptions = {},
): AsyncGenerator<RowDifference, DiffSummary, undefined> {
  checkSources("diffRows", a, b);
  checkOptions("diffRows", options, diffOptions);
  return differingRows(a, b, options);
}

/** Options of {@link differingRows}, in addition to the options of {@link diffRows}. */
interface PairOptions extends DiffOptions {
  /** Called with the rows of each key, even if they are equal. */
  readonly onPair?: (column: string, a: SourceRow | undefined, b: SourceRow | undefined) => void;
}

/** @internal {@link diffRows} without checks of its arguments. */
export function differingRows(
  a: RowSource,
  b: RowSource,
  options: PairOptions,
): AsyncGenerator<RowDifference, DiffSummary, undefined> {
  const { contextId, groupId, memberIds, columns } = options;
  const selected = selectRows({ contextId, groupId, memberIds });
  return compare(a, b, selected, { ...options, columns: columns && [...columns] });
}

async function* compare(
  a: RowSource,
  b: RowSource,
  selected: SelectedRows,
  options: PairOptions,
): AsyncGenerator<RowDifference, DiffSummary, undefined> {
  const tally = { a: 0, b: 0, onlyInA: 0, onlyInB: 0, different: 0, benign: 0, withoutValue: 0 };
  try {
    // Loaded when the first row differs that may contain private entities.
    let privateEntities: PrivateEntities | undefined;
    const made = new MadeGroups();
    const follower = new Follower(options);
    const pause = new Pause();
    for (const column of columnsOf(a, b, options)) {
      const ranges = selected.ranges(column, a.schema, b.schema);
      for await (const some of pairs(a, b, column, ranges, (rows) => follower.add(rows)))
        for (const [rowA, rowB] of some) {
          if (pause.isLong) await pause.ifLong();
          const { key } = (rowA ?? rowB) as SourceRow;
          if (!selected.has(rowA === undefined ? b.schema : a.schema, column, key)) continue;
          options.onPair?.(column, rowA, rowB);
          if (rowA !== undefined) tally.a++;
          if (rowB !== undefined) tally.b++;
          const difference = compareRows(rowA, rowB);
          if (difference === "equal") continue;
          if (difference === "without value") {
            tally.withoutValue++;
            continue;
          }
          if (difference === "only in a") tally.onlyInA++;
          else if (difference === "only in b") tally.onlyInB++;
          else tally.different++;
          if (difference === "different" && mayCarryEntities(column))
            privateEntities ??= (await a.privateEntities()).and(await b.privateEntities());
          const sides = { column, a: rowA, schemaA: a.schema, b: rowB, schemaB: b.schema };
          const found = describeDifference(difference, sides, privateEntities);
          const benign = found.benign ?? made.reason(found, (rowA ?? rowB)?.value);
          if (benign !== undefined) tally.benign++;
          yield benign === undefined ? found : { ...found, benign };
        }
    }
    await a.finish?.();
    await b.finish?.();
    follower.end();
    return tally;
  } finally {
    await a.close?.();
    await b.close?.();
  }
}

/** The column families of A, then the others of B; or the requested ones, in this order. */
function columnsOf(a: RowSource, b: RowSource, { columns }: DiffOptions): readonly string[] {
  const all = [...new Set([...a.columns, ...b.columns])];
  for (const column of columns ?? []) {
    if (all.includes(column)) continue;
    const known = all.slice(0, NAMED).map((name) => visible(name.slice(0, 40)));
    throw new MerostoreError(
      "UNKNOWN_COLUMN_FAMILY",
      `neither database has a column family ${quoted(column)}; they have ${known.join(", ")}${all.length > NAMED ? ", …" : ""}`,
    );
  }
  return columns === undefined ? all : all.filter((column) => columns.includes(column));
}
