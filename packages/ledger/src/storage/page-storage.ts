/** A page's database: the owner of the objects that read, write and clean it. */

import type { Engine } from "merostore/engine";
import { MerostoreError, toHex } from "merostore/internal";
import type { ObjectIdentifier } from "../objects.js";
import type { SplitOptions } from "../pieces/splitter.js";
import type { Clock } from "../rows/object-parts.js";
import type { PieceStatus } from "../rows/page-rows.js";
import type { TreeEntry } from "../tables/tree-node.js";
import { findEntry } from "../tree/iterate.js";
import { BackgroundCollector, type CollectionPolicy, type HeldCommit } from "./background-collector.js";
import type { Commit } from "./commit.js";
import { CommitStore } from "./commit-store.js";
import { Committer } from "./committer.js";
import { Heads } from "./heads.js";
import { Holds, type Release } from "./holds.js";
import type { ChangeSet } from "./journal.js";
import { ObjectReader } from "./object-reader.js";
import { isOnlyInCloud, LastSyncs, onlyInCloud } from "./page-state.js";
import { PieceStore } from "./piece-store.js";
import { ValueStore } from "./value-store.js";
import { WriteQueue } from "./write-queue.js";

export interface StorageOptions extends SplitOptions {
  readonly clock?: Clock | undefined;
  /** True if commits that nobody needs are removed as soon as they have descendants. */
  readonly prune: boolean;
  readonly collection: CollectionPolicy;
}

/** The content of a page that is read before the storage can be used. */
interface LoadedPage {
  readonly commits: CommitStore;
  readonly commitHolds: Holds;
  readonly heads: Heads;
}

export class PageStorage {
  readonly engine: Engine;
  readonly options: StorageOptions;
  readonly pieces: PieceStore;
  readonly objects: ObjectReader;
  readonly commits: CommitStore;
  readonly heads: Heads;
  readonly values: ValueStore;
  readonly writes: WriteQueue;
  readonly lastSyncs: LastSyncs;
  /** Commits that snapshots, transactions and merges use. */
  readonly commitHolds: Holds;
  /** Objects that somebody uses and no commit has yet. */
  readonly objectHolds = new Holds();
  /** Fetches a tree from the cloud, if there is one. */
  fetchTree: ((root: ObjectIdentifier) => Promise<void>) | undefined;
  /** The number of trees that are being fetched. */
  #fetching = 0;
  readonly #committer: Committer;
  readonly #collector: BackgroundCollector;

  private constructor(engine: Engine, options: StorageOptions, { commits, commitHolds, heads }: LoadedPage) {
    this.engine = engine;
    this.options = options;
    this.commits = commits;
    this.commitHolds = commitHolds;
    this.heads = heads;
    this.pieces = new PieceStore(engine);
    this.objects = new ObjectReader(this.pieces);
    this.writes = new WriteQueue(engine);
    this.lastSyncs = new LastSyncs(engine, this.writes);
    this.#collector = new BackgroundCollector(this);
    this.#committer = new Committer(this, () => this.#collector.pruning());
    this.values = new ValueStore(this, (digests) => this.#collector.discard(digests));
  }

  /**
   * Opens the storage of a page's database. A new page gets its first head. Rows that earlier processes left and nobody
   * needs are removed in the background.
   *
   * @throws MerostoreError DATA_INTEGRITY_ERROR if the page has rows, but no head
   */
  static async open(engine: Engine, options: StorageOptions): Promise<PageStorage> {
    const commits = new CommitStore(engine, options.keyIndex);
    const commitHolds = new Holds();
    const heads = await Heads.load(engine, commits, commitHolds);
    return new PageStorage(engine, options, { commits, commitHolds, heads });
  }

  /**
   * Makes the tree of a commit readable: an older commit comes from the cloud without it.
   * @throws MerostoreError NETWORK_ERROR
   */
  async needTree(commit: Commit): Promise<void> {
    // The tree of a merge that is not stored is in memory.
    if (this.pieces.staged.has(toHex(commit.root.digest))) return;
    if (!(await isOnlyInCloud(this.engine, commit))) return;
    if (this.fetchTree === undefined) throw onlyInCloud(commit);
    const release = await this.pauseCollection();
    this.#fetching++;
    try {
      await this.fetchTree(commit.root);
    } finally {
      this.#fetching--;
      release();
    }
  }

  /** True while a tree comes from the cloud. */
  get isFetching(): boolean {
    return this.#fetching > 0;
  }

  /** Returns the entry of a commit at a key. */
  entry({ root }: Commit, key: Uint8Array): Promise<TreeEntry | undefined> {
    return findEntry(this.objects, root, key);
  }

  /**
   * Makes and stores a commit: after one parent, or a merge of two. After a large one, removes about as many rows as it
   * has written, if so many can be removed.
   *
   * @param changes of the first parent's tree
   * @param earlier a time that the commit must follow, beside the time of the parent
   * @returns undefined if nothing would change; never for a merge
   */
  async commit(
    parents: readonly [Commit] | readonly [Commit, Commit],
    changes: ChangeSet,
    earlier?: bigint,
  ): Promise<Commit | undefined> {
    const written = await this.#committer.commit(parents, changes, earlier);
    if (written === undefined) return undefined;
    await this.#collector.afterCommits(1, written.operations);
    return written.commit;
  }

  /**
   * Stores commits whose pieces are stored already, parents first, in one batch.
   *
   * @throws MerostoreError COMMIT_NOT_FOUND for a missing parent; then no commit is stored
   */
  async addCommits(commits: readonly Commit[], source: PieceStatus): Promise<void> {
    await this.#committer.addCommits(commits, source);
    await this.#collector.afterCommits(commits.length, 0);
  }

  /** Removes all rows that can be removed now. For tests: the background does the same. */
  collectGarbage(): Promise<void> {
    return this.#collector.collectAll();
  }

  /**
   * Holds a commit of the page, which may be an old one, with its tree.
   * @throws MerostoreError NETWORK_ERROR if the cloud has the tree and cannot be reached; COMMIT_NOT_FOUND if it was
   * removed, or never was on this device
   */
  async holdCommit(id: Uint8Array): Promise<HeldCommit> {
    const held = await this.#collector.hold(id);
    if (held !== undefined) {
      try {
        await this.needTree(held.commit);
        return held;
      } catch (error) {
        held.release();
        throw error;
      }
    }
    const why = this.options.prune
      ? 'was removed because no newer state needs it, or never was there; a ledger that is opened with history: "keep" removes none'
      : "never was there, or was removed while the ledger was open without its history being kept";
    throw new MerostoreError("COMMIT_NOT_FOUND", `the commit ${toHex(id)} is not on this device: it ${why}`);
  }

  /** Stops removing rows until the release, for work with pieces that nothing refers to yet. */
  pauseCollection(): Promise<Release> {
    return this.#collector.pause();
  }

  /** Waits for the writes, then closes the database. The next opening removes the remaining rows. */
  async close(): Promise<void> {
    await this.#collector.close();
    await this.writes.idle();
    await this.engine.close();
  }
}
