/** Finds the differences between trees, in the order of the keys. Shared subtrees are not read. */
import { compareBytes, equalBytes } from "merostore/internal";
import { equalIdentifiers, type ObjectIdentifier } from "../objects.js";
import { equalEntries, type TreeEntry, type TreeNode } from "../tables/tree-node.js";
import { lowerBound, type NodeSource } from "./iterate.js";

/** A key with different entries in two trees; a missing entry is undefined. */
export interface Difference {
  readonly key: Uint8Array;
  readonly before: TreeEntry | undefined;
  readonly after: TreeEntry | undefined;
}

/** A key with different entries in three trees; a missing entry is undefined. */
export interface ThreeWayDifference {
  readonly key: Uint8Array;
  readonly base: TreeEntry | undefined;
  readonly left: TreeEntry | undefined;
  readonly right: TreeEntry | undefined;
}

/** The next item of a tree: an entry, or a subtree that is not read yet. */
type Item = TreeEntry | { readonly subtree: ObjectIdentifier; readonly level: number };

class TreeCursor {
  readonly #source: NodeSource;
  readonly #from: Uint8Array;
  /** A stack: the next item is the last. */
  readonly #items: Item[] = [];

  constructor(source: NodeSource, root: ObjectIdentifier, from: Uint8Array) {
    this.#source = source;
    this.#from = from;
    // Above all other levels: both roots are read unless they are equal.
    this.#items.push({ subtree: root, level: Number.POSITIVE_INFINITY });
  }

  get next(): Item | undefined {
    return this.#items.at(-1);
  }

  take(): void {
    this.#items.pop();
  }

  /** Replaces a subtree by its entries and children. */
  async open(subtree: ObjectIdentifier): Promise<void> {
    const { level, entries, children }: TreeNode = await this.#source.node(subtree);
    this.#items.pop();
    for (let index = entries.length; index >= lowerBound(entries, this.#from); index--) {
      const entry = entries[index];
      if (entry !== undefined) this.#items.push(entry);
      const child = children[index];
      if (child !== undefined) this.#items.push({ subtree: child, level: level - 1 });
    }
  }
}

/** Yields the keys from `from` on whose entries differ, ascending. */
export async function* diffTrees(
  source: NodeSource,
  before: ObjectIdentifier,
  after: ObjectIdentifier,
  from: Uint8Array = new Uint8Array(0),
): AsyncGenerator<Difference, void, undefined> {
  const a = new TreeCursor(source, before, from);
  const b = new TreeCursor(source, after, from);
  for (;;) {
    const [one, other] = [a.next, b.next];
    if (one === undefined && other === undefined) return;
    const oneTree = one !== undefined && "subtree" in one ? one : undefined;
    const otherTree = other !== undefined && "subtree" in other ? other : undefined;
    if (
      oneTree !== undefined &&
      otherTree !== undefined &&
      equalIdentifiers(oneTree.subtree, otherTree.subtree)
    ) {
      a.take();
      b.take();
    } else if (oneTree !== undefined && oneTree.level >= (otherTree?.level ?? -1))
      await a.open(oneTree.subtree);
    else if (otherTree !== undefined) await b.open(otherTree.subtree);
    else {
      const order = compareItems(one as TreeEntry | undefined, other as TreeEntry | undefined);
      const [left, right] = [
        order <= 0 ? (one as TreeEntry) : undefined,
        order >= 0 ? (other as TreeEntry) : undefined,
      ];
      if (order <= 0) a.take();
      if (order >= 0) b.take();
      if (left === undefined || right === undefined || !equalEntries(left, right))
        yield { key: ((left ?? right) as TreeEntry).key, before: left, after: right };
    }
  }
}

/** Compares entries by their keys. The end of a tree is greater than all entries. */
function compareItems(a: TreeEntry | undefined, b: TreeEntry | undefined): number {
  if (a === undefined) return 1;
  return b === undefined ? -1 : compareBytes(a.key, b.key);
}

/**
 * Yields the keys from `from` on that `left` or `right` has changed, ascending. Includes keys that both changed in the
 * same way.
 */
export async function* diffThreeWay(
  source: NodeSource,
  trees: {
    readonly base: ObjectIdentifier;
    readonly left: ObjectIdentifier;
    readonly right: ObjectIdentifier;
  },
  from?: Uint8Array,
): AsyncGenerator<ThreeWayDifference, void, undefined> {
  const lefts = diffTrees(source, trees.base, trees.left, from);
  const rights = diffTrees(source, trees.base, trees.right, from);
  try {
    let left = (await lefts.next()).value ?? undefined;
    let right = (await rights.next()).value ?? undefined;
    while (left !== undefined || right !== undefined) {
      const both = left !== undefined && right !== undefined && equalBytes(left.key, right.key);
      const isLeft =
        both || right === undefined || (left !== undefined && compareBytes(left.key, right.key) < 0);
      const first = (isLeft ? left : right) as Difference;
      yield {
        key: first.key,
        base: first.before,
        left: isLeft ? first.after : first.before,
        right: both ? (right as Difference).after : isLeft ? first.before : first.after,
      };
      if (isLeft) left = (await lefts.next()).value ?? undefined;
      if (both || !isLeft) right = (await rights.next()).value ?? undefined;
    }
  } finally {
    await Promise.all([lefts.return(), rights.return()]);
  }
}
