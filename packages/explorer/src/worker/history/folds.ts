/** Long runs of rows by one author, shown as one line between their ends. */
import type { HistoryGraph, Named } from "merostore/node";

/** A run of more rows than this is folded. */
const LONGEST = 20;
/** Rows that stay at each end of a folded run. */
const KEPT = 4;

/** The number of rows that follow each row. */
export function followersOf({ size, parents }: Pick<HistoryGraph, "size" | "parents">): Uint32Array {
  const followers = new Uint32Array(size);
  for (const parent of parents) if (parent < size) followers[parent] = (followers[parent] as number) + 1;
  return followers;
}

/** A folded run. */
export interface Fold {
  /** The first row that is hidden. */
  readonly start: number;
  /** The row after the last hidden row. */
  readonly end: number;
  /** The author of the rows. */
  readonly author: Named | undefined;
  /** When the oldest and the newest row were made, in milliseconds since 1970; NaN if unknown. */
  readonly after: number;
  readonly before: number;
}

/** The used parts of a history. A run has rows of one author with the same marks. */
export type Foldable = Pick<
  HistoryGraph,
  "size" | "parentsFrom" | "parents" | "people" | "after" | "before" | "marks"
> & { readonly authors: ArrayLike<number> };

/** The folds of a history, newest first. */
export function foldsOf(
  { size, parentsFrom, parents, authors, marks, people, after, before }: Foldable,
  followers: Uint32Array,
): readonly Fold[] {
  const folds: Fold[] = [];
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
    if (row + 1 - start > LONGEST) {
      const [from, end] = [start + KEPT, row + 1 - KEPT];
      folds.push({
        start: from,
        end,
        author: people[authors[row] as number],
        after: after[end - 1] as number,
        before: before[from] as number,
      });
    }
    start = row + 1;
  }
  return folds;
}
