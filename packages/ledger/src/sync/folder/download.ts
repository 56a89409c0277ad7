/** Adds the commits of a shared folder that a page does not have, in large batches. */
import { isMerostoreError, toHex } from "merostore/internal";
import { byGeneration } from "../../storage/commit.js";
import { decodeCommit } from "../../tables/commit-table.js";
import type { CommitBytes } from "../cloud.js";
import type { FolderPage } from "./known-packs.js";
import type { OpenPack } from "./page-packs.js";

/** The parts that a download uses. */
export interface DownloadParts extends Pick<FolderPage, "page" | "folder" | "packs" | "known" | "isClosed"> {
  /** Called for a pack that is damaged. */
  onDamaged(name: string): Promise<void>;
}

/** The number of packs whose commits could not be added, and the damage, if any. */
export interface Waiting {
  readonly waiting: number;
  /** The number of refused packs, if any. They do not count as waiting. */
  readonly refused?: number;
  readonly damage?: unknown;
}

/** A commit that is to be added. */
interface PlannedCommit extends CommitBytes {
  readonly generation: bigint;
}

/** A pack whose commits are to be added. */
interface PlannedPack {
  readonly pack: Pick<OpenPack, "name" | "replaces">;
  readonly ids: readonly Uint8Array[];
}

/** A pack that cannot be used, and the error if it is damaged. */
interface Unusable {
  readonly damage?: unknown;
}

/** Commits that are added at once. A large number is best: only the state of the last ones is fetched. */
const BATCH = 4096;
/** Packs that are read at once. */
const CONCURRENCY = 16;
/** New packs that cannot be used, after which a download stops. The next download goes on. */
const MOST_UNUSABLE = 32_768;
/** Unusable packs that a download reads again. Half of them are the newest ones, which include copies under way. */
const MOST_AGAIN = 1024;

export class Download {
  readonly #parts: DownloadParts;
  readonly #batch: number;
  readonly #mostUnusable: number;
  /** The names of unusable packs, in the order in which they are read again. */
  readonly #unusable = new Set<string>();

  constructor(parts: DownloadParts, batch = BATCH, mostUnusable = MOST_UNUSABLE) {
    this.#parts = parts;
    this.#batch = batch;
    this.#mostUnusable = mostUnusable;
  }

