/** Collects commits and pieces, and writes them as one pack; as several if they are too many. */
import type { CommitBytes } from "../cloud.js";
import type { KnownPacks } from "./known-packs.js";
import { MOST_PACKED, MOST_RECORDS, type PackedPiece } from "./pack-format.js";
import type { PagePacks } from "./page-packs.js";

/** Called when a pack is on disk, with its records. */
export type OnWritten<P extends PackedPiece> = (
  commits: readonly CommitBytes[],
  pieces: readonly P[],
) => Promise<void>;

export class PackWriter<P extends PackedPiece = PackedPiece> {
  readonly #packs: PagePacks;
  readonly #known: KnownPacks;
  readonly #onWritten: OnWritten<P>;
  #pieces: P[] = [];
  #commits: CommitBytes[] = [];
  #bytes = 0;

  constructor(packs: PagePacks, known: KnownPacks, onWritten: OnWritten<P> = async () => undefined) {
    this.#packs = packs;
    this.#known = known;
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
    const name = await this.#packs.write({ replaces, commits: bytes, pieces });
    await this.#onWritten(commits, pieces);
    const ids = commits.map(({ id }) => id);
    await this.#known.add(name, ids, { replaces });
  }
}
