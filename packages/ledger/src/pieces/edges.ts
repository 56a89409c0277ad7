/**
 * Edges: which pieces a piece refers to. The rows of edges keep pieces from being collected. Inline pieces have
 * neither rows nor edges.
 */
import { toHex } from "merostore/internal";
import { isInline, type ObjectDigest, type ObjectIdentifier } from "../objects.js";
import type { FileIndex } from "../tables/file-index.js";
import type { Priority, TreeNode } from "../tables/tree-node.js";
import type { Piece } from "./splitter.js";

/** An edge from a piece to another. */
export interface Edge {
  /** The digest of the piece that the edge leads to; never an inline one. */
  readonly digest: ObjectDigest;
  /** The digest in hex. */
  readonly name: string;
  /** `lazy` only from a tree node to the value of a lazy entry. */
  readonly priority: Priority;
}

/** A piece to store, with its edges. */
export interface NewPiece {
  readonly identifier: ObjectIdentifier;
  /** A chunk of the content of an object, or an index. */
  readonly content: Uint8Array;
  /** All edges from the piece, each once. */
  readonly edges: readonly Edge[];
}

/**
 * Adds the edges of a piece to the pieces of its index. For pieces of values, and for pieces of a tree node except its
 * root.
 */
export function withEdges({ identifier, content, children }: Piece): NewPiece {
  return { identifier, content, edges: eagerEdges(children) };
}

/** Returns the edges from an index to these pieces, each once. */
export function eagerEdges(digests: readonly ObjectDigest[]): Edge[] {
  return mergeEdges(digests.flatMap((digest) => (isInline(digest) ? [] : [edgeTo(digest, "eager")])));
}

/** Returns the edges from a piece, each once: an index, the root of a tree node, or both. */
export function edgesOf(index: FileIndex | undefined, node: TreeNode | undefined): readonly Edge[] {
  const children = eagerEdges(index?.children.map(({ identifier }) => identifier.digest) ?? []);
  if (node === undefined) return children;
  return children.length === 0 ? edgesOfNode(node) : mergeEdges(children, edgesOfNode(node));
}

/** Edges of nodes: a new node becomes an old one, whose edges are removed. */
const known = new WeakMap<TreeNode, readonly Edge[]>();

/**
 * Returns the edges from a tree node, each once: eager ones to its children and the values of eager entries, lazy ones
 * to the values of lazy entries. There may be both an eager and a lazy edge to the same value.
 */
export function edgesOfNode(node: TreeNode): readonly Edge[] {
  const before = known.get(node);
  if (before !== undefined) return before;
  const all: Edge[] = [];
  for (const child of node.children)
    if (child !== undefined && !isInline(child.digest)) all.push(edgeTo(child.digest, "eager"));
  for (const { value, priority } of node.entries)
    if (!isInline(value.digest)) all.push(edgeTo(value.digest, priority));
  const edges = mergeEdges(all);
  known.set(node, edges);
  return edges;
}

function edgeTo(digest: ObjectDigest, priority: Priority): Edge {
  return { digest, name: toHex(digest), priority };
}

/** Joins edges, each once. */
export function mergeEdges(...sources: readonly (readonly Edge[])[]): Edge[] {
  const seen = { eager: new Set<string>(), lazy: new Set<string>() };
  return sources.flat().filter(({ name, priority }) => {
    const before = seen[priority].size;
    return seen[priority].add(name).size > before;
  });
}
