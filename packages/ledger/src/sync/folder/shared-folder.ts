/**
 * Files in a folder that other devices read and write at the same time. A file gets its name once it is complete and
 * synced. Files that others have copied there may be incomplete.
 */
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, lstat, open, readdir, rename, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { folderPath, MerostoreError, makeFolders, type PathOrUrl, realPath } from "merostore/internal";
import { type FileStore, placeOf, type ReadFile } from "./file-store.js";

/** The folder of unfinished files. */
const UNFINISHED = "unfinished";
/** The mode of folders that devices share. */
const SHARED_FOLDER = 0o777;
/** Milliseconds after which an unfinished file counts as the rest of a killed process. */
const LEFT_AFTER = 24 * 60 * 60 * 1000;
/** The errors of file systems that cannot sync folders. */
const CANNOT_SYNC = ["EINVAL", "EPERM", "EACCES", "EISDIR", "ENOTSUP", "ENOSYS", "EBADF"];

export class SharedFolder implements FileStore {
  readonly name: string;
  readonly #refusesLinks: boolean;
  #isTidy = false;

  /**
   * @param path a folder that exists
   * @param refusesLinks whether symbolic links in it are refused: clients of the folder must not reach other files
   */
  constructor(path: string, refusesLinks = false) {
    this.name = path;
    this.#refusesLinks = refusesLinks;
  }

  async checkIsThere(): Promise<void> {
    const found = await this.#reach("looked for", "", () => undefinedIfMissing(stat(this.name)));
    if (found === undefined) throw unreachable(`there is no folder ${this.name}`);
    if (!found.isDirectory()) throw unreachable(`${this.name} is not a folder`);
    if (this.#isTidy) return;
    this.#isTidy = true;
    this.#removeLeft().catch(() => undefined);
  }

  async write(path: string, bytes: Uint8Array): Promise<void> {
    const unfinished = join(this.name, UNFINISHED, randomBytes(16).toString("hex"));
    const target = join(this.name, path);
    await this.#reach("written", path, async () => {
      await makeFolders(dirname(unfinished), SHARED_FOLDER);
      await makeFolders(dirname(target), SHARED_FOLDER);
      try {
        await writeSynced(unfinished, bytes);
        await rename(unfinished, target);
      } catch (error) {
        await rm(unfinished, { force: true }).catch(() => undefined);
        throw error;
      }
      for (let folder = dirname(path); ; folder = dirname(folder)) {
        await syncNames(join(this.name, folder));
        if (folder === ".") break;
      }
    });
  }

  read(path: string, most: number, known?: string, from = 0): Promise<ReadFile | "unchanged" | undefined> {
    const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
    return this.#reach("read", path, () =>
      undefinedIfMissing(
        withHandle(join(this.name, path), flags, async (file) => {
          const found = await file.stat();
          if (!found.isFile()) return undefined;
          const { size, mtime, mtimeMs, ctimeMs, ino } = found;
          const version = [size, mtimeMs, ctimeMs, ino].join(" ");
          if (version === known) return "unchanged";
          const buffer = new Uint8Array(Math.max(0, Math.min(size - from, most + 1)));
          let length = 0;
          while (length < buffer.length) {
            const { bytesRead } = await file.read(buffer, length, buffer.length - length, from + length);
            if (bytesRead === 0) break;
            length += bytesRead;
          }
          return { bytes: buffer.subarray(0, length), version, size, modified: mtime };
        }),
      ),
    );
  }

  remove(path: string): Promise<void> {
    return this.#reach("removed", path, () => rm(join(this.name, path), { force: true }));
  }

  async removeEmpty(path: string): Promise<void> {
    await this.#reach("removed", path, () => rmdir(join(this.name, path)).catch(() => undefined));
  }

  async list(path: string): Promise<string[]> {
    const found = await this.#reach("read", path, () => undefinedIfMissing(readdir(join(this.name, path))));
    return found ?? [];
  }

  /** Removes unfinished files that killed processes left a day ago. */
  async #removeLeft(): Promise<void> {
    for (const name of await this.list(UNFINISHED)) {
      const path = join(this.name, UNFINISHED, name);
      const found = await undefinedIfMissing(stat(path));
      if (found !== undefined && Date.now() - found.mtimeMs > LEFT_AFTER)
        await rm(path, { force: true, recursive: true });
    }
  }

  /** Throws an error if a part of a path is a symbolic link. */
  async #checkLinks(path: string): Promise<void> {
    let at = this.name;
    for (const part of path.split("/")) {
      at = join(at, part);
      const found = await undefinedIfMissing(lstat(at));
      if (found === undefined) return;
      if (found.isSymbolicLink()) throw new Error(`${at} is a symbolic link`);
    }
  }

  async #reach<T>(done: string, path: string, work: () => Promise<T>): Promise<T> {
    try {
      if (this.#refusesLinks) await this.#checkLinks(path);
      return await work();
    } catch (cause) {
      throw unreachable(`${placeOf(this, path)} cannot be ${done}: ${(cause as Error).message}`, cause);
    }
  }
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "wx");
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes the names in a folder durable, if the file system can do that. */
async function syncNames(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  try {
    await withHandle(folder, constants.O_RDONLY, (handle) => handle.sync());
  } catch (error) {
    if (!CANNOT_SYNC.includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

async function withHandle<T>(
  path: string,
  flags: number,
  work: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const file = await open(path, flags);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

async function undefinedIfMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function unreachable(message: string, cause?: unknown): MerostoreError {
  return new MerostoreError("NETWORK_ERROR", message, { cause });
}

/**
 * Returns the files of a folder that others reach.
 *
 * @param what the folder, for errors
 * @param refusesLinks see {@link SharedFolder}
 * @throws MerostoreError INVALID_ARGUMENT
 */
export function folderStore(folder: PathOrUrl, what: string, refusesLinks: boolean): FileStore {
  return new SharedFolder(realPath(folderPath(folder, what)), refusesLinks);
}
