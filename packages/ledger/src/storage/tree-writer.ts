/** Makes a new tree from changes of an old one: its root, and the pieces of its new nodes. */
import { isInline, type ObjectIdentifier } from "../objects.js";
import { edgesOfNode, mergeEdges, type NewPiece, withEdges } from "../pieces/edges.js";
import { type Piece, type SplitOptions, split } from "../pieces/splitter.js";
import { encodeNode, type TreeNode } from "../tables/tree-node.js";
import { applyChanges, type EntryChange } from "../tree/apply.js";
import type { ObjectReader } from "./object-reader.js";

/** A tree whose new pieces are not stored yet. */
export interface NewTree {
  readonly root: ObjectIdentifier;
  readonly pieces: readonly NewPiece[];
}

/** Applies changes to a tree. Writes nothing. */
export async function changeTree(
  reader: ObjectReader,
  root: ObjectIdentifier,
  changes: Iterable<EntryChange>,
  options: SplitOptions,
): Promise<NewTree> {
  const pieces: NewPiece[] = [];
  const sink = (node: TreeNode): ObjectIdentifier => {
    const made = nodePieces(node, options);
    pieces.push(...made.pieces);
    reader.cache(made.root, node, made.bytes);
    return made.root;
  };
  return { root: await applyChanges(reader, root, changes, sink), pieces };
}

/** Splits a node into its pieces. The root piece has all edges of the node. */
export function nodePieces(node: TreeNode, options: SplitOptions): NewTree & { readonly bytes: number } {
  const content = encodeNode(node);
  const pieces: Piece[] = [];
  const root = split(content, "tree-node", options, (piece) => pieces.push(piece));
  const stored = pieces.map(withEdges);
  const last = stored.at(-1);
  if (last !== undefined && !isInline(root.digest)) {
    const ofNode = edgesOfNode(node);
    const edges = last.edges.length === 0 ? ofNode : mergeEdges(last.edges, ofNode);
    stored[stored.length - 1] = { ...last, edges };
  }
  return { root, pieces: stored, bytes: content.length };
}
