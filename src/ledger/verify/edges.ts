/** What stored pieces and commits refer to, and the rows that say so. */
import { isInline, type ObjectDigest } from "../objects/digest.js";
import type { ObjectIdentifier } from "../objects/identifier.js";
import { commitReferenceRow, eagerReferenceRow, lazyReferenceRow } from "../rows/page-rows.js";
import type { AnyRow } from "../rows/row.js";
import { eagerReferences, mergeReferences, nodeReferences, type Reference } from "../tree/references.js";
import type { NamingPiece } from "./checked-page.js";
import { type Problem, problem, type Severity } from "./finding.js";

/** The stored pieces that one refers to, each once. */
export function edgesOf({ index, node }: NamingPiece): Reference[] {
  const children = eagerReferences(index?.children.map(({ identifier }) => identifier.digest) ?? []);
  return node === undefined ? children : mergeReferences(children, nodeReferences(node));
}

/** The identifiers by which a piece names others that are stored, or may be. */
export function identifiersOf({ index, node }: NamingPiece): ObjectIdentifier[] {
  return [
    ...(index?.children.map(({ identifier }) => identifier) ?? []),
    ...(node?.children.filter((child) => child !== undefined) ?? []),
    ...(node?.entries.map(({ value }) => value) ?? []),
  ].filter(({ digest }) => !isInline(digest));
}

/** A row of a reference, by its key. */
export type ReferenceParts =
  | {
      readonly row: typeof commitReferenceRow;
      readonly destination: ObjectDigest;
      readonly commit: Uint8Array;
    }
  | {
      readonly row: typeof eagerReferenceRow | typeof lazyReferenceRow;
      readonly destination: ObjectDigest;
      readonly source: ObjectDigest;
    };

/** What a key says; undefined if it is none of a reference. */
export function referenceOf(key: Uint8Array): ReferenceParts | undefined {
  const commit = commitReferenceRow.key.parse(key);
  if (commit !== undefined) return { row: commitReferenceRow, ...commit };
  for (const row of [eagerReferenceRow, lazyReferenceRow]) {
    const parts = row.key.parse(key);
    if (parts !== undefined) return { row, ...parts };
  }
  return undefined;
}

/** Where all rows of references lie: they begin alike. */
export const REFERENCES = eagerReferenceRow.range();

/** A problem of a row of a reference. */
export function ofReference(severity: Severity, { row, ...parts }: ReferenceParts, message: string): Problem {
  const kind: AnyRow = row;
  return problem(severity, kind, parts, message);
}
