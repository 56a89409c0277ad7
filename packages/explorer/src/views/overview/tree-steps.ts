/** The lines of the tree that are in sight. */

/** The parts of a line that are used here: its depth and its id. */
interface Line {
  readonly id: string;
  readonly depth: number;
}

/** A line in sight. */
export interface VisibleLine<L extends Line> {
  readonly line: L;
  /** Its place in the whole tree. */
  readonly at: number;
  readonly isClosed: boolean;
}

/** The lines without a closed ancestor. `closed` has the first eight digits of ids. */
export function visibleLines<L extends Line>(
  tree: readonly L[],
  closed: ReadonlySet<string>,
): readonly VisibleLine<L>[] {
  const visible: VisibleLine<L>[] = [];
  let hiddenBelow = Number.POSITIVE_INFINITY;
  for (const [at, line] of tree.entries()) {
    if (line.depth > hiddenBelow) continue;
    const isClosed = closed.has(line.id.slice(0, 8));
    hiddenBelow = isClosed ? line.depth : Number.POSITIVE_INFINITY;
    visible.push({ line, at, isClosed });
  }
  return visible;
}

/** Returns whether a line has children. */
export function hasChildren<L extends Line>(tree: readonly L[], { line, at }: VisibleLine<L>): boolean {
  return (tree[at + 1]?.depth ?? 0) > line.depth;
}
