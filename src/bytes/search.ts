/** Binary search. */

/**
 * Returns the index of the first of `count` sorted elements that does not come before a wanted one; `count` if all do.
 *
 * @param isBefore returns whether the element at an index comes before the wanted one
 */
export function firstNotBefore(count: number, isBefore: (at: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
