/** Reads a repository on disk: creates, marks and removes nothing. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Engine } from "merostore/engine";
import { contentOf, MerostoreError, realPath } from "merostore/internal";
import {
  type FolderEngineName,
  folderEngines,
  folderPlace,
  ledgerFolder,
  type Place,
  pageFolder,
  pageNotFound,
  SERIALIZATION_VERSION,
} from "../places/index.js";
import { readUsage, type StoredUsage } from "../repository/index.js";
import { PageView } from "./page-view.js";

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
