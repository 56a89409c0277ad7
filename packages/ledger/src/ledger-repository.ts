/** A repository: the ledgers that share a place, a cloud and a clock. */
import { checkOptions, Lifecycle, type PathOrUrl } from "merostore/internal";
import { checkCallback, type Watcher, watcherOf } from "./callbacks.js";
import { Ledger } from "./ledger.js";
import type { Place } from "./places/browser.js";
import type { Repository } from "./repository/index.js";
import {
  checkedName,
  copiedOptions,
  REPOSITORY_OPTIONS,
  type RepositoryOptions,
  sharedRepository,
} from "./repository-options.js";
import { type SyncListener, type SyncStates, SyncWatcherLoop, statesOf } from "./sync/sync-states.js";

/**
 * Opens a repository: a folder with a database for each page, which is created if it is missing. A repository can be
 * open in one process at a time.
 *
 * @param place a folder, or the result of `memoryPlace()`
 * @param options for all ledgers that are opened with the repository
 * @throws MerostoreError INVALID_ARGUMENT for invalid options; DATABASE_LOCKED if another process has the repository
 * open; NOT_A_DATABASE if it is of the other engine; NATIVE_LOAD_FAILED if the engine's package cannot be loaded
 * @example
 * await using repository = await openRepository("data");
 * await using ledger = await repository.ledger("contacts");
 * console.log(await repository.ledgers());
 */
export async function openRepository(
  place: PathOrUrl | Place,
  options?: RepositoryOptions,
): Promise<LedgerRepository> {
  checkOptions("openRepository", options, REPOSITORY_OPTIONS);
  const given = copiedOptions(options);
  const share = (): Promise<Repository> => sharedRepository(place, given);
  return new LedgerRepository(await share(), share, given);
}

/** A repository: opened by {@link openRepository}, and open until it is closed. After that its methods throw CLOSED. */
export class LedgerRepository implements AsyncDisposable {
  readonly #repository: Repository;
  readonly #share: () => Promise<Repository>;
  readonly #options: RepositoryOptions;
  readonly #life = new Lifecycle("repository");
  readonly #ledgers = new Set<Ledger>();
  readonly #watchers = new Set<SyncWatcherLoop>();

  /** @internal For {@link openRepository}. */
  constructor(repository: Repository, share: () => Promise<Repository>, options: RepositoryOptions) {
    this.#repository = repository;
    this.#share = share;
    this.#options = options;
  }

  /**
   * Opens a ledger of the repository. It is closed with the repository, if not before.
   *
   * @param name a text or bytes: 1 to 189 bytes, a text in UTF-8
   * @throws MerostoreError INVALID_ARGUMENT for such a name; ILLEGAL_STATE if this ledger is open in this process
   */
  ledger(name: string | Uint8Array): Promise<Ledger> {
    return this.#life.run(async () => {
      const checked = checkedName(name);
      const ledger = await Ledger.open(await this.#share(), checked, this.#options);
      this.#ledgers.add(ledger);
      ledger.onClose = () => this.#ledgers.delete(ledger);
      return ledger;
    });
  }

  /** Returns the names of the ledgers that have pages on this device, in the order of their bytes. */
  ledgers(): Promise<string[]> {
    return this.#life.run(() => this.#repository.place.ledgers());
  }

  /**
   * Cleans the disk up: removes one page from this device, of any ledger, open or not. It is the least recently used
   * page that is completely in the cloud, or that is empty and was never there; pages that are in use stay. Calls at
   * the same time have the same result.
   *
   * @returns whether a page was removed
   */
  cleanUp(): Promise<boolean> {
    return this.#life.run(() => this.#repository.eviction.cleanUp());
  }

  /**
   * The states of syncing all pages that this process has open in the repository. Each direction has the state of the
   * most urgent page: `error` before `in-progress` before `pending` before `idle`.
   */
  get syncState(): SyncStates {
    this.#life.check();
    return statesOf(this.#repository.syncState);
  }

  /**
   * Calls a listener with the states of syncing all open pages, as {@link Page.watchSyncState} does for one page.
   * Closing the repository closes the watcher.
   */
  watchSyncState(listener: SyncListener): Watcher {
    checkCallback("the listener of a watcher", listener);
    this.#life.check();
    const loop = new SyncWatcherLoop(this.#repository.syncState, listener);
    this.#watchers.add(loop);
    return watcherOf(loop, () => this.#watchers.delete(loop));
  }

  /**
   * Closes the ledgers that were opened with the repository, and the repository. If one fails, the others are closed
   * all the same.
   */
  close(): Promise<void> {
    return this.#life.close(async () => {
      for (const watcher of this.#watchers) watcher.close();
      const closed = await Promise.allSettled(Array.from(this.#ledgers, (ledger) => ledger.close()));
      await this.#repository.release();
      for (const result of closed) if (result.status === "rejected") throw result.reason;
    });
  }

  /** Closes the repository and its ledgers. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
