/** A ledger: the pages of one program. */
import {
  checkOptions,
  illegalState,
  isFlag,
  isOneOf,
  Lifecycle,
  type OptionChecks,
  type PathOrUrl,
  toHex,
} from "merostore/internal";
import type { ConflictResolver } from "./merging/resolver.js";
import { Resolvers } from "./merging/resolver.js";
import type { Durability } from "./page/connection.js";
import type { Page } from "./page/page.js";
import { isValueForm, type PutValue, type ReadValue, type ValueForm, valuesIn } from "./page/value-codec.js";
import { PAGE_ID_SIZE, type PageId, pageIdBytes, randomPageId } from "./page-id.js";
import { type Place, pageNotFound } from "./places/browser.js";
import type { Repository } from "./repository/index.js";
import {
  checkedName,
  copiedOptions,
  isName,
  REPOSITORY_OPTIONS,
  type RepositoryOptions,
  settingsOf,
  sharedRepository,
} from "./repository-options.js";

/** Options of {@link openLedger}. */
export interface LedgerOptions extends RepositoryOptions {
  /** A text or bytes: 1 to 189 bytes, a text in UTF-8. */
  readonly name: string | Uint8Array;
}

/** Options of {@link Ledger.createPage}. */
export interface NewPageOptions<Form extends ValueForm = "bytes"> {
  /** The values of the connection: bytes unless given. It is not stored: all devices must open the page alike. */
  readonly values?: Form | undefined;
  /**
   * `immediate` unless given: a change settles when it is on disk, synced. With `eventual` it settles at once, and the
   * connection shows it at once. It is on disk about 25 ms later, in one commit with all changes of that time, so it
   * costs a fraction. A change is lost if the process is killed before that. If it cannot be stored, the next change,
   * {@link Page.flush} or the closing fails with its error. Transactions and streamed values are immediate.
   */
  readonly durability?: Durability | undefined;
}

/** Options of {@link Ledger.page}. */
export interface PageOptions<Form extends ValueForm = "bytes"> extends NewPageOptions<Form> {
  /** True to create a page that is not on this device; true unless given. */
  readonly create?: boolean | undefined;
}

/** When a page was used. */
export interface PageUse {
  /** The id of the page, 16 bytes. */
  readonly id: Uint8Array;
  /** When the page was closed, nanoseconds since the Unix epoch, UTC; undefined while it is open. */
  readonly closedAt: bigint | undefined;
}

/**
 * Opens a ledger in a repository: a folder with a database for each page, which is created if it is missing. A
 * repository can be open in one process at a time, and each of its ledgers once.
 *
 * @param place a folder, as a path or a `file:` URL, or the result of `memoryPlace()`
 * @throws MerostoreError INVALID_ARGUMENT for invalid options; ILLEGAL_STATE if this ledger is open in this process;
 * DATABASE_LOCKED if another process has the repository open; NOT_A_DATABASE if it is of the other engine;
 * NATIVE_LOAD_FAILED if the engine's package cannot be loaded
 * @example
 * await using ledger = await openLedger("data", { name: "contacts" });
 * await using page = await ledger.rootPage();
 * await page.put("name", "Alice");
 */
export async function openLedger(place: PathOrUrl | Place, options: LedgerOptions): Promise<Ledger> {
  checkOptions("openLedger", options, LEDGER_OPTIONS);
  const { name, ...given } = copiedOptions(options);
  const ledger = checkedName(name);
  return Ledger.open(await sharedRepository(place, given), ledger, given);
}

const LEDGER_OPTIONS: OptionChecks<LedgerOptions> = { ...REPOSITORY_OPTIONS, name: isName };

const NEW_PAGE_OPTIONS: OptionChecks<NewPageOptions<ValueForm>> = {
  values: isValueForm,
  durability: isOneOf(["immediate", "eventual"]),
};
const PAGE_OPTIONS: OptionChecks<PageOptions<ValueForm>> = { ...NEW_PAGE_OPTIONS, create: isFlag };

/**
 * The pages of one program in a repository: opened by {@link openLedger}, and open until it is closed. After that its
 * methods throw CLOSED.
 */
export class Ledger implements AsyncDisposable {
  /** The name of the ledger. {@link ledgerNameBytes} describes names that are not UTF-8. */
  readonly name: string;
  readonly #repository: Repository;
  readonly #resolvers: Resolvers;
  readonly #life: Lifecycle;
  /** @internal Called when the ledger is closed. For repositories. */
  onClose: () => void = () => undefined;

