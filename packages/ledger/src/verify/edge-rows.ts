/** The edges of stored pieces and commits, and their rows. */
import type { Severity } from "merostore/internal";
import { isInline, type ObjectDigest } from "../objects/digest.js";
import type { ObjectIdentifier } from "../objects/identifier.js";
import { type Edge, eagerEdges, edgesOfNode, mergeEdges } from "../pieces/edges.js";
import { commitEdgeRow, eagerEdgeRow, lazyEdgeRow } from "../rows/page-rows.js";
import type { AnyRow } from "../rows/row.js";
import type { ParentPiece } from "./checked-page.js";
import { type Problem, problem } from "./finding.js";

/** Returns the edges from a piece, each once. */
export function edgesOf({ index, node }: ParentPiece): Edge[] {
  const children = eagerEdges(index?.children.map(({ identifier }) => identifier.digest) ?? []);
  return node === undefined ? children : mergeEdges(children, edgesOfNode(node));
}

/** Returns the identifiers of the pieces that a piece refers to, without inline ones. */
export function identifiersOf({ index, node }: ParentPiece): ObjectIdentifier[] {
  return [
    ...(index?.children.map(({ identifier }) => identifier) ?? []),
    ...(node?.children.filter((child) => child !== undefined) ?? []),
    ...(node?.entries.map(({ value }) => value) ?? []),
  ].filter(({ digest }) => !isInline(digest));
}

/** The row of an edge, by its key. */
export type EdgeParts =
  | {
      readonly row: typeof commitEdgeRow;
      readonly destination: ObjectDigest;
      readonly commit: Uint8Array;
    }
  | {
      readonly row: typeof eagerEdgeRow | typeof lazyEdgeRow;
      readonly destination: ObjectDigest;
      readonly source: ObjectDigest;
    };

/** Parses the key of the row of an edge; undefined for other keys. */
export function parseEdge(key: Uint8Array): EdgeParts | undefined {
  const commit = commitEdgeRow.key.parse(key);
  if (commit !== undefined) return { row: commitEdgeRow, ...commit };
  for (const row of [eagerEdgeRow, lazyEdgeRow]) {
    const parts = row.key.parse(key);
    if (parts !== undefined) return { row, ...parts };
  }
  return undefined;
}

/** The range of the rows of all edges: their keys have the same prefix. */
export const EDGE_ROWS = eagerEdgeRow.range();

/** Makes a problem of the row of an edge. */
export function edgeProblem(severity: Severity, { row, ...parts }: EdgeParts, message: string): Problem {
  const kind: AnyRow = row;
  return problem(severity, kind, parts, message);
}
