/** Commits: versions of a page, each with its parents. */
import { compareBigints, compareBytes, toHex } from "merostore/internal";
import { digestOf, type ObjectIdentifier, sha256WithLength } from "../objects.js";
import { timeAfter } from "../rows/object-parts.js";
import { COMMIT_ID_SIZE, type CommitContent, decodeCommit, encodeCommit } from "../tables/commit-table.js";
import { damage } from "../tables/table-reader.js";
import { EMPTY_NODE, encodeNode } from "../tables/tree-node.js";

/** A commit with its id: SHA-256 of its length and bytes. */
export interface Commit extends CommitContent {
  readonly id: Uint8Array;
  /** As stored; empty for the first commit. */
  readonly bytes: Uint8Array;
}

/** The id of the first commit of every page: 32 zero bytes. It has no row. */
export const FIRST_COMMIT_ID: Uint8Array = new Uint8Array(COMMIT_ID_SIZE);

/** Returns the root of an empty tree. It is inline, so it has no row. */
export function emptyRoot(keyIndex: number): ObjectIdentifier {
  return { keyIndex, digest: digestOf(encodeNode(EMPTY_NODE), "tree-node") };
}

/** Returns the first commit of every page. */
export function firstCommit(keyIndex: number): Commit {
  const content = { timestamp: 0n, generation: 0n, root: emptyRoot(keyIndex), parents: [] };
  return { ...content, id: FIRST_COMMIT_ID, bytes: new Uint8Array(0) };
}

/** Returns whether an id is the id of the first commit. */
export function isFirst(id: Uint8Array): boolean {
  return id.every((byte) => byte === 0);
}

/**
 * Makes a commit: after one parent with the time `now`, but later than the parent, or a merge of two with the time of
 * the later parent.
 */
export function newCommit(parents: readonly Commit[], root: ObjectIdentifier, now: bigint): Commit {
  const sorted = parents.toSorted((a, b) => compareBytes(a.id, b.id));
  const greatest = (of: (commit: Commit) => bigint): bigint =>
    sorted.map(of).reduce((a, b) => (a > b ? a : b), 0n);
  const latest = greatest(({ timestamp }) => timestamp);
  const content: CommitContent = {
    timestamp: sorted.length === 1 ? timeAfter(latest, now) : latest,
    generation: 1n + greatest(({ generation }) => generation),
    root,
    parents: sorted.map(({ id }) => id),
  };
  const bytes = encodeCommit(content);
  return { ...content, id: sha256WithLength(bytes), bytes };
}

/**
 * Decodes a stored commit.
 * @throws MerostoreError DATA_INTEGRITY_ERROR for bytes with another id, or that are not a commit
 */
export function readCommit(id: Uint8Array, bytes: Uint8Array): Commit {
  if (compareBytes(sha256WithLength(bytes), id) !== 0)
    throw damage(`the row commits/${toHex(id)} is damaged: its content has another id`);
  try {
    return { ...decodeCommit(bytes), id, bytes };
  } catch (cause) {
    throw damage(`the row commits/${toHex(id)} is damaged: ${(cause as Error).message}`, cause);
  }
}

/** Compares by (timestamp, id): the order of heads. */
export function byTime(a: Pick<Commit, "timestamp" | "id">, b: Pick<Commit, "timestamp" | "id">): number {
  return compareBigints(a.timestamp, b.timestamp) || compareBytes(a.id, b.id);
}

/** Compares by (generation, id): parents before their children. */
export function byGeneration(
  a: Pick<Commit, "generation" | "id">,
  b: Pick<Commit, "generation" | "id">,
): number {
  return compareBigints(a.generation, b.generation) || compareBytes(a.id, b.id);
}
