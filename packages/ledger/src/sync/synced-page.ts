/** Implements the interface of a page for its cloud. */

import type { WriteOperation } from "merostore/engine";
import { copyBytes, invalidArgument, isBytes, MerostoreError, toHex } from "merostore/internal";
import { guarded } from "../callbacks.js";
import { copyIdentifier } from "../objects.js";
import { onlineRow, syncMetadataRow, unsyncedCommitRow } from "../rows/page-rows.js";
import { COLUMN } from "../rows/row.js";
import { type Commit, isFirst, readCommit } from "../storage/commit.js";
import type { PageStorage } from "../storage/page-storage.js";
import { damage } from "../tables/table-reader.js";
import { type CommitBytes, MissingCommits, type SyncedPage, type SyncSource } from "./cloud.js";
import { checkSource, type Fetcher } from "./fetcher.js";

/** The parts that a {@link SyncedPage} uses. */
export interface SyncedPageParts {
  readonly ledger: string;
  readonly id: Uint8Array;
  readonly storage: PageStorage;
  readonly fetcher: Fetcher;
}

/** Makes the interface of a page for its cloud. */
export function syncedPage({ ledger, id, storage, fetcher }: SyncedPageParts): SyncedPage {
  const { commits, pieces, engine } = storage;
  const markOnline = (operations: readonly WriteOperation[] = []): Promise<void> =>
    storage.writes.exclusively((write) => write([...operations, onlineRow.put({}, null)]));
  return {
    ledger,
    id: copyBytes(id),
    unsyncedCommits: async () => (await commits.unsynced()).map(copyCommit),
    async *syncedCommits() {
      for await (const commit of commits.synced()) yield copyCommit(commit);
    },
    async *unsyncedPieces() {
      const release = await storage.pauseCollection();
      try {
        yield* pieces.withStatus("local");
      } finally {
        release();
      }
    },
    async piece(wanted) {
      const identifier = copyIdentifier(wanted);
      const content = await pieces.read(identifier.digest);
      if (content !== undefined) return content;
      const name = toHex(identifier.digest);
      const [status] = await pieces.statuses([identifier]);
      if (status !== undefined)
        throw damage(`the piece objects/${name} is missing, but it has the status ${status}`);
      throw new MerostoreError("NEEDS_FETCH", `the piece ${name} is not on this device`);
    },
    async commit(id) {
      const found = await commits.find(bytesOf(id, "the id of a commit"));
      return found === undefined || isFirst(found.id) ? undefined : copyBytes(found.bytes);
    },
    async addCommits(added, source) {
      checkSource(source);
      const own = Array.from(added, copyCommit);
      // Fetched pieces must not be removed before the commits that refer to them are stored.
      const release = await storage.pauseCollection();
      try {
        await addCommits(storage, fetcher, own, source, markOnline);
      } finally {
        release();
      }
      if (own.length > 0) await markOnline();
    },
    async markSynced({ commits: ids = [], pieces: identifiers = [] }) {
      const uploaded = Array.from(ids, (commit) =>
        unsyncedCommitRow.delete({ commit: bytesOf(commit, "the id of a commit") }),
      );
      const raised = Array.from(identifiers, copyIdentifier);
      await storage.writes.exclusively(async (write) =>
        write([
          ...(await pieces.raise(raised, "synced")),
          ...uploaded,
          ...(uploaded.length > 0 ? [onlineRow.put({}, null)] : []),
        ]),
      );
    },
    markSyncedToPeer: () => markOnline(),
    syncEnded: (cloud) => storage.lastSyncs.ended(cloud),
    metadata: async (key) => engine.get(COLUMN, syncMetadataRow.key.encode({ key: bytesOf(key, "a key") })),
    async setMetadata(key, value) {
      const row = syncMetadataRow.put({ key: bytesOf(key, "a key") }, bytesOf(value, "a value"));
      await storage.writes.exclusively((write) => write([row]));
    },
    onCommits: (listener) => {
      const notify = guarded("the commits of a page", listener);
      return storage.heads.onCommits(() => notify());
    },
  };
}

/** Copies a commit. */
function copyCommit({ id, bytes }: CommitBytes): CommitBytes {
  return { id: bytesOf(id, "the id of a commit"), bytes: bytesOf(bytes, "a commit") };
}

function bytesOf(given: Uint8Array, what: string): Uint8Array {
  if (isBytes(given)) return copyBytes(given);
  throw invalidArgument(`${what} must be bytes`);
}

/** The commits that no other one of them follows. */
function newestOf(commits: readonly Commit[]): Commit[] {
  const followed = new Set(commits.flatMap(({ parents }) => parents.map(toHex)));
  return commits.filter(({ id }) => !followed.has(toHex(id)));
}

async function addCommits(
  storage: PageStorage,
  fetcher: Fetcher,
  added: readonly CommitBytes[],
  source: SyncSource,
  markOnline: (operations: readonly WriteOperation[]) => Promise<void>,
): Promise<void> {
  const known = new Set<string>();
  const uploaded: Commit[] = [];
  const missing: Uint8Array[] = [];
  const fresh: Commit[] = [];
  for (const { id, bytes } of added) {
    const stored = await storage.commits.find(id);
    if (stored !== undefined) {
      if (source === "cloud" && (await storage.commits.isUnsynced(id))) uploaded.push(stored);
      continue;
    }
    const commit = readCommit(id, bytes);
    for (const parent of commit.parents) {
      const isKnown = isFirst(parent) || known.has(toHex(parent)) || (await storage.commits.find(parent));
      if (!isKnown) missing.push(parent);
    }
    known.add(toHex(id));
    fresh.push(commit);
  }
  if (source === "cloud") await markTrees(storage, fetcher, [...uploaded, ...fresh]);
  if (uploaded.length > 0)
    await markOnline(uploaded.map(({ id }) => unsyncedCommitRow.delete({ commit: id })));
  if (missing.length > 0) throw new MissingCommits(missing);
  // Older states can be fetched from the cloud later. A peer may be the only one that has its states.
  for (const { root } of source === "cloud" ? newestOf(fresh) : fresh) await fetcher.tree(root, source);
  await storage.addCommits(fresh, source === "cloud" ? "synced" : "local");
}

/** Marks the trees of commits in the cloud that this device has made too: the same merge, or the same state. */
async function markTrees(storage: PageStorage, fetcher: Fetcher, commits: readonly Commit[]): Promise<void> {
  const statuses = await storage.pieces.statuses(commits.map(({ root }) => root));
  for (const [at, { root }] of commits.entries())
    if (statuses[at] === "local") await fetcher.tree(root, "cloud");
}
