/** What stored pieces and commits refer to, and the rows that say so. */
import { isInline, type ObjectDigest } from "../objects/digest.js";
import type { ObjectIdentifier } from "../objects/identifier.js";
import { type Edge, eagerEdges, edgesOfNode, mergeEdges } from "../pieces/edges.js";
import { commitEdgeRow, eagerEdgeRow, lazyEdgeRow } from "../rows/page-rows.js";
import type { AnyRow } from "../rows/row.js";
import type { ParentPiece } from "./checked-page.js";
import { type Problem, problem, type Severity } from "./finding.js";

/** The stored pieces that one refers to, each once. */
export function edgesOf({ index, node }: ParentPiece): Edge[] {
  const children = eagerEdges(index?.children.map(({ identifier }) => identifier.digest) ?? []);
  return node === undefined ? children : mergeEdges(children, edgesOfNode(node));
}

/** The identifiers by which a piece names others that are stored, or may be. */
export function identifiersOf({ index, node }: ParentPiece): ObjectIdentifier[] {
  return [
    ...(index?.children.map(({ identifier }) => identifier) ?? []),
    ...(node?.children.filter((child) => child !== undefined) ?? []),
    ...(node?.entries.map(({ value }) => value) ?? []),
  ].filter(({ digest }) => !isInline(digest));
}

/** A row of a reference, by its key. */
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

/** What a key says; undefined if it is none of a reference. */
export function parseEdge(key: Uint8Array): EdgeParts | undefined {
  const commit = commitEdgeRow.key.parse(key);
  if (commit !== undefined) return { row: commitEdgeRow, ...commit };
  for (const row of [eagerEdgeRow, lazyEdgeRow]) {
    const parts = row.key.parse(key);
    if (parts !== undefined) return { row, ...parts };
  }
  return undefined;
}

/** Where all rows of references lie: they begin alike. */
export const EDGE_ROWS = eagerEdgeRow.range();

/** A problem of a row of a reference. */
export function edgeProblem(severity: Severity, { row, ...parts }: EdgeParts, message: string): Problem {
  const kind: AnyRow = row;
  return problem(severity, kind, parts, message);
}
