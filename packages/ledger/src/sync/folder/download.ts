/** Adds the commits of a shared folder that a page does not have, in large batches. */
import { isMerostoreError } from "merostore/internal";
import { byGeneration } from "../../storage/commit.js";
import { decodeCommit } from "../../tables/commit-table.js";
import type { CommitBytes, SyncedPage } from "../cloud.js";
import type { KnownCommits } from "./known-commits.js";
import type { PageFiles } from "./page-files.js";
import type { SharedFolder } from "./shared-folder.js";

/** The parts that a download uses. */
export interface DownloadParts {
  readonly page: SyncedPage;
  readonly folder: SharedFolder;
  readonly files: PageFiles;
  readonly known: KnownCommits;
  /** Returns whether to stop. */
  isClosed(): boolean;
  /** Called for the file of a commit that is damaged. */
  onDamaged(name: string): Promise<void>;
}

/** Commits that could not be added, and why if something is damaged. */
export interface Waiting {
  readonly waiting: number;
  readonly damage?: unknown;
}

/** A commit that is to be added. Its bytes are read again when it is its turn. */
interface Planned {
  readonly name: string;
  readonly id: Uint8Array;
  readonly generation: bigint;
  readonly size: number;
  /** Undefined once many commits are planned. */
  readonly bytes: Uint8Array | undefined;
}

/** A commit, and the name of its file. */
interface FolderCommit extends CommitBytes {
  readonly name: string;
}

/** Commits that are added at once, and their bytes. As many as possible: only the state of the last ones is fetched. */
export interface BatchSize {
  readonly commits: number;
  /** So many stay in memory from the first look on. */
  readonly bytes: number;
}

const BATCH: BatchSize = { commits: 4096, bytes: 32 << 20 };
/** Files that are read at once. */
const CONCURRENCY = 16;
/** New files that a download reads and cannot use; the next one goes on. */
const MOST_UNUSABLE = 32_768;
/** Unusable files that a download reads again: half of them those that came last, since copies under way are among them. */
const MOST_AGAIN = 1024;

