/** The difference between two commits of a page. */
import { copyBytes } from "merostore/internal";
import { copyIdentifier, type ObjectIdentifier } from "../objects/identifier.js";
import type { Commit } from "../storage/commit.js";
import type { PageStorage } from "../storage/page-storage.js";
import type { Priority, TreeEntry } from "../tables/tree-node.js";
import { diffTrees } from "../tree/diff.js";
import type { NodeSource } from "../tree/iterate.js";
import { hasPrefix } from "./snapshot.js";

/** The entry of a key in one of two commits. */
export interface EntryVersion {
  /** Names the value: the same bytes have the same digest. Up to 32 bytes are in the digest itself. */
  readonly value: ObjectIdentifier;
  /** `eager` if syncing fetches the value at once, `lazy` if only on demand. */
  readonly priority: Priority;
}

/** A key whose entries differ between two commits. */
export interface EntryDifference {
  /** At most 256 bytes. */
  readonly key: Uint8Array;
  /** The entry in the first commit; undefined if the key has none there, so that it was added. */
  readonly before: EntryVersion | undefined;
  /** The entry in the second commit; undefined if the key has none there, so that it was deleted. */
  readonly after: EntryVersion | undefined;
}

/** Yields the keys with a prefix whose entries differ, ascending. The parts of the trees that both share are not read. */
export async function* differencesOf(
  objects: NodeSource,
  before: Commit,
  after: Commit,
  prefix: Uint8Array = new Uint8Array(0),
): AsyncGenerator<EntryDifference, void, undefined> {
  for await (const difference of diffTrees(objects, before.root, after.root, prefix)) {
    if (!hasPrefix(difference.key, prefix)) return;
    const [one, other] = [difference.before, difference.after];
    yield { key: copyBytes(difference.key), before: one && versionOf(one), after: other && versionOf(other) };
  }
}

/**
 * {@link differencesOf} two commits, which stay on this device meanwhile.
 * @throws MerostoreError COMMIT_NOT_FOUND
 */
export async function* differencesOfCommits(
  storage: PageStorage,
  ids: readonly [Uint8Array, Uint8Array],
  prefix: Uint8Array,
): AsyncGenerator<EntryDifference, void, undefined> {
  const before = await storage.holdCommit(ids[0]);
  try {
    const after = await storage.holdCommit(ids[1]);
    try {
      yield* differencesOf(storage.objects, before.commit, after.commit, prefix);
    } finally {
      after.release();
    }
  } finally {
    before.release();
  }
}

function versionOf({ value, priority }: TreeEntry): EntryVersion {
  return { value: copyIdentifier(value), priority };
}
