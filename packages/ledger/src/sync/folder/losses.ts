/**
 * Notices that a folder has lost commits, because it was emptied or files were removed, and writes them again. The
 * metadata of the page has the names of the earlier packs. A page that moves from another folder brings its commits in
 * the same way.
 */
import { concatAll, equalBytes, fromHex, toHex } from "merostore/internal";
import type { CommitBytes } from "../cloud.js";
import { restoreLost, warnOfLoss } from "../lost-commits.js";
import { type FolderPage, idsIn, PackWriter } from "./known-packs.js";

/** Metadata: the names of all packs at the end of the last sync. */
const LAST_PACKS = new TextEncoder().encode("packs");
/** Metadata: the name of the page's folder at that time. */
const LAST_FOLDER = new TextEncoder().encode("place");
/** Bytes of a name. */
const NAME_SIZE = 20;

export class Losses {
  readonly #parts: FolderPage;
  #there: ReadonlySet<string> | undefined;

  constructor(parts: FolderPage) {
    this.#parts = parts;
  }

  /**
   * Writes the commits that no pack has any more, with the pieces of their trees that the page has. A pack that others
   * replace may be missing.
   * @returns the number of commits that the folder had before
   */
  async restore(): Promise<number> {
    const { page, folder, packs } = this.#parts;
    const names = await packs.names();
    if ((await this.#lost(names)).length === 0) return 0;
    // Packs may have been joined while the folder was listed: it had the old ones, and then the new one.
    const lost = await this.#lost([...new Set([...names, ...(await packs.names())])]);
    if (lost.length === 0) return 0;
    const isThere = await packs.finder();
    const writer = new PackWriter(this.#parts);
    await restoreLost(page, lost, {
      addPiece: async (piece) => {
        if (!isThere(piece.hash)) await writer.addPiece(piece);
      },
      addCommit: (commit) => writer.addCommit(commit),
    });
    await writer.end();
    if (await this.#isElsewhere()) return 0;
    warnOfLoss(page, lost, folder.name);
    return lost.length;
  }

  /** Remembers the names of the present packs. */
  async remember(): Promise<void> {
    const { page, packs, sealed } = this.#parts;
    if (await this.#isElsewhere()) await page.setMetadata(LAST_FOLDER, fromHex(sealed.folder));
    const names = await packs.names();
    const there = await this.#read();
    if (there?.size === names.length && names.every((name) => there.has(name))) return;
    await page.setMetadata(LAST_PACKS, concatAll(names.map(fromHex)));
    this.#there = new Set(names);
  }

  /** The commits of earlier packs that are in none of these packs. */
  async #lost(names: readonly string[]): Promise<CommitBytes[]> {
    const { page, known } = this.#parts;
    const before = await this.#read();
    const present = new Set(names);
    const gone = before && [...before].filter((name) => !present.has(name));
    if (gone?.length === 0) return [];
    const found = new Set<string>();
    for (const name of names) for (const id of await idsIn(this.#parts, name)) found.add(toHex(id));
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

  /** Returns whether the page was not in this folder at the end of the last sync. */
  async #isElsewhere(): Promise<boolean> {
    const { page, sealed } = this.#parts;
    const place = await page.metadata(LAST_FOLDER);
    // Versions without devices did not remember it.
    return place === undefined ? sealed.rights !== undefined : !equalBytes(place, fromHex(sealed.folder));
  }

  async #read(): Promise<ReadonlySet<string> | undefined> {
    if (this.#there !== undefined) return this.#there;
    const stored = await this.#parts.page.metadata(LAST_PACKS);
    if (stored === undefined) return undefined;
    const names = Array.from({ length: stored.length / NAME_SIZE }, (_, at) =>
      toHex(stored.subarray(at * NAME_SIZE, (at + 1) * NAME_SIZE)),
    );
    this.#there = new Set(names);
    return this.#there;
  }
}