/** Divides commits into batches. */
function* batchesOf(planned: readonly Planned[], most: BatchSize): Generator<readonly Planned[]> {
  let batch: Planned[] = [];
  let bytes = 0;
  for (const one of planned) {
    batch.push(one);
    bytes += one.size;
    if (bytes < most.bytes && batch.length < most.commits) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

export class Download {
  readonly #parts: DownloadParts;
  readonly #batch: BatchSize;
  readonly #mostUnusable: number;
  /** The names of files that could not be used, in the order in which they are read again. */
  readonly #unusable = new Set<string>();

  constructor(parts: DownloadParts, batch = BATCH, mostUnusable = MOST_UNUSABLE) {
    this.#parts = parts;
    this.#batch = batch;
    this.#mostUnusable = mostUnusable;
  }

  /** Adds what can be added, parents first. */
  async run(): Promise<Waiting> {
    const found = await this.#plan();
    let { waiting, damage } = found;
    for (const batch of batchesOf(found.planned, this.#batch)) {
      const commits: FolderCommit[] = [];
      for (const planned of batch) {
        const commit = await this.#bytesOf(planned);
        if (commit === undefined) waiting++;
        else commits.push(commit);
      }
      const added = await this.#add(commits);
      waiting += added.waiting;
      damage ??= added.damage;
    }
    return { waiting, damage };
  }

  /** Looks at the commits that the page does not have, and returns them with parents first. */
  async #plan(): Promise<Waiting & { readonly planned: readonly Planned[] }> {
    const { isClosed } = this.#parts;
    const planned: Planned[] = [];
    const { again, fresh, count } = await this.#unknown();
    const names = [...again, ...fresh];
    const most = again.length + this.#mostUnusable;
    let unusable = 0;
    let bytes = 0;
    let damage: unknown;
    for (let at = 0; at < names.length && unusable < most && !isClosed(); at += CONCURRENCY) {
      const some = names.slice(at, at + CONCURRENCY);
      for (const [index, found] of (await Promise.all(some.map((name) => this.#look(name)))).entries()) {
        const name = some[index] as string;
        this.#unusable.delete(name);
        if ("generation" in found) {
          planned.push(bytes < this.#batch.bytes ? found : { ...found, bytes: undefined });
          bytes += found.size;
        } else {
          this.#unusable.add(name); // behind all others
          unusable++;
          damage ??= found.damage;
        }
      }
    }
    return { planned: planned.sort(byGeneration), waiting: count - planned.length, damage };
  }

  /** Looks at the file of a commit. Returns why it cannot be used if it is damaged. */
  async #look(name: string): Promise<Planned | { readonly damage?: unknown }> {
    const { files, folder, onDamaged } = this.#parts;
    try {
      const found = await files.readCommit(name);
      if (found === undefined) return {};
      const { id, content } = found;
      const { generation } = decodeCommit(content);
      return { name, id, generation, size: content.length, bytes: content };
    } catch (error) {
      const isUnreadable = isMerostoreError(error, "NETWORK_ERROR");
      if (!isUnreadable && !isMerostoreError(error, "DATA_INTEGRITY_ERROR")) throw error;
      // One file that cannot be read must not stop the others; a folder that is gone must.
      if (isUnreadable) await folder.checkIsThere();
      else await onDamaged(name);
      return { damage: error };
    }
  }

  /**
   * The names of commits in the folder that the page does not have: unusable ones to read again, those that were never
   * unusable, and the count of all.
   */
  async #unknown(): Promise<{
    readonly again: readonly string[];
    readonly fresh: readonly string[];
    readonly count: number;
  }> {
    const { files, known } = this.#parts;
    const unknown = new Set<string>();
    for (const name of await files.commits()) if (!(await known.has(name))) unknown.add(name);
    for (const name of this.#unusable) if (!unknown.has(name)) this.#unusable.delete(name);
    const fresh = [...unknown].filter((name) => !this.#unusable.has(name));
    const before = [...this.#unusable];
    const newest = before.slice(-MOST_AGAIN / 2);
    const oldest = before.slice(0, before.length - newest.length).slice(0, MOST_AGAIN / 2);
    return { again: [...oldest, ...newest], fresh, count: unknown.size };
  }

  async #bytesOf({ name, id, bytes }: Planned): Promise<FolderCommit | undefined> {
    if (bytes !== undefined) return { name, id, bytes };
    if (this.#parts.isClosed()) return undefined;
    try {
      const found = await this.#parts.files.readCommit(name);
      return found && { name, id, bytes: found.content };
    } catch (error) {
      // The next look tells what is wrong.
      if (isMerostoreError(error, "DATA_INTEGRITY_ERROR") || isMerostoreError(error, "NETWORK_ERROR"))
        return undefined;
      throw error;
    }
  }

  /** Adds commits, parents first: all at once, or, if that fails because of one, both halves apart. */
  async #add(commits: readonly FolderCommit[]): Promise<Waiting> {
    const { page, known, isClosed } = this.#parts;
    if (commits.length === 0 || isClosed()) return { waiting: 0 };
    try {
      await page.addCommits(commits, "cloud");
    } catch (error) {
      const isDamage = isMerostoreError(error, "DATA_INTEGRITY_ERROR");
      const isMissing =
        isMerostoreError(error, "NETWORK_ERROR") || isMerostoreError(error, "COMMIT_NOT_FOUND");
      if (!isDamage && !isMissing) throw error;
      if (commits.length === 1) return { waiting: 1, ...(isDamage && { damage: error }) };
      const half = commits.length >> 1;
      const first = await this.#add(commits.slice(0, half));
      const second = await this.#add(commits.slice(half));
      return { waiting: first.waiting + second.waiting, damage: first.damage ?? second.damage };
    }
    for (const { name, id } of commits) await known.add(name, id);
    return { waiting: 0 };
  }
}
