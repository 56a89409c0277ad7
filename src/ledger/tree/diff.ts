/** What differs between trees, in key order. What they share is skipped by its id, and never read. */
import { compareBytes, equalBytes } from "../../bytes/order.js";
import { equalIdentifiers, type ObjectIdentifier } from "../objects/identifier.js";
import { equalEntries, type TreeEntry, type TreeNode } from "../tables/tree-node.js";
import { lowerBound } from "./iterate.js";
import type { NodeSource } from "./node-source.js";

/** A key whose entry is not the same in two trees. At least one of both is there. */
export interface Difference {
  readonly key: Uint8Array;
  readonly before: TreeEntry | undefined;
  readonly after: TreeEntry | undefined;
}

/** A key whose entry is not the same in three trees. */
export interface ThreeWayDifference {
  readonly key: Uint8Array;
  readonly base: TreeEntry | undefined;
  readonly left: TreeEntry | undefined;
  readonly right: TreeEntry | undefined;
}

/** What is next in one tree: an entry, or a subtree that may not have to be read. */
type Item = TreeEntry | { readonly subtree: ObjectIdentifier; readonly level: number };

class TreeCursor {
  readonly #source: NodeSource;
  readonly #from: Uint8Array;
  /** The next one last. */
  readonly #items: Item[] = [];

  constructor(source: NodeSource, root: ObjectIdentifier, from: Uint8Array) {
    this.#source = source;
    this.#from = from;
    // Above all others: both roots are read unless they are the same.
    this.#items.push({ subtree: root, level: Number.POSITIVE_INFINITY });
  }

  get next(): Item | undefined {
    return this.#items.at(-1);
  }

  take(): void {
    this.#items.pop();
  }

  /** Puts what a subtree holds, from the first key on, in its place. */
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

/** The keys from `from` on whose entries differ, ascending. */
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

/** The end comes after all entries. */
function compareItems(a: TreeEntry | undefined, b: TreeEntry | undefined): number {
  if (a === undefined) return 1;
  return b === undefined ? -1 : compareBytes(a.key, b.key);
}

/** The keys from `from` on that `left` or `right` has changed, ascending; also those that both changed in the same way. */
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
}
