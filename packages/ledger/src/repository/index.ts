/** A repository: the place, the open pages and the usage that its ledgers share in one process. */
import { illegalState, SerialQueue, toHex } from "merostore/internal";
import type { Resolvers } from "../merging/resolver.js";
import type { PageSettings } from "../page/connection.js";
import type { Page } from "../page/page.js";
import { type Place, pageNotFound } from "../places/browser.js";
import { isOnline, type PageState, readPageState, restartHistory } from "../storage/page-state.js";
import { PageStorage, type StorageOptions } from "../storage/page-storage.js";
import { type Cloud, type CloudConnection, checkConnection, noCloud } from "../sync/cloud.js";
import { Fetcher } from "../sync/fetcher.js";
import { JointSyncState } from "../sync/sync-states.js";
import { syncedPage } from "../sync/synced-page.js";
import { type EvictablePages, Eviction } from "./eviction.js";
import { PageManager } from "./page-manager.js";
import { PageSlot, unlessFull } from "./page-slot.js";
import { PageUsage } from "./page-usage.js";

export { type DamagedUsage, readUsage, type StoredUsage, type UsedPage } from "./page-usage.js";

/** Options of the pages of a ledger. */
export interface LedgerSettings {
  readonly resolvers: Resolvers;
  readonly cloud: Cloud | undefined;
  /** True if a page without entries stays on this device because of its history. */
  readonly keepsHistory: boolean;
  /** True if pages that were in a cloud are pruned too. */
  readonly prunesSynced: boolean;
  readonly storage: StorageOptions;
}

/** The open repositories of this process, by the name of the folder or by the place. */
const openRepositories = new Map<string | Place, Repository>();
/** Opening and closing repositories, one after another. */
const queue = new SerialQueue();

/** The state of a page that is in use: it must not be evicted. */
const IN_USE: PageState = { synced: false, online: true, empty: false };

export class Repository {
  readonly place: Place;
  readonly usage: PageUsage;
  readonly eviction: Eviction;
  /** The states of syncing all open pages together. */
  readonly syncState = new JointSyncState();
  readonly #forget: () => void;
  #users = 0;
  readonly #ledgers = new Map<string, LedgerSettings>();
  readonly #slots = new Map<string, PageSlot>();
  /** Pages without users that are being closed. */
  readonly #closing = new Set<Promise<void>>();

  private constructor(place: Place, usage: PageUsage, forget: () => void) {
    this.place = place;
    this.usage = usage;
    this.#forget = forget;
    const pages: EvictablePages = {
      state: (ledger, page) => this.#stateOf(ledger, page),
      delete: async (ledger, page) => {
        await this.deletePage(ledger, page);
      },
    };
    this.eviction = new Eviction(usage, pages);
  }

  /** Returns the repository of a place, and opens it for the first caller. Each caller must release it. */
  static share(name: string | Place, place: Place): Promise<Repository> {
    return queue.run(async () => {
      let repository = openRepositories.get(name);
      if (repository === undefined) {
        const usage = await PageUsage.open(await place.openUsage());
        repository = new Repository(place, usage, () => openRepositories.delete(name));
        openRepositories.set(name, repository);
      }
      repository.#users++;
      return repository;
    });
  }

