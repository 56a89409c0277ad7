/** What the connections to a page in one process share: its storage, its merging, its snapshots. */
import { Merger } from "../merging/merger.js";
import type { Resolvers } from "../merging/resolver.js";
import type { Commit } from "../storage/commit.js";
import type { FetchPiece } from "../storage/object-reader.js";
import type { PageStorage } from "../storage/page-storage.js";
import type { EntryKey } from "./key.js";
import { Page } from "./page.js";
import { PageSnapshot } from "./snapshot.js";

/** Told when nobody uses a page any more. */
export type OnUnused = () => Promise<void>;

export class PageManager {
  readonly id: Uint8Array;
  readonly storage: PageStorage;
  readonly merger: Merger;
  readonly #fetch: FetchPiece;
  readonly #onUnused: OnUnused;
  readonly #pages = new Set<Page>();
  readonly #snapshots = new Set<PageSnapshot>();

  constructor(
    id: Uint8Array,
    storage: PageStorage,
    resolvers: Resolvers,
    fetch: FetchPiece,
    onUnused: OnUnused,
  ) {
    this.id = id;
    this.storage = storage;
    this.#fetch = fetch;
    this.#onUnused = onUnused;
    this.merger = new Merger(this, resolvers);
  }

  /** A new connection: it begins at the oldest head. */
  async connect(): Promise<Page> {
    return this.storage.withHeads(async ([head]) => {
      const page = new Page(this, head as Commit);
      this.#pages.add(page);
      return page;
    });
  }

  /** A snapshot of a commit, which is kept as long as it is open. */
  snapshot(commit: Commit, prefix: EntryKey = ""): PageSnapshot {
    const release = this.storage.liveCommits.hold(commit.id);
    const snapshot: PageSnapshot = new PageSnapshot(
      { objects: this.storage.objects, fetch: this.#fetch },
      commit,
      prefix,
      async () => {
        release();
        this.#snapshots.delete(snapshot);
        await this.#checkUse();
      },
    );
    this.#snapshots.add(snapshot);
    return snapshot;
  }

  /** A connection has ended. */
  async release(page: Page): Promise<void> {
    this.#pages.delete(page);
    await this.#checkUse();
  }

  /** Ends all connections and snapshots, and closes the database. */
  async close(): Promise<void> {
    await Promise.all(Array.from(this.#pages, (page) => page.close()));
    await Promise.all(Array.from(this.#snapshots, (snapshot) => snapshot.close()));
  }

  async #checkUse(): Promise<void> {
    if (this.#pages.size === 0 && this.#snapshots.size === 0) await this.#onUnused();
  }
}
