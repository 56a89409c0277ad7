/**
 * Changes a tree. The shape of a tree depends on its keys only, so the same entries always have the same root, in
 * whatever order they were put: the root is on the level of the highest key, and each child is one level below its
 * parent. There are nodes without entries where necessary.
 */
import { compareBytes } from "merostore/internal";
import { equalIdentifiers, type ObjectIdentifier } from "../objects.js";
import { EMPTY_NODE, equalEntries, type TreeEntry, type TreeNode } from "../tables/tree-node.js";
import { lowerBound, type NodeSource } from "./iterate.js";
import { type LevelOf, levelOf } from "./level.js";

/** The change of a key: a new entry, or none. */
export interface EntryChange {
  readonly key: Uint8Array;
  readonly entry: TreeEntry | undefined;
}

/** Receives new nodes, children before their parents, and returns their identifiers. */
export type NodeSink = (node: TreeNode) => ObjectIdentifier;

/** A subtree in memory. */
interface Draft {
  readonly level: number;
  readonly entries: TreeEntry[];
  readonly children: (Subtree | undefined)[];
  /** The stored node that it was made from. */
  readonly origin: { readonly identifier: ObjectIdentifier; readonly node: TreeNode } | undefined;
}

/** A stored or a changed subtree; undefined if it has no entries. */
type Subtree = ObjectIdentifier | Draft;

/**
 * Applies changes to a tree, one after another, and returns the new root. Passes new nodes to `sink`. An unchanged
 * tree keeps its root and passes nothing.
 */
export async function applyChanges(
  source: NodeSource,
  root: ObjectIdentifier,
  changes: Iterable<EntryChange>,
  sink: NodeSink,
  level: LevelOf = levelOf,
): Promise<ObjectIdentifier> {
  const editor = new TreeEditor(source);
  await editor.open(root);
  for (const { key, entry } of changes) {
    if (entry === undefined) await editor.remove(key, level(key));
    else await editor.insert(entry, level(key));
  }
  return editor.finish(sink);
}

class TreeEditor {
  readonly #source: NodeSource;
  #root: Subtree | undefined;
  #level = 0;

  constructor(source: NodeSource) {
    this.#source = source;
  }

  async open(root: ObjectIdentifier): Promise<void> {
    const draft = await this.#draft(root);
    this.#level = draft.level;
    this.#root = isEmpty(draft) ? undefined : draft;
  }

  async insert(entry: TreeEntry, level: number): Promise<void> {
    if (this.#root === undefined) this.#level = level;
    while (this.#level < level) this.#root = wrapped(this.#root, ++this.#level);
    this.#root = await this.#insert(this.#root, this.#level, entry, level);
  }

  async remove(key: Uint8Array, level: number): Promise<void> {
    if (level <= this.#level) this.#root = await this.#remove(this.#root, this.#level, key, level);
  }

  /** Writes the new nodes, and returns the root. */
  async finish(sink: NodeSink): Promise<ObjectIdentifier> {
    let root = this.#root;
    // A root without entries has only one child, which becomes the root.
    for (;;) {
      if (root === undefined) return sink(EMPTY_NODE);
      const draft: Draft = await this.#draft(root);
      if (draft.entries.length > 0) return write(draft, sink);
      root = draft.children[0];
    }
  }

  async #insert(subtree: Subtree | undefined, level: number, entry: TreeEntry, at: number): Promise<Draft> {
    const draft = subtree === undefined ? emptyDraft(level) : await this.#draft(subtree);
    const { entries, children } = draft;
    const index = lowerBound(entries, entry.key);
    if (level > at) {
      children[index] = await this.#insert(children[index], level - 1, entry, at);
    } else if (holds(entries, index, entry.key)) {
      if (!equalEntries(entries[index] as TreeEntry, entry)) entries[index] = entry;
    } else {
      const halves = await this.#split(children[index], entry.key);
      entries.splice(index, 0, entry);
      children.splice(index, 1, ...halves);
    }
    return draft;
  }

  async #remove(
    subtree: Subtree | undefined,
    level: number,
    key: Uint8Array,
    at: number,
  ): Promise<Subtree | undefined> {
    if (subtree === undefined) return undefined;
    const draft = await this.#draft(subtree);
    const { entries, children } = draft;
    const index = lowerBound(entries, key);
    if (level > at) {
      children[index] = await this.#remove(children[index], level - 1, key, at);
    } else if (holds(entries, index, key)) {
      const merged = await this.#merge(children[index], children[index + 1]);
      entries.splice(index, 1);
      children.splice(index, 2, merged);
    }
    return isEmpty(draft) ? undefined : draft;
  }

  /** Splits a subtree at a key that it does not have. */
  async #split(
    subtree: Subtree | undefined,
    key: Uint8Array,
  ): Promise<[Subtree | undefined, Subtree | undefined]> {
    if (subtree === undefined) return [undefined, undefined];
    const { level, entries, children } = await this.#draft(subtree);
    const index = lowerBound(entries, key);
    const [before, after] = await this.#split(children[index], key);
    const left = draftOf(level, entries.slice(0, index), [...children.slice(0, index), before]);
    const right = draftOf(level, entries.slice(index), [after, ...children.slice(index + 1)]);
    if (isEmpty(left)) return [undefined, subtree];
    return isEmpty(right) ? [subtree, undefined] : [left, right];
  }

