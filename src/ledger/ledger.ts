/** A ledger: the pages of one program. */
import { resolve } from "node:path";
import { toHex } from "../bytes/hex.js";
import { Lifecycle } from "../engine/lifecycle.js";
import { MerostoreError } from "../errors.js";
import {
  checkOptions,
  describeValue,
  isFlag,
  isFunction,
  isOneOf,
  isText,
  isWholeNumber,
  type OptionCheck,
  type OptionChecks,
} from "../options.js";
import type { ConflictResolver } from "./merging/resolver.js";
import { Resolvers } from "./merging/resolver.js";
import type { Page } from "./page/page.js";
import { PAGE_ID_SIZE, type PageId, pageIdBytes, randomPageId } from "./page-id.js";
import type { Permutation, RollingHash } from "./pieces/rolling-hash.js";
import { folderEngines, folderPlace, ledgerFolder, type Place, pageNotFound } from "./places/index.js";
import { Repository } from "./repository/index.js";
import { type Clock, checkedClock } from "./rows/timestamp.js";
import type { CollectionPolicy } from "./storage/background-collector.js";
import type { Cloud } from "./sync/cloud.js";

/** How {@link openLedger} opens a ledger. */
export interface LedgerOptions {
  /** A non-empty text of at most 189 bytes in UTF-8. */
  readonly name: string;
  /** The engine of the pages in a folder: LevelDB by default. With either engine, a commit survives a power failure. */
  readonly engine?: "leveldb" | "rocksdb" | undefined;
  /**
   * How values and tree nodes are cut into pieces: `V3` by default. Open a ledger with the same one each time: another one
   * gives the same contents other ids. All content stays readable.
   */
  readonly rollingHash?: RollingHash | undefined;
  /** Changes where values are cut, so that others cannot predict it. Open a ledger with the same one each time. */
  readonly permutation?: Permutation | undefined;
  /** The number of the encryption key that identifiers name, a u32: 1 unless given. Nothing is encrypted here. */
  readonly keyIndex?: number | undefined;
  /** Which pieces are removed once nothing refers to them: `eager-live-references` unless given, all of them. */
  readonly garbageCollection?: CollectionPolicy | undefined;
  /**
   * Which old commits stay on this device. `prune` removes those before the newest common ancestor of all commits in use, and
   * what only they refer to; it is the default without a cloud. `keep` removes none: each put then leaves behind what it has
   * replaced, some 70 kB in a page of ten thousand entries (docs/ledger.md). With a cloud only `keep` is possible. Open a ledger
   * with the same one each time: one opening with `prune` removes the history.
   */
  readonly history?: "prune" | "keep" | undefined;
  /** Where pages are synced to, see {@link folderCloud}. */
  readonly cloud?: Cloud | undefined;
  /** The clock of commits: the clock of the system unless given. */
  readonly clock?: Clock | undefined;
}

