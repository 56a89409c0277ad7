/** Counts the traffic with a cloud, and reports the progress of a sync. */
import { Follower, type ProgressOptions } from "merostore/internal";
import type { SyncedPage } from "../cloud.js";
import type { FileStore } from "./file-store.js";

/** Numbers of one direction. */
export interface Transferred {
  /** The number of written files, or of reads: each read of a part of a file counts. */
  readonly files: number;
  readonly bytes: number;
  readonly commits: number;
}

/** The numbers of a cloud since it was made. */
export interface SyncTotals {
  readonly down: Transferred;
  readonly up: Transferred;
}

interface Followed {
  readonly follower: Follower;
  /** The files with sizes in the total. */
  readonly files: Set<string>;
  fail(error: unknown): void;
}

export class Traffic {
  readonly #down = { files: 0, bytes: 0, commits: 0 };
  readonly #up = { files: 0, bytes: 0, commits: 0 };
  readonly #followed = new Set<Followed>();

  get totals(): SyncTotals {
    return { down: { ...this.#down }, up: { ...this.#up } };
  }

  /** Reports the progress of work until it settles. An error of `onProgress`, or the signal, ends the waiting. */
  async follow<T>(options: ProgressOptions, work: () => Promise<T>): Promise<T> {
    const { signal } = options;
    const follower = new Follower(options, "bytes");
    let onAbort = (): void => undefined;
    let one: Followed | undefined;
    const failed = new Promise<never>((_, fail) => {
      onAbort = () => fail(signal?.reason);
      one = { follower, files: new Set(), fail };
      this.#followed.add(one);
    });
    signal?.addEventListener("abort", onAbort);
    try {
      const result = await Promise.race([work(), failed]);
      follower.end();
      return result;
    } finally {
      signal?.removeEventListener("abort", onAbort);
      if (one !== undefined) this.#followed.delete(one);
    }
  }

  /**
   * Counts the bytes of a fetched file.
   * @param size bytes of the whole file; undefined if the progress does not include it
   */
  came(file: string, bytes: number, size: number | undefined): void {
    this.#down.files++;
    this.#down.bytes += bytes;
    if (size !== undefined) this.#tell(bytes, size, file);
  }

  /** Counts a file that was written. @param isPart of the progress */
  went(file: string, bytes: number, isPart: boolean): void {
    this.#up.files++;
    this.#up.bytes += bytes;
    if (isPart) this.#tell(bytes, bytes, file);
  }

  /** Returns the same store, which counts its files. */
  counted(store: FileStore): FileStore {
    const removeEmpty = store.removeEmpty?.bind(store);
    return {
      name: store.name,
      checkIsThere: () => store.checkIsThere(),
      list: (folder) => store.list(folder),
      read: async (path, most, known, from) => {
        const found = await store.read(path, most, known, from);
        if (found === undefined || found === "unchanged") return found;
        this.came(path, found.bytes.length, path.includes("/packs/") ? found.size : undefined);
        return found;
      },
      write: async (path, bytes) => {
        await store.write(path, bytes);
        this.went(path, bytes.length, path.includes("/packs/"));
      },
      remove: (path) => store.remove(path),
      ...(removeEmpty !== undefined && { removeEmpty }),
    };
  }

  /** Returns the same page, which counts its commits. */
  countedPage(page: SyncedPage): SyncedPage {
    return {
      ...page,
      addCommits: async (commits, source) => {
        await page.addCommits(commits, source);
        this.#down.commits += commits.length;
      },
      markSynced: async (uploaded) => {
        await page.markSynced(uploaded);
        this.#up.commits += uploaded.commits?.length ?? 0;
      },
    };
  }

  /** Reports bytes of a file. Its first read or write adds its size to the total. */
  #tell(bytes: number, size: number, file: string): void {
    for (const { follower, files, fail } of this.#followed)
      try {
        if (!files.has(file)) follower.size += size;
        files.add(file);
        follower.add(bytes);
      } catch (error) {
        fail(error);
      }
  }
}
