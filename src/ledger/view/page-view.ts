/** A page as it is on disk, for looking at it: nothing is marked, removed or merged. */
import { toHex } from "../../bytes/hex.js";
import { equalBytes } from "../../bytes/order.js";
import type { ByteRange, Engine } from "../../engine/engine.js";
import { onlineRow, statusRows, unsyncedCommitRow } from "../rows/page-rows.js";
import { COLUMN } from "../rows/row.js";
import { byGeneration, type Commit, emptyRoot, FIRST_COMMIT_ID } from "../storage/commit.js";
import { CommitStore, type Head } from "../storage/commit-store.js";
import { ObjectReader } from "../storage/object-reader.js";
import { PieceStore } from "../storage/piece-store.js";
import { damage } from "../tables/table-reader.js";

/** A commit of the history, and how it stands in it. */
export interface HistoryCommit {
  readonly commit: Commit;
  readonly isHead: boolean;
  readonly isUnsynced: boolean;
  /** Those of its parents that are on this device no more, and all before them. */
  readonly pruned: readonly Uint8Array[];
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
   * By (timestamp, id): a connection to the page would begin at the first.
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

  /** Whether it has no entries, and only one head. */
  async isEmpty(): Promise<boolean> {
    const [head, ...others] = await this.heads();
    const empty = emptyRoot(KEY_INDEX).digest;
    return head !== undefined && others.length === 0 && equalBytes(head.root.digest, empty);
  }

  /** Whether all of it is in the cloud. */
  async isSynced(): Promise<boolean> {
    return !(await this.#any(unsyncedCommitRow.range())) && !(await this.#any(statusRows.local.range()));
  }

  /** Whether it was in the cloud or at a peer once. */
  async isOnline(): Promise<boolean> {
    return (await this.engine.get(COLUMN, onlineRow.key.encode({}))) !== undefined;
  }

  /** The commits that are on this device, newest first. Of the graph only its breadth is in memory. */
  async *history(): AsyncGenerator<HistoryCommit, void, undefined> {
    const heads = await this.heads();
    const isHead = new Set(heads.map(({ id }) => toHex(id)));
    const open = new Map(heads.map((commit) => [toHex(commit.id), commit]));
    while (open.size > 0) {
      const commit = [...open.values()].reduce((a, b) => (byGeneration(a, b) > 0 ? a : b));
      open.delete(toHex(commit.id));
      const pruned: Uint8Array[] = [];
      for (const id of commit.parents) {
        const parent = await this.commits.find(id);
        if (parent === undefined) pruned.push(id);
        else open.set(toHex(id), parent);
      }
      const isUnsynced = await this.commits.isUnsynced(commit.id);
      yield { commit, isHead: isHead.has(toHex(commit.id)), isUnsynced, pruned };
    }
  }

  close(): Promise<void> {
    return this.engine.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #any(range: ByteRange): Promise<boolean> {
    for await (const _ of this.engine.scan(COLUMN, range, { keysOnly: true, limit: 1 })) return true;
    return false;
  }
}
