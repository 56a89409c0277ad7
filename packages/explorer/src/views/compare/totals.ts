/** Sums of rows that differ. */
import type { RowTotals } from "../../worker/compare/differing-rows.js";

/** All rows that differ. */
export function differingRows({ onlyInA, onlyInB, different }: RowTotals): number {
  return onlyInA + onlyInB + different;
}

/** Both sums together. */
export function together(one: RowTotals, other: RowTotals): RowTotals {
  return {
    onlyInA: one.onlyInA + other.onlyInA,
    onlyInB: one.onlyInB + other.onlyInB,
    different: one.different + other.different,
  };
}
