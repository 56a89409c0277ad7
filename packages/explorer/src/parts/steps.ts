/** The effect of keys in lists and trees. */

/** Lines that a page key moves by, where it is not known how many are in sight. */
const PAGE = 10;

/**
 * The line that a key leads to in a list; undefined for a key that leads nowhere. `page`: lines that a page key moves
 * by.
 */
export function stepTo(key: string, at: number, length: number, page = PAGE): number | undefined {
  const to = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: length - 1,
    PageDown: at + page,
    PageUp: at - page,
  }[key];
  return to === undefined ? undefined : Math.max(0, Math.min(length - 1, to));
}

/** The place of the line that another one is under; its own where it is under none. */
export function parentOf(lines: readonly { readonly depth: number }[], at: number): number {
  const depth = lines[at]?.depth ?? 0;
  for (let above = at - 1; above >= 0; above--) if ((lines[above]?.depth ?? 0) < depth) return above;
  return at;
}
