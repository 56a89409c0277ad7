/** Reads a page on disk: marks, removes and merges nothing. */
import type { ByteRange, Engine } from "merostore/engine";
import { MerostoreError, toHex } from "merostore/internal";
import { PageSnapshot } from "../page/snapshot.js";
import { BYTES } from "../page/value-codec.js";
import { statusRows, unsyncedCommitRow } from "../rows/page-rows.js";
import { COLUMN } from "../rows/row.js";
import { type Commit, FIRST_COMMIT_ID } from "../storage/commit.js";
import { CommitStore, type Head, type WalkedCommit, walkCommits } from "../storage/commit-store.js";
import { type LastSync, readLastSync } from "../storage/last-sync.js";
import { ObjectReader } from "../storage/object-reader.js";
import { isEmpty, isOnline, isOnlyInCloud } from "../storage/page-state.js";
import { PieceStore } from "../storage/piece-store.js";
import { damage } from "../tables/table-reader.js";

/** A commit of the history. */
export interface HistoryCommit extends WalkedCommit {
  readonly isHead: boolean;
  /** True if the commit was made on this device and is not in the cloud. */
  readonly isUnsynced: boolean;
}

/** The number of the encryption key in the root of the first commit, which is stored nowhere. */
const KEY_INDEX = 1;

export class PageView implements AsyncDisposable {
  readonly engine: Engine;
  readonly commits: CommitStore;
  readonly objects: ObjectReader;

  constructor(engine: Engine) {
    this.engine = engine;
    this.commits = new CommitStore(engine, KEY_INDEX);
    this.objects = new ObjectReader(new PieceStore(engine));
  }

  /**
   * Reads the commits of the heads, by (timestamp, id). A connection to the page would begin at the first one.
   * @throws MerostoreError DATA_INTEGRITY_ERROR for a page that has rows and no head
   */
  async heads(): Promise<Commit[]> {
    const heads: Head[] = await this.commits.heads();
    if (heads.length === 0) {
      if (await this.#any({})) throw damage("the page has rows, and none of them is a head");
      heads.push({ id: FIRST_COMMIT_ID, timestamp: 0n });
    }
    return Promise.all(heads.map((head) => this.commits.ofHead(head)));
  }

  /** Returns whether the page has one head, and no entries. */
  async isEmpty(): Promise<boolean> {
    return isEmpty(await this.heads());
  }

  /** Returns whether all commits and pieces are in the cloud. */
  async isSynced(): Promise<boolean> {
    return !(await this.#any(unsyncedCommitRow.range())) && !(await this.#any(statusRows.local.range()));
  }

  /** Returns whether the page was in the cloud or at a peer once. */
  isOnline(): Promise<boolean> {
    return isOnline(this.engine);
  }

  /** Returns the last sync that was complete. */
  lastSync(): Promise<LastSync | undefined> {
    return readLastSync(this.engine);
  }

  /** Returns whether the entries of a commit are only in the cloud: an older commit comes without them. */
  isOnlyInCloud(commit: Commit): Promise<boolean> {
    return isOnlyInCloud(this.engine, commit);
  }

  /** Yields the commits that are on this device, newest first. Memory grows with the number of branches only. */
  async *history(): AsyncGenerator<HistoryCommit, void, undefined> {
    const heads = await this.heads();
    const isHead = new Set(heads.map(({ id }) => toHex(id)));
    for await (const { commit, pruned } of walkCommits(this.commits, heads)) {
      const isUnsynced = await this.commits.isUnsynced(commit.id);
      yield { commit, isHead: isHead.has(toHex(commit.id)), isUnsynced, pruned };
    }
  }

  /** Opens a snapshot of a commit, for as long as this is open. It fetches nothing. */
  snapshot(commit: Commit): PageSnapshot {
    const fetch = (): Promise<never> =>
      Promise.reject(new MerostoreError("NETWORK_ERROR", "there is no cloud"));
    const source = { objects: this.objects, fetch };
    return new PageSnapshot(source, commit, new Uint8Array(0), BYTES.decode, async () => undefined);
  }

  close(): Promise<void> {
    return this.engine.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #any(range: ByteRange): Promise<boolean> {
    for await (const _ of this.engine.scan(COLUMN, range, { limit: 1 }).keys()) return true;
    return false;
  }
}
