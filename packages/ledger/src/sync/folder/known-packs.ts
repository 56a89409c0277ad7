/**
 * The packs whose commits a page has: their names are stored as metadata of the page, so that it need not read them
 * again. The page also writes packs, of collected commits and pieces, and knows them too.
 */
import { concatAll, undefinedIf } from "merostore/internal";
import { COMMIT_ID_SIZE } from "../../tables/commit-table.js";
import type { CommitBytes, SyncedPage } from "../cloud.js";
import type { FileStore } from "./file-store.js";
import { MOST_PACKED, MOST_RECORDS, type PackedPiece, type PackIndex } from "./pack-format.js";
import type { PagePacks } from "./page-packs.js";
import type { SealedFiles } from "./sealed-files.js";

/** A page in a shared folder, as the parts of its sync use it. */
export interface FolderPage {
  readonly page: SyncedPage;
  readonly folder: FileStore;
  readonly sealed: SealedFiles;
  readonly packs: PagePacks;
  readonly known: KnownPacks;
  /** Returns whether this device may write. */
  mayWrite(): boolean;
  /** Returns whether to stop. */
  isClosed(): boolean;
}

const encoder = new TextEncoder();
const NOTHING = new Uint8Array(0);

export class KnownPacks {
  readonly #page: SyncedPage;
  /** The answer for each name: only `add` changes it. Most names in a folder of foreign files stay false. */
  readonly #isKnown = new Map<string, boolean>();

  constructor(page: SyncedPage) {
    this.#page = page;
  }

  /** Returns whether the page has the commits of a pack. */
  async has(name: string): Promise<boolean> {
    if (!this.#isKnown.has(name)) {
      const stored = await this.#page.metadata(encoder.encode(name));
      if (!this.#isKnown.has(name)) this.#isKnown.set(name, stored !== undefined);
    }
    return this.#isKnown.get(name) === true;
  }

  /** Remembers that the page has the commits of a pack, and so the commits of the packs that it replaces. */
  async add(
    name: string,
    ids: readonly Uint8Array[],
    { replaces }: Pick<PackIndex, "replaces">,
  ): Promise<void> {
    await this.#set(name, concatAll([...ids]));
    // A known pack keeps its ids: other devices may still ask for it.
    for (const replaced of replaces) if (!(await this.has(replaced))) await this.#set(replaced, NOTHING);
  }

  /** The ids of the commits of a known pack; empty if it was replaced before this page read it. */
  async ids(name: string): Promise<Uint8Array[]> {
    const all = (await this.#page.metadata(encoder.encode(name))) ?? NOTHING;
    return Array.from({ length: all.length / COMMIT_ID_SIZE }, (_, at) =>
      all.subarray(at * COMMIT_ID_SIZE, (at + 1) * COMMIT_ID_SIZE),
    );
  }

  async #set(name: string, ids: Uint8Array): Promise<void> {
    await this.#page.setMetadata(encoder.encode(name), ids);
    this.#isKnown.set(name, true);
  }
}

/**
 * Returns the ids of the commits of a pack, which another device may have written since the download; none if it cannot
 * be used now.
 */
export async function idsIn({ packs, known }: FolderPage, name: string): Promise<Uint8Array[]> {
  if (await known.has(name)) return known.ids(name);
  const reading = packs.opened(name).then((pack) => pack && packs.commits(pack));
  const commits = await undefinedIf(reading, "DATA_INTEGRITY_ERROR", "NETWORK_ERROR");
  return (commits ?? []).map(({ id }) => id);
}

/** Called when a pack is on disk, with its records. */
export type OnWritten<P extends PackedPiece> = (
  commits: readonly CommitBytes[],
  pieces: readonly P[],
) => Promise<void>;

export class PackWriter<P extends PackedPiece = PackedPiece> {
  readonly #parts: Pick<FolderPage, "packs" | "known">;
  readonly #onWritten: OnWritten<P>;
  #pieces: P[] = [];
  #commits: CommitBytes[] = [];
  #bytes = 0;

  constructor(parts: Pick<FolderPage, "packs" | "known">, onWritten: OnWritten<P> = async () => undefined) {
    this.#parts = parts;
    this.#onWritten = onWritten;
  }

  async addPiece(piece: P): Promise<void> {
    await this.#makeRoom(piece.content.length);
    this.#pieces.push(piece);
  }

  /** Adds a commit. Its pieces must be added before, so that they are in the folder when it is. */
  async addCommit(commit: CommitBytes): Promise<void> {
    await this.#makeRoom(commit.bytes.length);
    this.#commits.push(commit);
  }

  /** Writes the last pack, if there is anything to write. */
  async end(replaces: readonly string[] = []): Promise<void> {
    if (this.#pieces.length + this.#commits.length > 0) await this.#write(replaces);
  }

  async #makeRoom(length: number): Promise<void> {
    this.#bytes += length;
    if (this.#bytes <= MOST_PACKED && this.#pieces.length + this.#commits.length < MOST_RECORDS) return;
    await this.#write([]);
    this.#bytes = length;
  }

  async #write(replaces: readonly string[]): Promise<void> {
    const [commits, pieces] = [this.#commits, this.#pieces];
    this.#commits = [];
    this.#pieces = [];
    const bytes = commits.map((commit) => commit.bytes);
    const name = await this.#parts.packs.write({ replaces, commits: bytes, pieces });
    await this.#onWritten(commits, pieces);
    const ids = commits.map(({ id }) => id);
    await this.#parts.known.add(name, ids, { replaces });
  }
}
