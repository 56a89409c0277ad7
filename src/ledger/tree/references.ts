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
  return { identifier, content, references: eagerReferences(references) };
}

/** The edges from an index to these pieces, each once. */
export function eagerReferences(digests: readonly ObjectDigest[]): Reference[] {
  const stored = digests.filter((digest) => !isInline(digest));
  return mergeReferences(stored.map((digest) => ({ digest, priority: "eager" })));
}

/**
 * The edges of a tree node: eager to its children and the values of eager entries, lazy to those of lazy ones. One value
 * may be there both ways, each once.
 */
export function nodeReferences({ entries, children }: TreeNode): Reference[] {
  const ofChildren = children.flatMap((child) => (child === undefined ? [] : [child.digest]));
  const ofValues = entries.map(({ value: { digest }, priority }) => ({ digest, priority }));
  return mergeReferences(
    eagerReferences(ofChildren),
    ofValues.filter(({ digest }) => !isInline(digest)),
  );
}

/** Edges of several sources together, each once. */
export function mergeReferences(...sources: readonly (readonly Reference[])[]): Reference[] {
  const named = sources.flat().map((reference) => [edgeName(reference), reference] as const);
  return [...new Map(named).values()];
}

function edgeName({ digest, priority }: Reference): string {
  return `${priority} ${toHex(digest)}`;
}
