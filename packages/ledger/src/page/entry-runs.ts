/** Runs of entries of a tree: with the changes of a transaction, which no commit has yet, and cut into chunks. */
import { compareBytes, equalBytes, firstNotBefore } from "merostore/internal";
import { type ObjectIdentifier, pieceType } from "../objects.js";
import type { ChangeSet } from "../storage/journal.js";
import type { TreeEntry } from "../tables/tree-node.js";
import type { EntryChange } from "../tree/apply.js";
import { findEntry, type NodeSource } from "../tree/iterate.js";

/** No changes. */
export const UNCHANGED: ChangeSet = { clear: false, changes: [], pieces: [] };

/** Finds the entry with a key: a changed one, or that of the tree. */
export async function findChanged(
  source: NodeSource,
  root: ObjectIdentifier,
  { clear, changes }: ChangeSet,
  key: Uint8Array,
): Promise<TreeEntry | undefined> {
  const at = firstNotBefore(
    changes.length,
    (index) => compareBytes((changes[index] as EntryChange).key, key) < 0,
  );
  const change = changes[at];
  if (change !== undefined && equalBytes(change.key, key)) return change.entry;
  return clear ? undefined : findEntry(source, root, key);
}

/**
 * Yields runs of entries with changes in them.
 * @param changes in the order of the runs
 */
export async function* withChanges(
  runs: AsyncIterable<readonly TreeEntry[]> | readonly [],
  changes: readonly EntryChange[],
  reverse: boolean,
): AsyncGenerator<readonly TreeEntry[], void, undefined> {
  let at = 0;
  for await (const run of runs) {
    const merged: TreeEntry[] = [];
    for (const entry of run) {
      let isReplaced = false;
      for (let change = changes[at]; change !== undefined; change = changes[++at]) {
        const order = compareBytes(change.key, entry.key);
        if (reverse ? order < 0 : order > 0) break;
        if (change.entry !== undefined) merged.push(change.entry);
        if (order === 0) isReplaced = true;
      }
      if (!isReplaced) merged.push(entry);
    }
    if (merged.length > 0) yield merged;
  }
  const rest = changes.slice(at).flatMap(({ entry }) => (entry === undefined ? [] : [entry]));
  if (rest.length > 0) yield rest;
}

/** The most entries whose values are read at once. */
const CHUNK_ENTRIES = 256;

/** Cuts runs of entries into chunks. A value of several pieces may be of any size: it is a chunk of its own. */
export async function* chunksOf(
  runs: AsyncIterable<readonly TreeEntry[]>,
): AsyncGenerator<readonly TreeEntry[], void, undefined> {
  for await (const run of runs)
    for (let at = 0; at < run.length; ) {
      const large = run.findIndex((entry, index) => index >= at && isSplit(entry));
      const end = large === at ? at + 1 : Math.min(at + CHUNK_ENTRIES, large < 0 ? run.length : large);
      yield run.slice(at, end);
      at = end;
    }
}

/** Returns whether the value of an entry has several pieces. */
export function isSplit({ value }: TreeEntry): boolean {
  return pieceType(value.digest) === "index";
}
