/**
 * A repository in the private file system of a browser. Its folders are the same as in a folder with RocksDB:
 *
 *     {folder}/page_usage_db.rocksdb                 when pages were used
 *     {folder}/35/ledgers/{ledger}/{page}/rocksdb    a page
 *
 * A database is there if its file CURRENT has content. That is written last and removed first.
 */
import type { Engine } from "merostore/engine";
import type { OriginFolder } from "merostore/engine/files";
import {
  checkOptions,
  compareBytes,
  invalidArgument,
  isFlag,
  isMerostoreError,
  type OptionChecks,
  SerialQueue,
  untilOriginIsFree,
} from "merostore/internal";
import {
  compareLedgers,
  ledgerFolder,
  ledgerOf,
  lockedPage,
  type Place,
  pageFolder,
  pageNotFound,
  pageOf,
  SERIALIZATION_VERSION,
} from "./place.js";

/** A folder of the private file system: the used part of a `FileSystemDirectoryHandle`. */
export interface OriginDirectory extends OriginFolder {
  /** Returns a folder in it; with `create`, an empty one if there is none. Rejects if there is none. */
  getDirectoryHandle(name: string, options?: { readonly create?: boolean }): Promise<OriginDirectory>;
  /** Removes a file, or a folder; with `recursive`, one that is not empty too. */
  removeEntry(name: string, options?: { readonly recursive?: boolean }): Promise<void>;
}

/** Options of {@link originPlace}. */
export interface OriginPlaceOptions {
  /** True to wait while another tab has the repository open, instead of failing. */
  readonly wait?: boolean | undefined;
}

const OPTIONS: OptionChecks<OriginPlaceOptions> = { wait: isFlag };
const USAGE = "page_usage_db.rocksdb";
const LEAF = "rocksdb";

/**
 * Returns the place of a ledger in the browser's private file system, for `openLedger` in a dedicated worker. One tab
 * has it open; in another one `openLedger` fails with DATABASE_LOCKED after three seconds, or waits until the first is
 * closed.
 *
 * @param folder a folder of that file system
 * @throws MerostoreError INVALID_ARGUMENT
 * @example
 *     const root = await navigator.storage.getDirectory();
 *     const folder = await root.getDirectoryHandle("data", { create: true });
 *     await using ledger = await openLedger(originPlace(folder), { name: "contacts" });
 */
export function originPlace(folder: OriginDirectory, options?: OriginPlaceOptions): Place {
  checkOptions("originPlace", options, OPTIONS);
  if (typeof (folder as Partial<OriginDirectory> | undefined)?.getDirectoryHandle !== "function")
    throw invalidArgument("the folder of a place must be one of the browser's private file system");
  return new OriginPlace(folder, options?.wait === true);
}

class OriginPlace implements Place {
  /** Undefined if nobody waits. */
  readonly untilFree: (() => Promise<void>) | undefined;
  readonly #root: OriginDirectory;
  /** Opening and deleting pages. */
  readonly #queue = new SerialQueue();
  /** The pages that were opened, by their paths. */
  readonly #opened = new Map<string, Engine>();

  constructor(root: OriginDirectory, waits: boolean) {
    this.#root = root;
    this.untilFree = waits
      ? async () => untilOriginIsFree(await root.getDirectoryHandle(USAGE, { create: true }))
      : undefined;
  }

  async openUsage(): Promise<Engine> {
    const folder = await this.#root.getDirectoryHandle(USAGE, { create: true });
    if (await isDatabase(folder)) return open(folder);
    try {
      return await create(folder);
    } catch (error) {
      // Another tab has created and closed it meanwhile.
      if (isMerostoreError(error, "DATABASE_EXISTS")) return open(folder);
      throw error;
    }
  }

