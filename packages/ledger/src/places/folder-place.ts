/**
 * A repository in a folder:
 *
 *     {folder}/page_usage_db                                            when pages were used
 *     {folder}/staging                                                  files that are being created
 *     {folder}/35/name                                                  16 random bytes, created once
 *     {folder}/35/ledgers/{ledger}/{page}/leveldb                       a page
 *     {folder}/35/ledgers/{ledger}/staging                              pages that are being created or removed
 *
 * 35 is the serialization version: another version would have another folder. The name of a ledger and the id of a page
 * are in base64url with padding, so the file system must be case-sensitive. With RocksDB the folders of databases are
 * named `page_usage_db.rocksdb` and `rocksdb`, so neither engine opens a database of the other.
 */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Engine } from "merostore/engine";
import {
  compareBytes,
  contentOf,
  type ErrorCode,
  folderPath,
  invalidArgument,
  isLocation,
  isMerostoreError,
  MerostoreError,
  type PathOrUrl,
  realPath,
  SerialQueue,
  syncFolder,
  withMessage,
} from "merostore/internal";
import { pageIdBytes } from "../page-id.js";
import { IdleEngine, OpenDatabases } from "./idle-engine.js";
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
import { Staging } from "./staging.js";

/** Engines of repositories on disk. */
export type FolderEngineName = "leveldb" | "rocksdb";

/** The names of the databases of one engine, and the functions that create and open them. */
export interface FolderEngine {
  /** The name of the engine in errors. */
  readonly title: string;
  /** The folder of a database within the folder of its page. */
  readonly leaf: string;
  /** The folder of the usage database within the folder of the repository. */
  readonly usage: string;
  /** The most databases with open files: together some 700 files, because many systems permit 1,024. */
  readonly mostOpen: number;
  /** Creates an empty database in a missing folder. */
  create(path: string): Promise<Engine>;
  /**
   * Opens a database. The last write of a log may be incomplete because the process ended during it: that write never
   * succeeded. All other damage is an error.
   *
   * @param acceptDamage whether to open a database with other damage in a log too
   */
  open(path: string, acceptDamage?: boolean): Promise<Engine>;
}

/** The engines by their names. */
export const folderEngines: Readonly<Record<FolderEngineName, FolderEngine>> = {
  leveldb: {
    title: "LevelDB",
    leaf: "leveldb",
    usage: "page_usage_db",
    mostOpen: 128,
    async create(path) {
      const { openLevelEngine } = await import("merostore/engine");
      return openLevelEngine(path, { create: true });
    },
    async open(path, acceptDamage = false) {
      const { openLevelEngine } = await import("merostore/engine");
      return openLevelEngine(path, { writable: true, acceptLogLoss: acceptDamage || "unfinished" });
    },
  },
  rocksdb: {
    title: "RocksDB",
    leaf: "rocksdb",
    usage: "page_usage_db.rocksdb",
    mostOpen: 64,
    async create(path) {
      const { openRocksEngine } = await import("merostore/engine");
      return openRocksEngine(path, { create: true, columns: [] });
    },
    async open(path, acceptDamage = false) {
      const { openRocksEngine } = await import("merostore/engine");
      return openRocksEngine(path, { writable: true, acceptLogLoss: acceptDamage || "unfinished" });
    },
  },
};

const NAME_SIZE = 16;

/** Errors of a damaged database, which can be removed although it cannot be opened. */
const DAMAGE: readonly ErrorCode[] = ["DATABASE_DAMAGED", "LOG_DAMAGED", "NOT_A_DATABASE"];

/**
 * Returns the repository in a folder. The folder is created with the first database.
 *
 * @throws MerostoreError INVALID_ARGUMENT
 */
export function folderPlace(folder: string, engine: FolderEngineName): Place {
  if (typeof folder !== "string" || folder === "")
    throw invalidArgument("the folder of a repository must be a non-empty string");
  if (!Object.hasOwn(folderEngines, engine))
    throw invalidArgument(
      `the engine of a repository must be one of ${Object.keys(folderEngines).join(", ")}`,
    );
  return new FolderPlace(realPath(folder), folderEngines[engine]);
}

export class FolderPlace implements Place {
  readonly #folder: string;
  readonly #engine: FolderEngine;
  readonly #staging: Staging;
  /** Opening, creating and deleting pages: a page is not opened between the check of its lock and its removal. */
  readonly #queue = new SerialQueue();
  readonly #databases: OpenDatabases;
  /** The paths of the open pages: idle ones may have no lock. */
  readonly #openPaths = new Set<string>();

  constructor(folder: string, engine: FolderEngine) {
    this.#folder = folder;
    this.#engine = engine;
    this.#databases = new OpenDatabases(engine.mostOpen);
    this.#staging = new Staging(join(folder, "staging"));
  }

