/** The parts in a part, a page at a time. Parts of maps and sets are in the order of their keys. */
import {
  partContent,
  partsIn,
  StateMap,
  type StatePart,
  type StatePartPage,
  StateSet,
} from "merostore/state";
import { compareTexts } from "../database/order.js";

/** Some of the parts in a part. */
export interface SortedPage extends StatePartPage {
  /**
   * True if they are in the order of their keys. The parts of a large map or set are in the order of their creation.
   */
  readonly isSorted: boolean;
}

/** The most entries of a map or a set that are sorted. */
const MOST_SORTED = 4_096;

/**
 * Some of the parts in a part.
 *
 * @param from the place of the first, from 0
 * @param count the most parts
 * @throws StateError for a part that cannot be shown
 */
export async function sortedPage(part: StatePart, from: number, count: number): Promise<SortedPage> {
  const { value } = await partContent(part);
  const hasKeys = value instanceof StateMap || value instanceof StateSet;
  if (!hasKeys) return { ...(await partsIn(part, from, count)), isSorted: true };
  const total = await value.size();
  if (total > MOST_SORTED) return { ...(await partsIn(part, from, count)), isSorted: false };
  const { parts } = await partsIn(part, 0, total);
  const sorted = parts.toSorted((a, b) => compareTexts(a.name, b.name));
  return { parts: sorted.slice(from, from + count), total, isSorted: true };
}
