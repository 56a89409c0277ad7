/** The lines of the list of differing rows: kinds, the rows of the open kind, and their fields. */
import { counted } from "../../parts/text.js";
import type { DifferencesOfKind, DifferingField, DifferingRow } from "../../worker/compare/differing-rows.js";
import { differingRows, together } from "./totals.js";

/** A line. */
export type DifferenceLine =
  | { readonly is: "kind"; readonly of: DifferencesOfKind; readonly name: string; readonly isOpen: boolean }
  | { readonly is: "row"; readonly of: DifferencesOfKind; readonly row: DifferingRow }
  | { readonly is: "field"; readonly field: DifferingField }
  | { readonly is: "more"; readonly words: string };

/** The name of a kind in addresses. */
function nameOfKind({ kind, column }: DifferencesOfKind): string {
  return kind ?? `unknown in ${column}`;
}

/** The lines. The open kind has all rows that the page has. */
export function linesOf(
  kinds: readonly DifferencesOfKind[],
  open: string | undefined,
  leavesOut: boolean,
): readonly DifferenceLine[] {
  const lines: DifferenceLine[] = [];
  for (const of of kinds) {
    const all = differingRows(totalsOf(of, leavesOut));
    if (all === 0) continue;
    const name = nameOfKind(of);
    lines.push({ is: "kind", of, name, isOpen: name === open });
    if (name !== open) continue;
    const rows = leavesOut ? of.rows.filter(({ expected }) => expected === undefined) : of.rows;
    for (const row of rows) {
      lines.push({ is: "row", of, row });
      for (const field of row.fields) lines.push({ is: "field", field });
      if (row.moreFields > 0)
        lines.push({
          is: "more",
          words: `${counted(row.moreFields, "more field")} ${row.moreFields === 1 ? "differs" : "differ"}`,
        });
    }
    if (all > rows.length)
      lines.push({ is: "more", words: `${counted(all - rows.length, "more row")} of this kind` });
  }
  return lines;
}

/** The counts of a kind. */
export function totalsOf({ unexpected, expected }: DifferencesOfKind, leavesOut: boolean) {
  return leavesOut ? unexpected : together(unexpected, expected);
}