  /** Joins two subtrees of the same level. All keys of the left one are less than all keys of the right one. */
  async #merge(left: Subtree | undefined, right: Subtree | undefined): Promise<Subtree | undefined> {
    if (left === undefined || right === undefined) return left ?? right;
    const [a, b] = [await this.#draft(left), await this.#draft(right)];
    const seam = await this.#merge(a.children.at(-1), b.children[0]);
    const children = [...a.children.slice(0, -1), seam, ...b.children.slice(1)];
    return draftOf(a.level, [...a.entries, ...b.entries], children);
  }

  async #draft(subtree: Subtree): Promise<Draft> {
    if (!("digest" in subtree)) return subtree;
    const node = await this.#source.node(subtree);
    return {
      level: node.level,
      entries: [...node.entries],
      children: [...node.children],
      origin: { identifier: subtree, node },
    };
  }
}

function draftOf(level: number, entries: TreeEntry[], children: (Subtree | undefined)[]): Draft {
  return { level, entries, children, origin: undefined };
}

function emptyDraft(level: number): Draft {
  return draftOf(level, [], [undefined]);
}

/** Makes a tree one level higher. */
function wrapped(child: Subtree | undefined, level: number): Draft {
  return draftOf(level, [], [child]);
}

function isEmpty({ entries, children }: Draft): boolean {
  return entries.length === 0 && children[0] === undefined;
}

function holds(entries: readonly TreeEntry[], index: number, key: Uint8Array): boolean {
  const entry = entries[index];
  return entry !== undefined && compareBytes(entry.key, key) === 0;
}

/** Writes the new nodes of a subtree, children first. Unchanged nodes are not new. */
function write({ level, entries, children, origin }: Draft, sink: NodeSink): ObjectIdentifier {
  const written = children.map((child) =>
    child === undefined || "digest" in child ? child : write(child, sink),
  );
  if (origin !== undefined && isSame(origin.node, entries, written)) return origin.identifier;
  return sink({ level, entries, children: written });
}

function isSame(
  node: TreeNode,
  entries: readonly TreeEntry[],
  children: readonly (ObjectIdentifier | undefined)[],
): boolean {
  return (
    node.entries.length === entries.length &&
    node.entries.every((entry, index) => entry === entries[index]) &&
    node.children.every((child, index) => sameChild(child, children[index]))
  );
}

function sameChild(a: ObjectIdentifier | undefined, b: ObjectIdentifier | undefined): boolean {
  return a === undefined || b === undefined ? a === b : equalIdentifiers(a, b);
}
