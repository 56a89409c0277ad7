/**
 * The files of one folder that a page reads. Files that were read lately stay open, so that a page can go on reading those
 * that RocksDB has deleted since.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/** Milliseconds after which a file that nobody reads is closed. Until then a deleted file takes space. */
const KEPT_MS = 30 * 60 * 1000;
/** How often files are closed that nobody has read for so long. */
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
  /** Tells apart the files that have had the same name. */
  readonly version: string;
  /** Whether it may be longer or shorter the next time. */
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

/** What is known of a regular file. */
interface Found {
  readonly ino: bigint;
  readonly mtimeNs: bigint;
  readonly mtimeMs: bigint;
  readonly size: bigint;
}

/** The regular files of one folder, by name. Links that lead out of the folder are no files of it. */
export class KeptFiles {
  readonly #root: string;
  readonly #isServed: (name: string) => boolean;
  readonly #grows: (name: string) => boolean;
  readonly #most: number;
  /** By name and version, the one that was used longest ago first. */
  readonly #kept = new Map<string, Entry>();
  readonly #sweeping: NodeJS.Timeout;
  #isClosed = false;

  /**
   * @param folder is resolved now
   * @param isServed whether files of this name are served: never one with a separator
   * @param grows whether a writer appends to files of this name
   * @param most how many files stay open that nobody reads
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
   * The files at this moment. All names are read before the first size: where a name is listed, sizes are as of then or later.
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
   * @returns undefined if there is no such file, or not in this version
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

  /** Closes all files; those that are read, when that ends. */
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
    const found = fstatSync(descriptor, { bigint: true });
    const version = this.#versionOf(name, found);
    const kept = this.#kept.get(keyOf(name, version));
    if (found.isFile() && kept === undefined) return { descriptor, version, users: 0, used: 0 };
    closeSync(descriptor);
    return found.isFile() ? kept : undefined;
  }

  #openPath(path: string): number | undefined {
    try {
      return openSync(path, FLAGS);
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      // Gone, or replaced by a link since it was looked at.
      if (["ENOENT", "ENOTDIR", "ELOOP"].includes(code)) return undefined;
      if (!["EMFILE", "ENFILE"].includes(code) || this.#kept.size === 0) throw error;
      this.#shrink(0);
      return openSync(path, FLAGS);
    }
  }

  /** The path of a regular file in the folder, with links resolved; undefined if there is none. */
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

  /** A file system gives the number of a deleted file to the next one: the time tells these apart. */
  #versionOf(name: string, { ino, mtimeNs }: Found): string {
    return this.#grows(name) ? ino.toString(36) : `${ino.toString(36)}-${mtimeNs.toString(36)}`;
  }

  #touch(name: string, entry: Entry): void {
    const key = keyOf(name, entry.version);
    entry.used = performance.now();
    this.#kept.delete(key);
    this.#kept.set(key, entry);
  }

  /** Closes the files that were used longest ago, of those that nobody reads, until there are few enough. */
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

function statOf(path: string): Found | undefined {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return found?.isFile() === true ? found : undefined;
}
