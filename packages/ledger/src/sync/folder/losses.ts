/**
 * Notices that a folder has lost commits that were in it, because it was emptied or files of it were removed, and writes them
 * again. The names of the packs that were there are stored as metadata of the page.
 */
import { concatAll, fromHex, toHex } from "merostore/internal";
import type { CommitBytes, SyncedPage } from "../cloud.js";
import { bringAgain } from "../lost-commits.js";
import type { FileStore } from "./file-store.js";
import type { KnownPacks } from "./known-packs.js";
import { PackWriter } from "./pack-writer.js";
import type { PagePacks } from "./page-packs.js";

/** The parts that are needed to notice losses. */
export interface LossesParts {
  readonly page: SyncedPage;
  readonly folder: FileStore;
  readonly packs: PagePacks;
  readonly known: KnownPacks;
}

/** Metadata: the names of all packs at the end of the last sync. */
const THERE = new TextEncoder().encode("packs");
/** Bytes of a name. */
const NAME_SIZE = 20;

export class Losses {
  readonly #parts: LossesParts;
  #there: ReadonlySet<string> | undefined;

  constructor(parts: LossesParts) {
    this.#parts = parts;
  }

  /**
   * Writes the commits that no pack has any longer, with what the page has of their trees. A pack that others replace may be
   * missing.
   * @returns the number of commits
   */
  async restore(): Promise<number> {
    const { page, folder, packs, known } = this.#parts;
    const names = await packs.names();
    const lost = await this.#lost(names);
    if (lost.length === 0) return 0;
    const isThere = await packs.finder();
    const writer = new PackWriter(packs, known);
    return bringAgain(page, lost, {
      name: folder.name,
      addPiece: async (piece) => {
        if (!isThere(piece.hash)) await writer.addPiece(piece);
      },
      addCommit: (commit) => writer.addCommit(commit),
      end: () => writer.end(),
    });
  }

  /** Remembers the packs that are there. */
  async remember(): Promise<void> {
    const { page, packs } = this.#parts;
    const names = await packs.names();
    const there = await this.#read();
    if (there?.size === names.length && names.every((name) => there.has(name))) return;
    await page.setMetadata(THERE, concatAll(names.map(fromHex)));
    this.#there = new Set(names);
  }

  /** The commits that were in packs and are in none of these. */
  async #lost(names: readonly string[]): Promise<CommitBytes[]> {
    const { page, known } = this.#parts;
    const before = await this.#read();
    const present = new Set(names);
    const gone = before && [...before].filter((name) => !present.has(name));
    if (gone?.length === 0) return [];
    const found = new Set<string>();
    for (const name of names) for (const id of await known.ids(name)) found.add(toHex(id));
    const lost = new Map<string, CommitBytes>();
    const add = ({ id, bytes }: CommitBytes): void => {
      if (!found.has(toHex(id))) lost.set(toHex(id), { id, bytes });
    };
    // Older versions did not remember names.
    if (gone === undefined) for await (const commit of page.syncedCommits()) add(commit);
    for (const name of gone ?? [])
      for (const id of await known.ids(name)) {
        const bytes = found.has(toHex(id)) ? undefined : await page.commit(id);
        if (bytes !== undefined) add({ id, bytes });
      }
    return [...lost.values()];
  }

  async #read(): Promise<ReadonlySet<string> | undefined> {
    if (this.#there !== undefined) return this.#there;
    const stored = await this.#parts.page.metadata(THERE);
    if (stored === undefined) return undefined;
    const names = Array.from({ length: stored.length / NAME_SIZE }, (_, at) =>
      toHex(stored.subarray(at * NAME_SIZE, (at + 1) * NAME_SIZE)),
    );
    this.#there = new Set(names);
    return this.#there;
  }
}