/** How {@link Ledger.page} opens a page. */
export interface PageOptions {
  /** Whether to create a page that is not on this device; true unless given. */
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
 * Opens a ledger in a repository: a folder with a database for each page, which is created if it is missing. A repository can
 * be open in one process at a time, and each of its ledgers once.
 *
 * @param place a folder, or the result of {@link memoryPlace}
 * @throws MerostoreError INVALID_ARGUMENT for invalid options; ILLEGAL_STATE if this ledger is open in this process;
 * DATABASE_LOCKED if another process has the repository open; NOT_A_DATABASE if it is of the other engine;
 * NATIVE_LOAD_FAILED if the engine's package cannot be loaded
 * @example
 * await using ledger = await openLedger("data", { name: "contacts" });
 * await using page = await ledger.rootPage();
 * await page.put("name", "Alice");
 */
export async function openLedger(place: string | Place, options: LedgerOptions): Promise<Ledger> {
  checkOptions("openLedger", options, LEDGER_OPTIONS);
  const given = { ...options }; // the caller may change its object while the repository opens
  const { name, engine = "leveldb", cloud, history } = given;
  if (cloud !== undefined && history === "prune")
    throw new MerostoreError(
      "INVALID_ARGUMENT",
      'a ledger with a cloud keeps its history: leave out history: "prune"',
    );
  ledgerFolder(name);
  checkPlace(place);
  // With the engine in its name: one of another engine is not shared, but refused by the place.
  const repository =
    typeof place === "string"
      ? await Repository.share(`${engine} ${resolve(place)}`, folderPlace(place, engine))
      : await Repository.share(place, place);
  return Ledger.open(repository, given);
}

const LEDGER_OPTIONS: OptionChecks<LedgerOptions> = {
  name: isText,
  engine: isOneOf(Object.keys(folderEngines)),
  rollingHash: isOneOf(["V1", "V2", "V3"]),
  permutation: isFunction,
  keyIndex: isWholeNumber(0, 0xffff_ffff),
  garbageCollection: isOneOf(["never", "eager-root-nodes", "eager-live-references"]),
  history: isOneOf(["prune", "keep"]),
  cloud: has<Cloud>(["connect"]),
  clock: isFunction,
};

const PAGE_OPTIONS: OptionChecks<PageOptions> = { create: isFlag };

const isPlace = has<Place>(["openUsage", "ledgers", "pages", "openPage", "deletePage"]);

function checkPlace(place: string | Place): void {
  if ((typeof place === "string" && place !== "") || isPlace(place) === undefined) return;
  const found = describeValue(place);
  throw new MerostoreError(
    "INVALID_ARGUMENT",
    `the place of a ledger must be the path of a folder, or memoryPlace(), not ${found}`,
  );
}

/** Checks an option that is an object with these methods. */
function has<T>(methods: readonly (string & keyof T)[]): OptionCheck {
  return (value) =>
    methods.every((name) => typeof (value as Partial<T> | null | undefined)?.[name] === "function")
      ? undefined
      : `an object with the methods ${methods.join(", ")}`;
}

/**
 * The pages of one program in a repository: opened by {@link openLedger}, and open until it is closed. After that its
 * methods throw CLOSED.
 */
export class Ledger implements AsyncDisposable {
  /** The name that the ledger was opened with. */
  readonly name: string;
  readonly #repository: Repository;
  readonly #resolvers: Resolvers;
  readonly #life: Lifecycle;

  private constructor(repository: Repository, name: string, resolvers: Resolvers) {
    this.name = name;
    this.#life = new Lifecycle(`ledger ${JSON.stringify(name)}`);
    this.#repository = repository;
    this.#resolvers = resolvers;
  }

  /** @internal For {@link openLedger}. */
  static async open(repository: Repository, options: LedgerOptions): Promise<Ledger> {
    const { name, rollingHash = "V3", keyIndex = 1, garbageCollection = "eager-live-references" } = options;
    const { cloud, clock, permutation, history = cloud === undefined ? "prune" : "keep" } = options;
    const resolvers = new Resolvers();
    try {
      repository.addLedger(name, {
        resolvers,
        cloud,
        keepsHistory: options.history === "keep",
        storage: {
          rollingHash,
          permutation,
          keyIndex,
          clock: clock && checkedClock(clock),
          prune: history === "prune",
          collection: garbageCollection,
        },
      });
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
  page(id: PageId, options?: PageOptions): Promise<Page> {
    return this.#life.run(async () => {
      checkOptions("page", options, PAGE_OPTIONS);
      const bytes = pageIdBytes(id);
      const { create = true } = options ?? {};
      const page = await this.#repository.connect(this.name, bytes, create);
      if (page === undefined) throw pageNotFound(this.name, bytes);
      return page;
    });
  }

  /** Opens a connection to the page whose id is 16 zero bytes. */
  rootPage(options?: PageOptions): Promise<Page> {
    return this.page(new Uint8Array(PAGE_ID_SIZE), options);
  }

  /** Creates a page with a random id, and opens a connection to it. */
  createPage(): Promise<Page> {
    return this.page(randomPageId());
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
   * Sets how conflicts are resolved from now on; last one wins until the first call. Of several resolvers the first one is used
   * until it is removed, then the next one. A page that already has its policy keeps it until it is closed.
   *
   * @returns removes the resolver
   */
  setConflictResolver(resolver: ConflictResolver): () => void {
    this.#life.check();
    return this.#resolvers.add(resolver);
  }

  /**
   * Removes one page of the repository from this device: the least recently used page that is completely in the cloud, or that
   * is empty and was never there. A page whose history is kept is not empty.
   *
   * @returns whether a page was removed
   */
  cleanUp(): Promise<boolean> {
    return this.#life.run(() => this.#repository.eviction.cleanUp());
  }

  /**
   * Removes a page from this device if nothing is lost: it is closed, and it is completely in the cloud, or empty and never was
   * there, without a history that is kept.
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
        throw new MerostoreError("ILLEGAL_STATE", `the page ${toHex(bytes)} is in use: close it first`);
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
        await this.#repository.release();
      }
    });
  }

  /** Closes the ledger and its pages. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