  private constructor(repository: Repository, name: string, resolvers: Resolvers) {
    this.name = name;
    this.#life = new Lifecycle(`ledger ${JSON.stringify(name)}`);
    this.#repository = repository;
    this.#resolvers = resolvers;
  }

  /** @internal Takes over a share of the repository. For {@link openLedger} and repositories. */
  static async open(repository: Repository, name: string, options: RepositoryOptions): Promise<Ledger> {
    const resolvers = new Resolvers();
    try {
      repository.addLedger(name, settingsOf(options, resolvers));
    } catch (error) {
      await repository.release();
      throw error;
    }
    return new Ledger(repository, name, resolvers);
  }

  /**
   * Opens a connection to a page.
   * @param id 16 bytes or 32 hex digits
   * @throws MerostoreError PAGE_NOT_FOUND if it is not on this device and `create` is false
   */
  page<Form extends ValueForm = "bytes">(
    id: PageId,
    options?: PageOptions<Form>,
  ): Promise<Page<ReadValue<Form>, PutValue<Form>>>;
  page(id: PageId, options?: PageOptions<ValueForm>): Promise<Page<unknown, unknown>> {
    return this.#life.run(async () => {
      checkOptions("page", options, PAGE_OPTIONS);
      const bytes = pageIdBytes(id);
      const { create = true, values, durability = "immediate" } = options ?? {};
      const settings = { values: valuesIn(values), durability };
      const page = await this.#repository.connect(this.name, bytes, create, settings);
      if (page === undefined) throw pageNotFound(this.name, bytes);
      return page;
    });
  }

  /** Opens a connection to the page whose id is 16 zero bytes. */
  rootPage<Form extends ValueForm = "bytes">(
    options?: PageOptions<Form>,
  ): Promise<Page<ReadValue<Form>, PutValue<Form>>> {
    return this.page(new Uint8Array(PAGE_ID_SIZE), options);
  }

  /** Creates a page with a random id, and opens a connection to it. */
  async createPage<Form extends ValueForm = "bytes">(
    options?: NewPageOptions<Form>,
  ): Promise<Page<ReadValue<Form>, PutValue<Form>>> {
    checkOptions("createPage", options, NEW_PAGE_OPTIONS);
    return this.page(randomPageId(), options);
  }

  /** Returns the ids of the pages on this device, ascending. */
  pages(): Promise<Uint8Array[]> {
    return this.#life.run(() => this.#repository.place.pages(this.name));
  }

  /** Returns when each page on this device was used. */
  usage(): Promise<PageUse[]> {
    return this.#life.run(async () => {
      const uses = await this.#repository.usage.pages();
      return uses
        .filter(({ ledger }) => ledger === this.name)
        .map(({ page, closedAt }) => ({ id: page, closedAt }));
    });
  }

  /**
   * Sets how conflicts are resolved from now on; the last one wins until the first call. The first of several resolvers
   * is used until it is removed, then the next one. A page that already has its policy keeps it until it is closed.
   *
   * @returns removes the resolver
   */
  setConflictResolver(resolver: ConflictResolver): () => void {
    this.#life.check();
    return this.#resolvers.add(resolver);
  }

  /**
   * Removes a page from this device if nothing is lost. The page must be closed. It must be completely in the cloud, or
   * empty, never in the cloud and without a history that is kept.
   *
   * @returns whether it was removed; false also for a page that is not on this device
   */
  evict(id: PageId): Promise<boolean> {
    return this.#life.run(async () =>
      this.#repository.eviction.tryEvict(this.name, pageIdBytes(id), "if-possible"),
    );
  }

  /**
   * Removes a page from this device, even if its contents are lost.
   * @throws MerostoreError ILLEGAL_STATE while it is in use; PAGE_NOT_FOUND
   */
  deletePage(id: PageId): Promise<void> {
    return this.#life.run(async () => {
      const bytes = pageIdBytes(id);
      if (!(await this.#repository.deletePage(this.name, bytes)))
        throw illegalState(`the page ${toHex(bytes)} is in use: close it first`);
    });
  }

  /**
   * Closes all connections and snapshots, and the databases. If closing one fails, the others are closed all the same.
   */
  close(): Promise<void> {
    return this.#life.close(async () => {
      try {
        await this.#repository.removeLedger(this.name);
      } finally {
        this.onClose();
        await this.#repository.release();
      }
    });
  }

  /** Closes the ledger and its pages. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