  async openUsage(): Promise<Engine> {
    const path = join(this.#folder, this.#engine.usage);
    if (contentOf(this.#folder) === "file")
      throw new MerostoreError("NOT_A_DATABASE", `${this.#folder} is a file, not the folder of a repository`);
    this.#checkEngine(this.#folder, ({ usage }) => usage);
    if (contentOf(path) === "missing") await this.#staging.build(path, (made) => this.#create(made));
    const usage = await this.#engine.open(path);
    try {
      // This process now has the lock of the repository: no other process creates or deletes pages.
      await this.#staging.clear();
      for (const folder of await this.#ledgerFolders()) await this.#ledgerStaging(folder).clear();
      await this.#createName();
      return usage;
    } catch (error) {
      await usage.close();
      throw error;
    }
  }

  async ledgers(): Promise<string[]> {
    const ledgers: string[] = [];
    for (const folder of await this.#ledgerFolders())
      if ((await this.#pagesIn(folder)).length > 0) ledgers.push(ledgerOf(folder) as string);
    return ledgers.sort(compareLedgers);
  }

  async pages(ledger: string): Promise<Uint8Array[]> {
    return this.#pagesIn(ledgerFolder(ledger));
  }

  async openPage(
    ledger: string,
    page: Uint8Array,
    { create }: { readonly create: boolean },
  ): Promise<Engine | undefined> {
    const { staging, folder, path } = this.#locate(ledger, page);
    return this.#queue.run(async () => {
      if (contentOf(path) === "missing") {
        this.#checkEngine(folder, ({ leaf }) => leaf);
        if (!create) return undefined;
        await staging.build(folder, async (made) => {
          await this.#create(join(made, this.#engine.leaf));
          await syncFolder(made);
        });
      }
      if (this.#openPaths.has(path)) throw lockedPage(page);
      const onClose = (): unknown => this.#openPaths.delete(path);
      const opened = await IdleEngine.open(this.#databases, () => this.#engine.open(path), onClose);
      this.#openPaths.add(path);
      return opened;
    });
  }

  async deletePage(ledger: string, page: Uint8Array): Promise<void> {
    const id = pageIdBytes(page);
    const { staging, folder, path } = this.#locate(ledger, id);
    return this.#queue.run(async () => {
      if (contentOf(path) === "missing") throw pageNotFound(ledger, id);
      if (this.#openPaths.has(path)) throw lockedPage(id);
      await this.#checkUnused(path);
      await staging.bury(folder);
    });
  }

  #locate(ledger: string, page: Uint8Array) {
    const ofLedger = ledgerFolder(ledger);
    const folder = join(this.#ledgersPath, ofLedger, pageFolder(page));
    return { staging: this.#ledgerStaging(ofLedger), folder, path: join(folder, this.#engine.leaf) };
  }

  get #ledgersPath(): string {
    return join(this.#folder, SERIALIZATION_VERSION, "ledgers");
  }

  #ledgerStaging(folder: string): Staging {
    return new Staging(join(this.#ledgersPath, folder, "staging"));
  }

  async #ledgerFolders(): Promise<string[]> {
    const path = this.#ledgersPath;
    return (await namesIn(path)).filter(
      (name) => ledgerOf(name) !== undefined && contentOf(join(path, name)) !== "file",
    );
  }

  async #pagesIn(folder: string): Promise<Uint8Array[]> {
    const path = join(this.#ledgersPath, folder);
    const pages = (await namesIn(path)).flatMap((name) => {
      const page = pageOf(name);
      return page === undefined || contentOf(join(path, name, this.#engine.leaf)) === "missing" ? [] : [page];
    });
    return pages.sort(compareBytes);
  }

  async #create(path: string): Promise<void> {
    await (await this.#engine.create(path)).close();
  }

  /** Throws NOT_A_DATABASE if a folder has a database of another engine. */
  #checkEngine(folder: string, nameOf: (engine: FolderEngine) => string): void {
    for (const other of Object.values(folderEngines)) {
      if (other === this.#engine || contentOf(join(folder, nameOf(other))) === "missing") continue;
      const message = `${folder} holds a database of ${other.title}: the repository cannot be opened with ${this.#engine.title}`;
      throw new MerostoreError("NOT_A_DATABASE", message);
    }
  }

  /** Throws DATABASE_LOCKED if a database is open somewhere. */
  async #checkUnused(path: string): Promise<void> {
    try {
      await (await this.#engine.open(path, true)).close();
    } catch (error) {
      if (!isMerostoreError(error) || !DAMAGE.includes(error.code)) throw error;
    }
  }

  /** Creates the file with the name of the repository, unless it exists. */
  async #createName(): Promise<void> {
    const path = join(this.#folder, SERIALIZATION_VERSION, "name");
    if (existsSync(path)) return;
    await this.#staging.build(path, (made) =>
      withMessage(`${path} cannot be written`, async () => {
        const file = await open(made, "wx");
        try {
          await file.writeFile(randomBytes(NAME_SIZE));
          await file.sync();
        } finally {
          await file.close();
        }
      }),
    );
  }
}

/** Returns the names in a folder; none if the folder is missing. */
async function namesIn(path: string): Promise<string[]> {
  if (["missing", "file"].includes(contentOf(path))) return [];
  return withMessage(`${path} cannot be read`, () => readdir(path));
}

/**
 * Returns the place at a path, and the name under which it is shared; undefined for anything but a path or URL.
 *
 * @throws MerostoreError INVALID_ARGUMENT
 */
export function namedPlace(
  location: PathOrUrl | Place,
  engine: FolderEngineName,
): { readonly name: string; readonly place: Place } | undefined {
  if (!isLocation(location)) return undefined;
  const folder = folderPath(location, "the place of a ledger");
  // The name has the engine: a repository of another engine is not shared, and its place refuses it.
  return { name: `${engine} ${realPath(folder)}`, place: folderPlace(folder, engine) };
}

/** Places of ledgers, in errors. */
export const PLACES = "the path of a folder, or memoryPlace()";
