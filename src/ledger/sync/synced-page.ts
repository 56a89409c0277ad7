/** A page as its cloud sees it. */
import { toHex } from "../../bytes/hex.js";
import type { WriteOperation } from "../../engine/engine.js";
import { MerostoreError } from "../../errors.js";
import { guarded } from "../listeners.js";
import type { ObjectIdentifier } from "../objects/identifier.js";
import { onlineRow, syncMetadataRow, unsyncedCommitRow } from "../rows/page-rows.js";
import { COLUMN } from "../rows/row.js";
import { type Commit, isFirst, readCommit } from "../storage/commit.js";
import type { PageStorage } from "../storage/page-storage.js";
import { damage } from "../tables/table-reader.js";
import { type CommitBytes, MissingCommits, type SyncedPage, type SyncSource } from "./cloud.js";
import { checkSource, type Fetcher } from "./fetcher.js";

/** What a {@link SyncedPage} is made of. */
export interface SyncedPageParts {
  readonly ledger: string;
  readonly id: Uint8Array;
  readonly storage: PageStorage;
  readonly fetcher: Fetcher;
}

export function syncedPage({ ledger, id, storage, fetcher }: SyncedPageParts): SyncedPage {
  const { commits, pieces, engine } = storage;
  const markOnline = (...operations: WriteOperation[]): Promise<void> =>
    storage.exclusively((write) => write([...operations, onlineRow.put({}, null)]));
  const markCommitSynced = (commit: Uint8Array): Promise<void> =>
    markOnline(unsyncedCommitRow.delete({ commit }));
  return {
    ledger,
    id,
    unsyncedCommits: async () =>
      (await commits.unsynced()).map((commit) => ({ id: commit.id, bytes: commit.bytes })),
    unsyncedPieces: () => pieces.withStatus("local"),
    async piece(identifier) {
      const content = await pieces.read(identifier.digest);
      if (content !== undefined) return content;
      const name = toHex(identifier.digest);
      const [status] = await pieces.statuses([identifier]);
      if (status !== undefined)
        throw damage(`the piece objects/${name} is missing, but it has the status ${status}`);
      throw new MerostoreError("NEEDS_FETCH", `the piece ${name} is not on this device`);
    },
    async addCommits(added, source) {
      checkSource(source);
      await addCommits(storage, fetcher, added, source, markCommitSynced);
      if (added.length > 0) await markOnline();
    },
    markCommitSynced,
    markPieceSynced: (identifier: ObjectIdentifier) =>
      storage.exclusively(async (write) => write(await pieces.raise([identifier], "synced"))),
    markSyncedToPeer: () => markOnline(),
    metadata: (key) => engine.get(COLUMN, syncMetadataRow.key.encode({ key })),
    setMetadata: (key, value) => storage.exclusively((write) => write([syncMetadataRow.put({ key }, value)])),
    onCommits: (listener) => {
      const told = guarded("the commits of a page", listener);
      return storage.onCommits(() => told());
    },
  };
}

async function addCommits(
  storage: PageStorage,
  fetcher: Fetcher,
  added: readonly CommitBytes[],
  source: SyncSource,
  markSynced: (id: Uint8Array) => Promise<void>,
): Promise<void> {
  const known = new Set<string>();
  const missing: Uint8Array[] = [];
  const fresh: Commit[] = [];
  for (const { id, bytes } of added) {
    if ((await storage.commits.find(id)) !== undefined) {
      if (source === "cloud") await markSynced(id);
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
  if (missing.length > 0) throw new MissingCommits(missing);
  for (const { root } of fresh) await fetcher.tree(root, source);
  await storage.addCommits(fresh, source === "cloud" ? "synced" : "local");
}
