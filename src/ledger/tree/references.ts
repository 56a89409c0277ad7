/** What the pieces of an object keep from being collected: the edges between stored pieces. */
import { toHex } from "../../bytes/hex.js";
import { isInline, type ObjectDigest } from "../objects/digest.js";
import type { Piece } from "../objects/splitter.js";
import type { Priority, TreeNode } from "../tables/tree-node.js";

/** An edge to a stored piece: never to an inline one. */
export interface Reference {
  readonly digest: ObjectDigest;
  /** `lazy` only from a tree node to the value of a lazy entry. */
  readonly priority: Priority;
}

/** A piece with all its edges. */
export interface StoredPiece extends Omit<Piece, "references"> {
  readonly references: readonly Reference[];
}

/** A piece of a value, or a part of a node that is no root: an index refers to its pieces. */
export function withReferences({ identifier, content, references }: Piece): StoredPiece {
  return { identifier, content, references: references.map((digest) => ({ digest, priority: "eager" })) };
}

/**
 * The edges of a tree node: eager to its children and the values of eager entries, lazy to those of lazy ones. One value
 * may be there both ways, each once.
 */
export function nodeReferences({ entries, children }: TreeNode): Reference[] {
  const found = new Map<string, Reference>();
  const add = (digest: ObjectDigest, priority: Priority): void => {
    if (!isInline(digest)) found.set(`${priority} ${toHex(digest)}`, { digest, priority });
  };
  for (const child of children) if (child !== undefined) add(child.digest, "eager");
  for (const { value, priority } of entries) add(value.digest, priority);
  return [...found.values()];
}

/** Edges of two sources together, each once. */
export function mergeReferences(a: readonly Reference[], b: readonly Reference[]): Reference[] {
  const all = [...a, ...b].map((reference) => [`${reference.priority} ${toHex(reference.digest)}`, reference] as const);
  return [...new Map(all).values()];
}
