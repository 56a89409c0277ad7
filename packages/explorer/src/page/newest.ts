/** The order of histories in lists. */
import type { Choice, Choices } from "../worker/history/histories.js";

/** The contexts with deltas, the last changed first. */
export function newestFirst(all: readonly Choices[]): readonly Choice[] {
  return all
    .flatMap(({ choices }) => choices)
    .filter(({ of, isEmpty }) => of === "context" && !isEmpty)
    .toSorted((a, b) => (b.changedAt ?? 0) - (a.changedAt ?? 0));
}