  /** Removes one user. The last release closes the repository. */
  release(): Promise<void> {
    return queue.run(async () => {
      if (--this.#users > 0) return;
      this.#forget();
      await this.usage.close();
    });
  }

  /** @throws MerostoreError ILLEGAL_STATE if the ledger is open */
  addLedger(name: string, settings: LedgerSettings): void {
    if (this.#ledgers.has(name)) throw illegalState(`the ledger ${JSON.stringify(name)} is open already`);
    this.#ledgers.set(name, settings);
  }

  /** Closes all pages of a ledger, even if closing one fails. */
  async removeLedger(name: string): Promise<void> {
    const slots = [...this.#slots].filter(([key]) => key.startsWith(slotName(name, "")));
    const closed = await Promise.allSettled(slots.map(([, slot]) => slot.close()));
    await Promise.allSettled(this.#closing);
    for (const [key] of slots) this.#slots.delete(key);
    this.#ledgers.delete(name);
    for (const result of closed) if (result.status === "rejected") throw result.reason;
  }

  /** Opens a connection to a page; undefined if there is no such page and `create` is false. */
  connect(
    ledger: string,
    page: Uint8Array,
    create: boolean,
    settings: PageSettings<unknown, unknown>,
  ): Promise<Page<unknown, unknown> | undefined> {
    return this.#slot(ledger, page).connect(create, settings);
  }

  /**
   * Removes a page from this device. Returns false if the page is in use.
   * @throws MerostoreError PAGE_NOT_FOUND
   */
  async deletePage(ledger: string, page: Uint8Array): Promise<boolean> {
    const deleted = await this.#slot(ledger, page).whileClosed(async () => {
      await this.place.deletePage(ledger, page);
      await this.usage.remove(ledger, page);
      return true;
    });
    return deleted ?? false;
  }

  #slot(ledger: string, page: Uint8Array): PageSlot {
    const name = slotName(ledger, toHex(page));
    let slot = this.#slots.get(name);
    if (slot === undefined) {
      slot = new PageSlot(this.usage, ledger, page, (create) => this.#openPage(ledger, page, create));
      this.#slots.set(name, slot);
    }
    return slot;
  }

  async #openPage(ledger: string, page: Uint8Array, create: boolean): Promise<PageManager | undefined> {
    const settings = this.#ledgers.get(ledger);
    const engine = settings && (await this.place.openPage(ledger, page, { create }));
    if (settings === undefined || engine === undefined) return undefined;
    let cloud: CloudConnection = noCloud;
    try {
      if (settings.cloud !== undefined) await restartHistory(engine, settings.storage.keyIndex);
      // Pruning must not remove commits of a page that was in a cloud: commits in the cloud follow them, and the cloud
      // needs the commits that it does not have.
      const mustKeep = !settings.prunesSynced && (await isOnline(engine));
      const options = mustKeep ? { ...settings.storage, prune: false } : settings.storage;
      const storage = await PageStorage.open(engine, options);
      const fetcher = new Fetcher(storage, (identifier) => cloud.fetchPiece(identifier));
      if (settings.cloud !== undefined) storage.fetchTree = (root) => fetcher.tree(root, "cloud");
      const parts = { ledger, id: page, storage, fetcher };
      cloud = (await settings.cloud?.connect(syncedPage(parts))) ?? noCloud;
      checkConnection(cloud);
      const manager = new PageManager({
        id: page,
        storage,
        resolvers: settings.resolvers,
        fetcher,
        cloud,
        onUnused: () => this.#onUnused(ledger, page),
        onEnd: this.syncState.add(cloud),
      });
      // Without a cloud the heads are merged at once: before that, each connection would show its own side alone.
      if (cloud === noCloud) await manager.begun;
      return manager;
    } catch (error) {
      // The first error is reported.
      await (async () => cloud.close())().catch(() => undefined);
      await engine.close();
      throw error;
    }
  }

  /** Closes a page without users. Removes it at once if it is empty and was never in the cloud. */
  async #onUnused(ledger: string, page: Uint8Array): Promise<void> {
    const end = this.#slot(ledger, page)
      .closeUnused()
      .then(() => unlessFull(this.eviction.tryEvict(ledger, page, "if-empty")));
    this.#closing.add(end);
    try {
      await end;
    } finally {
      this.#closing.delete(end);
    }
  }

  async #stateOf(ledger: string, page: Uint8Array): Promise<PageState> {
    const state = await this.#slot(ledger, page).whileClosed(async () => {
      const engine = await this.place.openPage(ledger, page, { create: false });
      if (engine === undefined) throw pageNotFound(ledger, page);
      try {
        const { empty, hasHistory, ...others } = await readPageState(engine);
        // A ledger that is not open may keep its history.
        const keepsHistory = this.#ledgers.get(ledger)?.keepsHistory ?? true;
        return { ...others, empty: empty && !(keepsHistory && hasHistory) };
      } finally {
        await engine.close();
      }
    });
    return state ?? IN_USE;
  }
}

function slotName(ledger: string, page: string): string {
  return `${JSON.stringify(ledger)} ${page}`;
}
