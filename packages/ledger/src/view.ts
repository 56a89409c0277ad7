/** Reads repositories and pages on disk: creates, marks, removes and merges nothing. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Engine } from "merostore/engine";
import { contentOf, MerostoreError, realPath, toHex } from "merostore/internal";
import type { MergedPage } from "./merging/conflict.js";
import { Views } from "./merging/views.js";
import { PageSnapshot } from "./page/snapshot.js";
import { ValueReferences } from "./page/value.js";
import { BYTES } from "./page/value-codec.js";
import {
  type FolderEngineName,
  folderEngines,
  folderPlace,
  ledgerFolder,
  type Place,
  pageFolder,
  pageNotFound,
  SERIALIZATION_VERSION,
} from "./places/index.js";
import { readUsage, type StoredUsage } from "./repository/index.js";
import type { Commit } from "./storage/commit.js";
import { CommitStore, type WalkedCommit, walkCommits } from "./storage/commit-store.js";
import { ObjectReader } from "./storage/object-reader.js";
import {
  ANY_KEY,
  isOnlyInCloud,
  type LastSync,
  type PageState,
  readLastSync,
  readPageState,
} from "./storage/page-state.js";
import { PageStorage, type StorageOptions } from "./storage/page-storage.js";
import { PieceStore } from "./storage/piece-store.js";

/** Options for reading a page without a change. */
const READING: StorageOptions = {
  rollingHash: "V3",
  keyIndex: ANY_KEY,
  prune: false,
  collection: "never",
};

/** A commit of the history. */
export interface HistoryCommit extends WalkedCommit {
  readonly isHead: boolean;
  /** True if the commit was made on this device and is not in the cloud. */
  readonly isUnsynced: boolean;
}

export class PageView implements AsyncDisposable {
  readonly engine: Engine;
  readonly commits: CommitStore;
  readonly objects: ObjectReader;

  constructor(engine: Engine) {
    this.engine = engine;
    this.commits = new CommitStore(engine, ANY_KEY);
    this.objects = new ObjectReader(new PieceStore(engine));
  }

  /**
   * Reads the commits of the heads, by (timestamp, id).
   * @throws MerostoreError DATA_INTEGRITY_ERROR for a page that has rows and no head
   */
  heads(): Promise<Commit[]> {
    return this.commits.headCommits();
  }

  /** Returns the head where a connection to the page would begin. */
  shownHead(heads: readonly Commit[]): Promise<Commit> {
    return this.commits.shownHead(heads);
  }

  /** Reads the share of the page that others have. */
  state(): Promise<PageState> {
    return readPageState(this.engine);
  }

  /** Returns the last complete sync. */
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
  snapshot(commit: Commit, objects = this.objects): PageSnapshot {
    const fetch = (): Promise<never> =>
      Promise.reject(new MerostoreError("NETWORK_ERROR", "there is no cloud"));
    const source = { objects, fetch };
    return new PageSnapshot(source, commit, new Uint8Array(0), BYTES.decode, async () => undefined);
  }

  /**
   * Opens a snapshot of the merge of several heads, in which the last one wins. The merge is in memory only. Undefined
   * for a page with one head, and if only the cloud has a state that the merge needs.
   */
  async mergedSnapshot(): Promise<PageSnapshot | undefined> {
    // The storage of a page with a head writes nothing by itself without pruning and collection.
    if ((await this.heads()).length < 2) return undefined;
    const storage = await PageStorage.open(this.engine, READING);
    const page: MergedPage = {
      storage,
      references: new ValueReferences(),
      snapshot: (commit) => this.snapshot(commit, storage.objects),
      onPolicy: () => undefined,
    };
    return new Views(page).use(
      storage.heads.all,
      { policy: "last-one-wins" },
      (view) => view && page.snapshot(view.commit),
    );
  }

  close(): Promise<void> {
    return this.engine.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Engines of repositories, by their names. */
export const engineNames = Object.keys(folderEngines) as readonly FolderEngineName[];

export class RepositoryView implements Pick<Place, "ledgers" | "pages"> {
  readonly engine: FolderEngineName;
  readonly #folder: string;
  readonly #place: Place;

  private constructor(folder: string, engine: FolderEngineName) {
    this.#folder = realPath(folder);
    this.engine = engine;
    this.#place = folderPlace(folder, engine);
  }

  /**
   * Opens the repository in a folder. Detects its engine.
   *
   * @param engine the engine that it must have; any unless given
   * @throws MerostoreError DATABASE_NOT_FOUND, NOT_A_DATABASE
   */
  static at(folder: string, engine?: FolderEngineName): RepositoryView {
    if (contentOf(folder) === "missing")
      throw new MerostoreError("DATABASE_NOT_FOUND", `there is no folder ${folder}`);
    const found = engineNames.filter(
      (name) => contentOf(join(folder, folderEngines[name].usage)) === "database",
    );
    const wanted = engine ?? found[0];
    if (wanted !== undefined && found.includes(wanted)) return new RepositoryView(folder, wanted);
    const [other] = found;
    const why =
      other === undefined ? "it has no page_usage_db" : `its engine is ${folderEngines[other].title}`;
    const what = engine === undefined ? "repository" : `${folderEngines[engine].title} repository`;
    throw new MerostoreError("NOT_A_DATABASE", `${folder} is not a ${what} of ledgers: ${why}`);
  }

  ledgers(): Promise<string[]> {
    return this.#place.ledgers();
  }

  pages(ledger: string): Promise<Uint8Array[]> {
    return this.#place.pages(ledger);
  }

  /**
   * Opens a page. It must not be open elsewhere.
   * @throws MerostoreError PAGE_NOT_FOUND, DATABASE_LOCKED
   */
  async page(ledger: string, page: Uint8Array): Promise<PageView> {
    const engine = await this.#place.openPage(ledger, page, { create: false });
    if (engine === undefined) throw pageNotFound(ledger, page);
    return new PageView(engine);
  }

  /** Returns the size of the files of a page in bytes. */
  async size(ledger: string, page: Uint8Array): Promise<number> {
    const folder = join(
      this.#folder,
      SERIALIZATION_VERSION,
      "ledgers",
      ledgerFolder(ledger),
      pageFolder(page),
    );
    let bytes = 0;
    for (const name of await readdir(folder, { recursive: true })) {
      const found = await stat(join(folder, name));
      if (found.isFile()) bytes += found.size;
    }
    return bytes;
  }

  /** Opens the usage database. No ledger of the repository may be open. */
  openUsage(): Promise<Engine> {
    const { open, usage } = folderEngines[this.engine];
    return open(join(this.#folder, usage));
  }

  /** Reads when pages were used, in the order of the names of the ledgers. */
  async usage(): Promise<StoredUsage> {
    await using engine = await this.openUsage();
    return await readUsage(engine);
  }
}
