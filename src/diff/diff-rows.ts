/** Comparing two databases row by row: one pass over both, side by side, whatever their size. */

import { quoted, visible } from "../bytes/visible.js";
import { MerostoreError } from "../errors.js";
import { checkOptions, isFunction, type OptionChecks } from "../options.js";
import {
  mayCarryEntities,
  type PrivateEntities,
  type RowFilter,
  type RowSelection,
  rowFilter,
  selectionOptions,
} from "../schemas/index.js";

import { compareRows, describeDifference, type RowDifference } from "./compare-rows.js";
import { pairs } from "./pairs.js";
import { checkSources, type RowSource, type SourceRow } from "./row-source.js";

/** Which rows are compared. Without options: all. */
export interface DiffOptions extends RowSelection {
  /** Only these column families. */
  readonly columns?: readonly string[] | undefined;
  /** Called now and then with the number of rows that were read from both sides together. */
  readonly onProgress?: ((rows: number) => void) | undefined;
}

const diffOptions: OptionChecks<DiffOptions> = { ...selectionOptions, onProgress: isFunction };

/** Column families that a message names at most. */
const NAMED = 30;

/** What was compared. */
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
  /** Of these differences, how many nodes that did nothing wrong have. */
  readonly honest: number;
  /** Rows of which one side has left out the value: only their keys were compared. */
  readonly withoutValue: number;
}

/**
 * The rows that differ, in the order of the column families and keys; the generator returns the summary. It closes both
 * sides at the end, not the stores below them.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` at once, and both sides stay open; `UNKNOWN_COLUMN_FAMILY`, and those of
 *   reading; `EXPORT_INVALID` for an export that is not whole, after its last row at the latest
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
  const { contextId, groupId, columns, onProgress } = options;
  return compare(a, b, rowFilter({ contextId, groupId }), { columns: columns && [...columns], onProgress });
}

async function* compare(
  a: RowSource,
  b: RowSource,
  isMeant: RowFilter,
  options: DiffOptions,
): AsyncGenerator<RowDifference, DiffSummary, undefined> {
  const tally = { a: 0, b: 0, onlyInA: 0, onlyInB: 0, different: 0, honest: 0, withoutValue: 0 };
  try {
    let read = 0;
    // Looked for when a row differs in which there may be some.
    let privateEntities: PrivateEntities | undefined;
    const progress = (rows: number): void => {
      read += rows;
      options.onProgress?.(read);
    };
    for (const column of columnsOf(a, b, options)) {
      for await (const some of pairs(a, b, column, progress))
        for (const [rowA, rowB] of some) {
          const { key } = (rowA ?? rowB) as SourceRow;
          if (!isMeant(rowA === undefined ? b.schema : a.schema, column, key)) continue;
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
          if (found.honest !== undefined) tally.honest++;
          yield found;
        }
    }
    await a.finish?.();
    await b.finish?.();
    return tally;
  } finally {
    await a.close?.();
    await b.close?.();
  }
}

/** The column families of both, those of A first; or those that are asked for, in this order. */
function columnsOf(a: RowSource, b: RowSource, { columns }: DiffOptions): readonly string[] {
  const all = [...new Set([...a.columns, ...b.columns])];
  for (const column of columns ?? []) {
    if (all.includes(column)) continue;
    const known = all.slice(0, NAMED).map((name) => visible(name.slice(0, 40)));
    throw new MerostoreError(
      "UNKNOWN_COLUMN_FAMILY",
      `neither has a column family ${quoted(column)}; they have ${known.join(", ")}${all.length > NAMED ? ", …" : ""}`,
    );
  }
  return columns === undefined ? all : all.filter((column) => columns.includes(column));
}
