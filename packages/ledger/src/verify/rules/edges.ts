/** Rows of edges: exactly the edges of the stored pieces and commits. Other rules read them too. */
import { equalBytes, type Severity } from "merostore/internal";
import { isInline, type ObjectDigest, type ObjectIdentifier } from "../../objects.js";
import { edgesOf } from "../../pieces/edges.js";
import { commitEdgeRow, eagerEdgeRow, lazyEdgeRow, objectRow } from "../../rows/page-rows.js";
import type { AnyRow } from "../../rows/row.js";
import { edgeRow } from "../../storage/piece-store.js";
import type { CheckedPage, ParentPiece } from "../checked-page.js";
import { type PageRule, type Problem, problem, RESTORE } from "../finding.js";

export const edges: PageRule = {
  name: "edges",
  severity: "error",
  says: "The rows of edges are exactly the edges of stored tree nodes, indexes and commits.",
  means: "Garbage collection may remove data that is in use, or keep data that is not.",
  advice: RESTORE,
  async *check(page) {
    let expected = 0;
    for await (const batch of page.parentPieces())
      for (const piece of batch) {
        const edges = edgesOf(piece.index, piece.node).map((edge) => {
          const parts = { destination: edge.digest, source: piece.digest };
          return { row: edgeRow(edge), parts };
        });
        expected += yield* missing(page, edges, "the piece refers to the other, and this row is missing");
      }
    for await (const batch of page.commits()) {
      const roots = batch.filter(({ root }) => !isInline(root.digest));
      const edges = roots.map(({ id, root }) => {
        return { row: commitEdgeRow, parts: { destination: root.digest, commit: id } };
      });
      expected += yield* missing(page, edges, "the commit has this root, and this row is missing");
    }
    let stored = 0;
    for await (const rows of page.batches(EDGE_ROWS, true))
      stored += rows.filter(({ key }) => parseEdge(key) !== undefined).length;
    if (stored > expected) yield* surplus(page);
  },
};

/** The row that an edge should have. */
interface ExpectedRow {
  readonly row: AnyRow;
  readonly parts: Readonly<Record<string, unknown>>;
}

/** Reports edges without rows. @returns the number of edges with rows */
async function* missing(
  page: CheckedPage,
  edges: readonly ExpectedRow[],
  message: string,
): AsyncGenerator<Problem, number, undefined> {
  page.count(edges.length);
  const there = await page.present(edges.map(({ row, parts }) => row.key.encode(parts)));
  for (const [at, { row, parts }] of edges.entries())
    if (!there[at]) yield problem("error", row, parts, message);
  return there.filter(Boolean).length;
}

/** Reports rows without edges. */
async function* surplus(page: CheckedPage): AsyncGenerator<Problem, void, undefined> {
  for await (const rows of page.batches(EDGE_ROWS, true))
    for (const { key } of rows) {
      const edge = parseEdge(key);
      const message = edge && (await whySurplus(page, edge));
      if (edge !== undefined && message !== undefined) yield edgeProblem("error", edge, message);
    }
}

async function whySurplus(page: CheckedPage, edge: EdgeParts): Promise<string | undefined> {
  const { destination } = edge;
  if ("commit" in edge) {
    const commit = await page.commit(edge.commit);
    if (commit === "damaged") return undefined;
    if (commit === undefined) return "a commit that is not there refers to a piece";
    return equalBytes(commit.root.digest, destination) ? undefined : "the commit has another root";
  }
  const piece = await page.parentPiece(edge.source);
  if (piece !== undefined) {
    const isEdge = edgesOf(piece.index, piece.node).some(
      (found) => edgeRow(found) === edge.row && equalBytes(found.digest, destination),
    );
    return isEdge ? undefined : "the piece does not refer to the other";
  }
  const [isThere] = await page.present([objectRow.key.encode({ digest: edge.source })]);
  if (!isThere) return "a piece that is not there refers to another";
  // Other rules check damaged pieces and nodes with missing pieces.
  return namesNothing(edge.source) ? "a chunk of a value refers to a piece" : undefined;
}

function namesNothing([type]: Uint8Array): boolean {
  return type === 0;
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
