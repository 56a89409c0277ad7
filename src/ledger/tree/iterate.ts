/** Reading a tree: one entry, or all in key order. */
import { compareBytes } from "../../bytes/order.js";
import type { ObjectIdentifier } from "../objects/identifier.js";
import type { TreeEntry, TreeNode } from "../tables/tree-node.js";
import type { NodeSource } from "./node-source.js";

/** The place of a key among the entries of a node: of the first that is not before it. */
export function lowerBound(entries: readonly TreeEntry[], key: Uint8Array): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareBytes((entries[middle] as TreeEntry).key, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The entry with a key, if the tree has one. */
export async function findEntry(
  source: NodeSource,
  root: ObjectIdentifier,
  key: Uint8Array,
): Promise<TreeEntry | undefined> {
  for (let at: ObjectIdentifier | undefined = root; at !== undefined; ) {
    const { entries, children }: TreeNode = await source.node(at);
    const index = lowerBound(entries, key);
    const entry = entries[index];
    if (entry !== undefined && compareBytes(entry.key, key) === 0) return entry;
    at = children[index];
  }
  return undefined;
}

/** All entries from a key on, in key order, in runs: nodes hold many that follow one another. */
export async function* entryRuns(
  source: NodeSource,
  root: ObjectIdentifier,
  from: Uint8Array = new Uint8Array(0),
): AsyncGenerator<readonly TreeEntry[], void, undefined> {
  const { level, entries, children } = await source.node(root);
  const first = lowerBound(entries, from);
  if (level === 0) {
    if (first < entries.length) yield first === 0 ? entries : entries.slice(first);
    return;
  }
  for (let index = first; index < children.length; index++) {
    const child = children[index];
    if (child !== undefined) yield* entryRuns(source, child, from);
    const entry = entries[index];
    if (entry !== undefined) yield [entry];
  }
}

/** The node of a tree on a level whose range a key lies in. */
export async function nodeBeside(
  source: NodeSource,
  root: ObjectIdentifier,
  level: number,
  key: Uint8Array,
): Promise<TreeNode | undefined> {
  for (let at: ObjectIdentifier | undefined = root; at !== undefined; ) {
    const node: TreeNode = await source.node(at);
    if (node.level <= level) return node.level === level ? node : undefined;
    at = node.children[lowerBound(node.entries, key)];
  }
  return undefined;
}
