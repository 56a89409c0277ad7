/** The effect of keys in lists and trees. */

/** Lines by which a page key moves, if the number of lines in sight is unknown. */
const PAGE = 10;

/**
 * The line to which a key moves in a list; undefined for a key that does not move. `page`: lines by which a page key
 * moves.
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

/** The place of the parent of a line; its own place if it has no parent. */
export function parentOf(lines: readonly { readonly depth: number }[], at: number): number {
  const depth = lines[at]?.depth ?? 0;
  for (let above = at - 1; above >= 0; above--) if ((lines[above]?.depth ?? 0) < depth) return above;
  return at;
}
