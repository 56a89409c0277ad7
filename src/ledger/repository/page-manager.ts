/** What the connections to a page in one process share: its storage, its merging, its snapshots. */
import { Merger } from "../merging/merger.js";
import type { Resolvers } from "../merging/resolver.js";
import type { ObjectIdentifier } from "../objects/identifier.js";
import { Page } from "../page/page.js";
import { PageSnapshot } from "../page/snapshot.js";
import { ValueReferences } from "../page/value-reference.js";
import type { Commit } from "../storage/commit.js";
import type { PageStorage } from "../storage/page-storage.js";
import type { CloudConnection } from "../sync/cloud.js";
import type { Fetcher } from "../sync/fetcher.js";

/** What a page is made of. */
export interface PageParts {
  readonly id: Uint8Array;
  readonly storage: PageStorage;
  readonly resolvers: Resolvers;
  readonly fetcher: Fetcher;
  readonly cloud: CloudConnection;
  /** Called when the last connection or snapshot has ended. */
  onUnused(): Promise<void>;
}

export class PageManager {
  readonly id: Uint8Array;
  readonly storage: PageStorage;
  readonly cloud: CloudConnection;
  readonly merger: Merger;
  readonly references = new ValueReferences();
  readonly #fetcher: Fetcher;
  readonly #onUnused: () => Promise<void>;
  readonly #pages = new Set<Page>();
  readonly #snapshots = new Set<PageSnapshot>();

  constructor({ id, storage, resolvers, fetcher, cloud, onUnused }: PageParts) {
    this.id = id;
    this.storage = storage;
    this.cloud = cloud;
    this.#fetcher = fetcher;
    this.#onUnused = onUnused;
    this.merger = new Merger(this, resolvers);
  }

  get isUsed(): boolean {
    return this.#pages.size > 0 || this.#snapshots.size > 0;
  }

  /** A new connection: it begins at the oldest head. */
  async connect(): Promise<Page> {
    const page = await this.storage.heads.withCommits(async ([head]) => {
      // What was committed while the head was read would be missed.
      if (head === undefined || !this.storage.heads.has(head.id)) return undefined;
      const made = new Page(this, head);
      this.#pages.add(made);
      return made;
    });
    return page ?? this.connect();
  }

  /** A snapshot for a program: the page stays open as long as it is. */
  openSnapshot(commit: Commit, prefix: Uint8Array): PageSnapshot {
    const snapshot = this.snapshot(commit, prefix, async () => {
      this.#snapshots.delete(snapshot);
      await this.#checkUse();
    });
    this.#snapshots.add(snapshot);
    return snapshot;
  }

  /** A snapshot of a commit, which is kept as long as it is open. */
  snapshot(
    commit: Commit,
    prefix: Uint8Array = new Uint8Array(0),
    onClose: () => Promise<void> = async () => undefined,
  ): PageSnapshot {
    const release = this.storage.commitHolds.hold(commit.id);
    const source = {
      objects: this.storage.objects,
      fetch: (piece: ObjectIdentifier) => this.#fetcher.piece(piece),
    };
    return new PageSnapshot(source, commit, prefix, () => {
      release();
      return onClose();
    });
  }

  /** A connection has ended. */
  async release(page: Page): Promise<void> {
    this.#pages.delete(page);
    await this.#checkUse();
  }

  /** Ends all connections and snapshots. */
  async close(): Promise<void> {
    await Promise.all(Array.from(this.#pages, (page) => page.close()));
    await Promise.all(Array.from(this.#snapshots, (snapshot) => snapshot.close()));
  }

  /** Waits for what goes on, then closes the database. */
  async end(): Promise<void> {
    try {
      await this.merger.close();
      await this.cloud.close();
    } finally {
      await this.storage.close();
    }
  }

  async #checkUse(): Promise<void> {
    if (!this.isUsed) await this.#onUnused();
  }
}
