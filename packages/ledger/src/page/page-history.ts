/** The history of a page: its commits that are on this device, and the differences between them. */
import { copyBytes, fromHex, invalidArgument, isBytes } from "merostore/internal";
import { copyIdentifier, type ObjectIdentifier } from "../objects.js";
import type { Commit } from "../storage/commit.js";
import { type WalkedCommit, walkCommits } from "../storage/commit-store.js";
import type { PageStorage } from "../storage/page-storage.js";
import { COMMIT_ID_SIZE } from "../tables/commit-table.js";
import type { Priority, TreeEntry } from "../tables/tree-node.js";
import { diffTrees } from "../tree/diff.js";
import type { NodeSource } from "../tree/iterate.js";
import { hasPrefix } from "./snapshot.js";

/** The id of a commit: 32 bytes, or their 64 hex digits. */
export type CommitId = Uint8Array | string;

/** A commit of a page: one state of all its entries. Its bytes are copies. */
export interface PageCommit {
  /** 32 bytes: a hash of the commit. 32 zero bytes for the first commit of every page, which is empty. */
  readonly id: Uint8Array;
  /** The commits on the longest way to the first commit, which has the generation 0. */
  readonly generation: bigint;
  /** When it was made, nanoseconds since the Unix epoch, UTC. A merge has the later time of its parents. */
  readonly timestamp: bigint;
  /** The ids of the commits that it follows, ascending: one, two of a merge, none of the first commit. */
  readonly parents: readonly Uint8Array[];
  /** The parents that were removed from this device. */
  readonly pruned: readonly Uint8Array[];
  /** True if no commit follows it. A page has several heads until they are merged. */
  readonly isHead: boolean;
  /** True if it was made on this device, or came from a peer, and is not in the cloud. */
  readonly isUnsynced: boolean;
}

/** The heads of a page, by (timestamp, id). */
export function headsOf(storage: PageStorage): Promise<PageCommit[]> {
  return storage.heads.withCommits((heads) =>
    Promise.all(
      heads.map(async (commit) => {
        const found = await Promise.all(commit.parents.map((id) => storage.commits.find(id)));
        const pruned = commit.parents.filter((_, at) => found[at] === undefined);
        return pageCommit(storage, { commit, pruned });
      }),
    ),
  );
}

/** The commits of a page that are on this device, newest first. */
export async function* historyOf(storage: PageStorage): AsyncGenerator<PageCommit, void, undefined> {
  const heads = await storage.heads.withCommits(async (commits) => commits);
  for await (const walked of walkCommits(storage.commits, heads)) yield pageCommit(storage, walked);
}

/**
 * Returns a copy of the bytes of an id.
 * @throws MerostoreError INVALID_ARGUMENT
 */
export function commitIdBytes(id: CommitId): Uint8Array {
  const bytes = typeof id === "string" && /^(?:[0-9a-f]{2})*$/i.test(id) ? fromHex(id) : id;
  if (isBytes(bytes) && bytes.length === COMMIT_ID_SIZE) return copyBytes(bytes);
  throw invalidArgument(`a commit id is ${COMMIT_ID_SIZE} bytes or their hex digits`);
}

async function pageCommit(storage: PageStorage, { commit, pruned }: WalkedCommit): Promise<PageCommit> {
  const { id, generation, timestamp, parents } = commit;
  return {
    id: copyBytes(id),
    generation,
    timestamp,
    parents: parents.map(copyBytes),
    pruned: pruned.map(copyBytes),
    isHead: storage.heads.has(id),
    isUnsynced: await storage.commits.isUnsynced(id),
  };
}

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

/**
 * Yields the keys with a prefix whose entries differ, ascending. The parts of the trees that both share are not read.
 */
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
