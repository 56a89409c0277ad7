/** Reads a tree: one entry, or all entries in the order of the keys. */

import { compareBytes, firstNotBefore } from "merostore/internal";
import type { ObjectIdentifier } from "../objects.js";
import type { TreeEntry, TreeNode } from "../tables/tree-node.js";

/** Returns the index of the first entry whose key is not less than a key. */
export function lowerBound(entries: readonly TreeEntry[], key: Uint8Array): number {
  return firstNotBefore(entries.length, (at) => compareBytes((entries[at] as TreeEntry).key, key) < 0);
}

/** Finds the entry with a key. */
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

/** Yields all entries from a key on, in the order of the keys, in runs: the entries of one node at a time. */
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

/** Yields all entries, or all entries before a key, in descending order of the keys, in runs as {@link entryRuns}. */
export async function* entryRunsBefore(
  source: NodeSource,
  root: ObjectIdentifier,
  before: Uint8Array | undefined,
): AsyncGenerator<readonly TreeEntry[], void, undefined> {
  const { level, entries, children } = await source.node(root);
  const end = before === undefined ? entries.length : lowerBound(entries, before);
  if (level === 0) {
    if (end > 0) yield entries.slice(0, end).reverse();
    return;
  }
  for (let index = end; index >= 0; index--) {
    const child = children[index];
    if (child !== undefined) yield* entryRunsBefore(source, child, before);
    const entry = entries[index - 1];
    if (entry !== undefined) yield [entry];
  }
}

/** Finds the node of a level whose range includes a key. */
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

export interface NodeSource {
  /** @throws MerostoreError DATA_INTEGRITY_ERROR for a node that is missing or damaged */
  node(identifier: ObjectIdentifier): Promise<TreeNode>;
}
