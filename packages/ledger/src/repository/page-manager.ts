/** Owns an open page: its storage, its merging, its cloud connection, its connections and snapshots. */
import { equalBytes } from "merostore/internal";
import { Merger } from "../merging/merger.js";
import type { Resolvers } from "../merging/resolver.js";
import type { ObjectIdentifier } from "../objects.js";
import type { PageSettings } from "../page/connection.js";
import { Page } from "../page/page.js";
import type { ReadTransaction, SharedPage } from "../page/shared-page.js";
import { PageSnapshot } from "../page/snapshot.js";
import { ValueReferences } from "../page/value.js";
import { BYTES, type DecodeValue } from "../page/value-codec.js";
import type { Commit } from "../storage/commit.js";
import type { Head } from "../storage/commit-store.js";
import type { ChangeSet } from "../storage/journal.js";
import type { PageStorage } from "../storage/page-storage.js";
import type { CloudConnection } from "../sync/cloud.js";
import type { Fetcher } from "../sync/fetcher.js";

/** The parts that a {@link PageManager} owns. */
export interface PageParts {
  readonly id: Uint8Array;
  readonly storage: PageStorage;
  readonly resolvers: Resolvers;
  readonly fetcher: Fetcher;
  readonly cloud: CloudConnection;
  /** Called when the last connection or snapshot is closed. */
  onUnused(): Promise<void>;
  /** Called when syncing has stopped. */
  onEnd(): void;
}

export class PageManager implements SharedPage {
  readonly id: Uint8Array;
  readonly storage: PageStorage;
  readonly cloud: CloudConnection;
  readonly references = new ValueReferences();
  readonly #merger: Merger;
  readonly #fetcher: Fetcher;
  readonly #onUnused: () => Promise<void>;
  readonly #onEnd: () => void;
  readonly #pages = new Set<Page<unknown, unknown>>();
  readonly #snapshots = new Set<PageSnapshot<unknown>>();

  constructor({ id, storage, resolvers, fetcher, cloud, onUnused, onEnd }: PageParts) {
    this.id = id;
    this.storage = storage;
    this.cloud = cloud;
    this.#fetcher = fetcher;
    this.#onUnused = onUnused;
    this.#onEnd = onEnd;
    this.#merger = new Merger(id, this, resolvers, cloud);
  }

  /** True if a connection or a snapshot is open. */
  get isUsed(): boolean {
    return this.#pages.size > 0 || this.#snapshots.size > 0;
  }

  /** Opens a connection. It begins at the head that the page shows. */
  async connect(settings: PageSettings<unknown, unknown>): Promise<Page<unknown, unknown>> {
    const { heads } = this.storage;
    const page = await heads.withCommits(async (commits) => {
      const head = commits.find(({ id }) => equalBytes(id, heads.shown.id));
      // The connection would miss commits that were made while the heads were read.
      if (head === undefined) return undefined;
      const made = new Page(this, head, settings);
      this.#pages.add(made);
      return made;
    });
    return page ?? this.connect(settings);
  }

  /** Opens a snapshot for the program. The page stays open until the snapshot is closed. */
  openSnapshot<Value>(
    commit: Commit,
    prefix: Uint8Array,
    decode: DecodeValue<Value>,
    transaction?: ReadTransaction,
  ): PageSnapshot<Value> {
    const sets = [this.#snapshots, transaction?.opened];
    const onClose = async (): Promise<void> => {
      for (const set of sets) set?.delete(snapshot);
      await this.#checkUse();
    };
    const snapshot = this.#snapshot(commit, prefix, decode, onClose, transaction?.changes);
    for (const set of sets) set?.add(snapshot);
    return snapshot;
  }

  snapshot(commit: Commit): PageSnapshot {
    return this.#snapshot(commit, new Uint8Array(0), BYTES.decode, async () => undefined);
  }

  /** Opens a snapshot of a commit, which is held until the snapshot is closed. */
  #snapshot<Value>(
    commit: Commit,
    prefix: Uint8Array,
    decode: DecodeValue<Value>,
    onClose: () => Promise<void>,
    changes?: ChangeSet,
  ): PageSnapshot<Value> {
    const release = this.storage.commitHolds.hold(commit.id);
    const source = {
      objects: this.storage.objects,
      fetch: (piece: ObjectIdentifier) => this.#fetcher.piece(piece),
    };
    const close = (): Promise<void> => {
      release();
      return onClose();
    };
    return new PageSnapshot(source, commit, prefix, decode, close, changes);
  }

  /** Settles when the heads of the opening are merged, or when their merge waits for the program or the cloud. */
  get begun(): Promise<void> {
    return this.#merger.begun;
  }

  checkNotResolving(): void {
    this.#merger.checkNotResolving();
  }

  shown<T>(own: Commit, heads: readonly Head[], use: (commit: Commit) => T): Promise<T> {
    return this.#merger.shown(own, heads, use);
  }

  onPolicy(): void {
    for (const page of this.#pages) page.onPolicy();
  }

  parentOf(own: Commit, heads: readonly Head[], changes: ChangeSet): Promise<Commit> {
    return this.#merger.parentOf(own, heads, changes);
  }

  /** Settles when the page has one head. */
  waitForConflictResolution(): Promise<"no-conflicts" | "conflicts-resolved"> {
    return this.#merger.idle();
  }

  /** Must be called when a connection is closed. */
  async release(page: Page<unknown, unknown>): Promise<void> {
    this.#pages.delete(page);
    await this.#checkUse();
  }

  /** Closes all connections and snapshots. */
  async close(): Promise<void> {
    const closings = await Promise.allSettled(Array.from(this.#pages, (page) => page.close()));
    await Promise.all(Array.from(this.#snapshots, (snapshot) => snapshot.close()));
    for (const closing of closings) if (closing.status === "rejected") throw closing.reason;
  }

  /** Stops merging and syncing, then closes the database. */
  async end(): Promise<void> {
    try {
      await this.#merger.close();
      await this.cloud.close();
      await this.#merger.ended;
    } finally {
      this.#onEnd();
      await this.storage.close();
    }
  }

  async #checkUse(): Promise<void> {
    if (!this.isUsed) await this.#onUnused();
  }
}
