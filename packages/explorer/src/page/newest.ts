/** The order in which histories are offered. */
import type { Choice, Choices } from "../worker/histories.js";

/** The contexts with deltas, those that changed last first. */
export function newestFirst(all: readonly Choices[]): readonly Choice[] {
  return all
    .flatMap(({ choices }) => choices)
    .filter(({ of, length }) => of === "context" && length > 0)
    .toSorted((a, b) => (b.changedAt ?? 0) - (a.changedAt ?? 0));
}