  async ledgers(): Promise<string[]> {
    const ledgers: string[] = [];
    for (const name of await namesIn(await this.#ledgers())) {
      const ledger = ledgerOf(name);
      if (ledger !== undefined && (await this.pages(ledger)).length > 0) ledgers.push(ledger);
    }
    return ledgers.sort(compareLedgers);
  }

  async pages(ledger: string): Promise<Uint8Array[]> {
    const pages: Uint8Array[] = [];
    const folder = await find(await this.#ledgers(), ledgerFolder(ledger));
    for (const name of await namesIn(folder)) {
      const page = pageOf(name);
      if (page !== undefined && (await isDatabase(await find(folder, name, LEAF)))) pages.push(page);
    }
    return pages.sort(compareBytes);
  }

  openPage(
    ledger: string,
    page: Uint8Array,
    { create: mayCreate }: { readonly create: boolean },
  ): Promise<Engine | undefined> {
    const names = [ledgerFolder(ledger), pageFolder(page)] as const;
    const path = names.join("/");
    return this.#queue.run(async () => {
      if (this.#opened.get(path)?.isClosed === false) throw lockedPage(page);
      const found = await find(await this.#ledgers(), ...names, LEAF);
      const isThere = await isDatabase(found);
      if (!isThere && !mayCreate) return undefined;
      const engine =
        isThere && found !== undefined ? await open(found) : await create(await this.#emptyFolder(...names));
      this.#opened.set(path, engine);
      return engine;
    });
  }

  async deletePage(ledger: string, page: Uint8Array): Promise<void> {
    const [ofLedger, ofPage] = [ledgerFolder(ledger), pageFolder(page)];
    return this.#queue.run(async () => {
      const parent = await find(await this.#ledgers(), ofLedger);
      const leaf = await find(parent, ofPage, LEAF);
      if (parent === undefined || leaf === undefined || !(await isDatabase(leaf)))
        throw pageNotFound(ledger, page);
      if (this.#opened.get(`${ofLedger}/${ofPage}`)?.isClosed === false) throw lockedPage(page);
      await leaf.removeEntry("CURRENT");
      await parent.removeEntry(ofPage, { recursive: true });
    });
  }

  #ledgers(): Promise<OriginDirectory | undefined> {
    return find(this.#root, SERIALIZATION_VERSION, "ledgers");
  }

  /** Makes an empty folder for a page's database: removes the rest of an interrupted creation or deletion. */
  async #emptyFolder(ledger: string, page: string): Promise<OriginDirectory> {
    let folder = this.#root;
    for (const name of [SERIALIZATION_VERSION, "ledgers", ledger])
      folder = await folder.getDirectoryHandle(name, { create: true });
    if ((await find(folder, page)) !== undefined) await folder.removeEntry(page, { recursive: true });
    const made = await folder.getDirectoryHandle(page, { create: true });
    return made.getDirectoryHandle(LEAF, { create: true });
  }
}

async function open(folder: OriginDirectory): Promise<Engine> {
  const { openOriginFolder } = await import("merostore/engine/files");
  return openOriginFolder(folder, { acceptLogLoss: "unfinished" });
}

async function create(folder: OriginDirectory): Promise<Engine> {
  const { openOriginFolder } = await import("merostore/engine/files");
  return openOriginFolder(folder, { create: true, columns: [] });
}

/** Returns the folder on a path; undefined if it is missing. */
async function find(
  from: OriginDirectory | undefined,
  ...path: readonly string[]
): Promise<OriginDirectory | undefined> {
  let folder = from;
  for (const name of path) folder = folder && (await ifFound(folder.getDirectoryHandle(name)));
  return folder;
}

async function namesIn(folder: OriginDirectory | undefined): Promise<string[]> {
  const names: string[] = [];
  if (folder !== undefined) for await (const name of folder.keys()) names.push(name);
  return names;
}

async function isDatabase(folder: OriginDirectory | undefined): Promise<boolean> {
  const current = folder && (await ifFound(folder.getFileHandle("CURRENT")));
  return current !== undefined && (await current.getFile()).size > 0;
}

/** Undefined for a file or folder that is missing. */
async function ifFound<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && error.name === "NotFoundError") return undefined;
    throw error;
  }
}
