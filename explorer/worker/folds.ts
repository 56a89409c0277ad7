/** Runs of rows by one author in one line, of which a history shows the ends. */
import type { HistoryGraph } from "merostore/node";

/** Rows of a run from which on it is folded, less one. */
const LONGEST = 20;
/** Rows that stay at each end of a folded run. */
const KEPT = 4;

/** How many rows of the database follow each row. */
export function followersOf({ size, parents }: Pick<HistoryGraph, "size" | "parents">): Uint32Array {
  const followers = new Uint32Array(size);
  for (const parent of parents) if (parent < size) followers[parent] = (followers[parent] as number) + 1;
  return followers;
}

/** The folds: for each the first row that is hidden, and the row after the last one. */
export function foldsOf(
  { size, parentsFrom, parents, authors, marks }: HistoryGraph,
  followers: Uint32Array,
): Uint32Array {
  const folds: number[] = [];
  const goesOn = (row: number): boolean =>
    row + 1 < size &&
    (parentsFrom[row + 1] as number) - (parentsFrom[row] as number) === 1 &&
    parents[parentsFrom[row] as number] === row + 1 &&
    followers[row + 1] === 1 &&
    authors[row] === authors[row + 1] &&
    marks[row] === marks[row + 1];
  let start = 0;
  for (let row = 0; row < size; row++) {
    if (goesOn(row)) continue;
    if (row + 1 - start > LONGEST) folds.push(start + KEPT, row + 1 - KEPT);
    start = row + 1;
  }
  return Uint32Array.from(folds);
}
