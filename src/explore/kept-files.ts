/**
 * The files of one folder that a page reads. A file stays open for a while after it was read: the page can still read
 * it when RocksDB has deleted it.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/** A file that nobody has read for so many milliseconds is closed. Until then a deleted file takes space. */
const KEPT_MS = 30 * 60 * 1000;
/** Milliseconds between two searches for such files. */
const SWEEP_MS = 60 * 1000;

/** Does not block on a pipe, and follows no link. Windows has neither. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** A file in the list of a folder. */
export interface ListedFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** When it was last written, in milliseconds since 1970. */
  readonly modified: number;
  /** The version, as of {@link KeptFile.version}. */
  readonly file: string;
}

/** An open file. */
export interface KeptFile {
  readonly descriptor: number;
  /** The version: another file under the same name has another one. */
  readonly version: string;
  /** Bytes at this moment: a writer may append to the file or shorten it. */
  size(): number;
  /** Call it when the file is no longer read. */
  release(): void;
}

interface Entry {
  readonly descriptor: number;
  readonly version: string;
  users: number;
  /** When it was last read, on the clock of `performance.now()`. */
  used: number;
}

/** The known facts about a regular file. */
interface FileStat {
  readonly ino: bigint;
  readonly mtimeNs: bigint;
  readonly mtimeMs: bigint;
  readonly size: bigint;
}

/**
 * The regular files of one folder, by name. A link to a file in the folder counts as a file; any other link does not.
 */
export class KeptFiles {
  readonly #root: string;
  readonly #isServed: (name: string) => boolean;
  readonly #grows: (name: string) => boolean;
  readonly #most: number;
  /** By name and version, in the order of their last use. */
  readonly #kept = new Map<string, Entry>();
  readonly #sweeping: NodeJS.Timeout;
  #isClosed = false;

  /**
   * @param folder its path is resolved once, here
   * @param isServed whether files of this name are served; false for every name with a separator
   * @param grows whether a writer appends to files of this name
   * @param most files that stay open when nobody reads them
   */
  constructor(
    folder: string,
    isServed: (name: string) => boolean,
    grows: (name: string) => boolean,
    most: number,
  ) {
    this.#root = realpathSync(folder);
    this.#isServed = isServed;
    this.#grows = grows;
    this.#most = most;
    this.#sweeping = setInterval(() => this.#sweep(), SWEEP_MS).unref();
  }

  /**
   * The files at this moment. All names are read before the first size: no size is older than the list of names.
   *
   * @throws the error of the system if the folder cannot be listed
   */
  list(): readonly ListedFile[] {
    return readdirSync(this.#root)
      .filter(this.#isServed)
      .flatMap((name) => {
        const path = this.#pathOf(name);
        const found = path === undefined ? undefined : statOf(path);
        if (found === undefined) return [];
        const { size, mtimeMs } = found;
        return [{ name, size: Number(size), modified: Number(mtimeMs), file: this.#versionOf(name, found) }];
      });
  }

  /**
   * Opens a file, or takes one that is open.
   *
   * @param version the version that is wanted; any if undefined
   * @returns undefined if the file does not exist, or not in this version
   * @throws the error of the system if it refuses
   */
  use(name: string, version: string | undefined): KeptFile | undefined {
    if (this.#isClosed || !this.#isServed(name)) return undefined;
    const kept = version === undefined ? undefined : this.#kept.get(keyOf(name, version));
    const entry = kept ?? this.#open(name);
    if (entry === undefined) return undefined;
    this.#touch(name, entry);
    if (version !== undefined && entry.version !== version) {
      this.#shrink();
      return undefined;
    }
    entry.users++;
    this.#shrink();
    let isReleased = false;
    return {
      descriptor: entry.descriptor,
      version: entry.version,
      size: () => fstatSync(entry.descriptor).size,
      release: () => {
        if (isReleased) return;
        isReleased = true;
        entry.users--;
        if (this.#isClosed && entry.users === 0) closeSync(entry.descriptor);
        else this.#shrink();
      },
    };
  }

  /** Closes all files. A file that is being read is closed when it is released. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#sweeping);
    for (const { users, descriptor } of this.#kept.values()) if (users === 0) closeSync(descriptor);
    this.#kept.clear();
  }

  #open(name: string): Entry | undefined {
    const path = this.#pathOf(name);
    const descriptor = path === undefined ? undefined : this.#openPath(path);
    if (descriptor === undefined) return undefined;
    let opened: Entry | undefined;
    try {
      const found = fstatSync(descriptor, { bigint: true });
      if (!found.isFile()) return undefined;
      const version = this.#versionOf(name, found);
      const kept = this.#kept.get(keyOf(name, version));
      if (kept !== undefined) return kept;
      opened = { descriptor, version, users: 0, used: 0 };
      return opened;
    } finally {
      if (opened === undefined) closeSync(descriptor);
    }
  }

  #openPath(path: string): number | undefined {
    try {
      return openSync(path, FLAGS);
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      // The file is gone, or a link has replaced it.
      if (["ENOENT", "ENOTDIR", "ELOOP"].includes(code)) return undefined;
      if (!["EMFILE", "ENFILE"].includes(code) || this.#kept.size === 0) throw error;
      this.#shrink(0);
      return openSync(path, FLAGS);
    }
  }

  /** The path of a regular file in the folder, with links resolved; undefined if absent. */
  #pathOf(name: string): string | undefined {
    try {
      const path = join(this.#root, name);
      const found = lstatSync(path);
      if (found.isFile()) return path;
      if (!found.isSymbolicLink()) return undefined;
      const target = realpathSync(path);
      return dirname(target) === this.#root && lstatSync(target).isFile() ? target : undefined;
    } catch {
      return undefined; // gone, or a link to nothing
    }
  }

  /** The inode and the time: a file system uses the inode of a deleted file again. */
  #versionOf(name: string, { ino, mtimeNs }: FileStat): string {
    return this.#grows(name) ? ino.toString(36) : `${ino.toString(36)}-${mtimeNs.toString(36)}`;
  }

  #touch(name: string, entry: Entry): void {
    const key = keyOf(name, entry.version);
    entry.used = performance.now();
    this.#kept.delete(key);
    this.#kept.set(key, entry);
  }

  /** Closes files that nobody reads, the least recently used first, until at most `most` are open. */
  #shrink(most = this.#most): void {
    for (const [key, entry] of this.#kept) {
      if (this.#kept.size <= most) return;
      if (entry.users === 0) this.#drop(key, entry);
    }
  }

  #sweep(): void {
    const before = performance.now() - KEPT_MS;
    for (const [key, entry] of this.#kept)
      if (entry.users === 0 && entry.used < before) this.#drop(key, entry);
  }

  #drop(key: string, { descriptor }: Entry): void {
    this.#kept.delete(key);
    closeSync(descriptor);
  }
}

function keyOf(name: string, version: string): string {
  return `${name}/${version}`;
}

function statOf(path: string): FileStat | undefined {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return found?.isFile() === true ? found : undefined;
}
