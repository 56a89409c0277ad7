/** Which lines of the tree are in sight, and where keys lead among them. */

/** What is needed of a line: its depth and its id. */
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

/** Lines that a page key moves by. */
const PAGE = 15;

/** The lines that are not under a closed one. `closed`: the first eight digits of ids. */
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

/** Whether a line has others under it. */
export function hasChildren<L extends Line>(tree: readonly L[], { line, at }: VisibleLine<L>): boolean {
  return (tree[at + 1]?.depth ?? 0) > line.depth;
}

/** The place of the line that another one is under; its own where it is under none. */
export function parentOf<L extends Line>(lines: readonly VisibleLine<L>[], at: number): number {
  const depth = lines[at]?.line.depth ?? 0;
  for (let above = at - 1; above >= 0; above--) if ((lines[above]?.line.depth ?? 0) < depth) return above;
  return at;
}

/** Where a key leads in a list; undefined for a key that leads nowhere. */
export function stepTo(key: string, at: number, length: number): number | undefined {
  const to = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: length - 1,
    PageDown: at + PAGE,
    PageUp: at - PAGE,
  }[key];
  return to === undefined ? undefined : Math.max(0, Math.min(length - 1, to));
}