  /** Adds all commits that can be added, parents first. */
  async run(): Promise<Waiting> {
    const { known, packs, onDamaged } = this.#parts;
    const { again, fresh, unknown } = await this.#unknown();
    const damages = new Map<string, unknown>();
    const planned: PlannedPack[] = [];
    const commits = new Map<string, PlannedCommit>();
    await this.#look([...again, ...fresh], again.length + this.#mostUnusable, (name, found) => {
      if ("pack" in found) {
        planned.push(found);
        for (const commit of found.commits) commits.set(toHex(commit.id), commit);
      } else if (found.damage !== undefined) damages.set(name, found.damage);
    });
    const { missing, damage: notAdded } = await this.#addAll([...commits.values()].sort(byGeneration));
    for (const { pack, ids } of planned)
      if (!ids.some((id) => missing.has(toHex(id)))) await known.add(pack.name, ids, pack);
    let waiting = 0;
    const refused: string[] = [];
    let damage = notAdded;
    for (const name of unknown) {
      // Another pack with its commits may have been added.
      if (await known.has(name)) continue;
      if (packs.isRefused(name)) {
        refused.push(name);
        continue;
      }
      waiting++;
      if (!damages.has(name)) continue;
      damage ??= damages.get(name);
      if (isMerostoreError(damages.get(name), "DATA_INTEGRITY_ERROR")) await onDamaged(name);
    }
    // A refused pack may have had other bytes earlier. A device that has read those can write it again.
    if (waiting > 0) for (const name of refused) await onDamaged(name);
    const refusals = refused.length > 0 && { refused: refused.length };
    return { waiting, ...refusals, ...(damage !== undefined && { damage }) };
  }

  /** Reads packs that the page does not have, until `most` of them were unusable. */
  async #look(
    names: readonly string[],
    most: number,
    onFound: (
      name: string,
      found: Unusable | (PlannedPack & { readonly commits: readonly PlannedCommit[] }),
    ) => void,
  ): Promise<void> {
    let unusable = 0;
    for (let at = 0; at < names.length && unusable < most && !this.#parts.isClosed(); at += CONCURRENCY) {
      const some = names.slice(at, at + CONCURRENCY);
      for (const [index, found] of (await Promise.all(some.map((name) => this.#read(name)))).entries()) {
        const name = some[index] as string;
        this.#unusable.delete(name);
        if (!("pack" in found)) {
          this.#unusable.add(name); // behind all others
          unusable++;
        }
        onFound(name, found);
      }
    }
  }

  /** Reads the commits of a pack. */
  async #read(
    name: string,
  ): Promise<Unusable | (PlannedPack & { readonly commits: readonly PlannedCommit[] })> {
    const { packs, folder, known } = this.#parts;
    try {
      const pack = await packs.open(name);
      const all = pack && (await packs.commits(pack));
      if (pack === undefined || all === undefined) return {};
      const here = new Set<string>();
      for (const replaced of pack.replaces) for (const id of await known.ids(replaced)) here.add(toHex(id));
      const commits = all
        .filter(({ id }) => !here.has(toHex(id)))
        .map((commit) => ({ ...commit, generation: decodeCommit(commit.bytes).generation }));
      // Not the file's bytes: they would stay in memory.
      return { pack: { name, replaces: pack.replaces }, ids: all.map(({ id }) => id), commits };
    } catch (error) {
      const isUnreadable = isMerostoreError(error, "NETWORK_ERROR");
      if (!isUnreadable && !isMerostoreError(error, "DATA_INTEGRITY_ERROR")) throw error;
      // An unreadable file must not stop the reading of the others; a missing folder must.
      if (isUnreadable) await folder.checkIsThere();
      return { damage: error };
    }
  }

  /** The names of packs that the page does not have: unusable packs to read again, new packs, and all. */
  async #unknown(): Promise<Record<"again" | "fresh" | "unknown", readonly string[]>> {
    const { packs, known } = this.#parts;
    const unknown = new Set<string>();
    for (const name of await packs.names()) if (!(await known.has(name))) unknown.add(name);
    for (const name of this.#unusable) if (!unknown.has(name)) this.#unusable.delete(name);
    const fresh = [...unknown].filter((name) => !this.#unusable.has(name));
    const before = [...this.#unusable];
    const newest = before.slice(-MOST_AGAIN / 2);
    const oldest = before.slice(0, before.length - newest.length).slice(0, MOST_AGAIN / 2);
    return { again: [...oldest, ...newest], fresh, unknown: [...unknown] };
  }

  /** Adds commits in batches. Returns the ids of those that could not be added. */
  async #addAll(
    commits: readonly CommitBytes[],
  ): Promise<Unusable & { readonly missing: ReadonlySet<string> }> {
    const missing = new Set<string>();
    let damage: unknown;
    for (let at = 0; at < commits.length; at += this.#batch)
      damage ??= await this.#add(commits.slice(at, at + this.#batch), missing);
    return { missing, damage };
  }

  /** Adds commits, parents first: all at once, or each half apart if one commit fails. Returns the damage. */
  async #add(commits: readonly CommitBytes[], missing: Set<string>): Promise<unknown> {
    if (this.#parts.isClosed()) {
      for (const { id } of commits) missing.add(toHex(id));
      return undefined;
    }
    try {
      await this.#parts.page.addCommits(commits, "cloud");
      return undefined;
    } catch (error) {
      const isDamage = isMerostoreError(error, "DATA_INTEGRITY_ERROR");
      const isMissing =
        isMerostoreError(error, "NETWORK_ERROR") || isMerostoreError(error, "COMMIT_NOT_FOUND");
      if (!isDamage && !isMissing) throw error;
      if (commits.length === 1) {
        missing.add(toHex((commits[0] as CommitBytes).id));
        return isDamage ? error : undefined;
      }
      const half = commits.length >> 1;
      const first = await this.#add(commits.slice(0, half), missing);
      const second = await this.#add(commits.slice(half), missing);
      return first ?? second;
    }
  }
}
