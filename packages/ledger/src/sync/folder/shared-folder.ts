/**
 * Files in a folder that other devices read and write at the same time. A file gets its name once it is complete and synced;
 * what others have copied there may be incomplete.
 */
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { MerostoreError } from "merostore/internal";

/** A file as it was read. */
export interface ReadFile {
  readonly bytes: Uint8Array;
  /** Differs once the file was changed. */
  readonly version: string;
  /** Bytes of the whole file. */
  readonly size: number;
}

/** The folder of unfinished files. */
const UNFINISHED = "unfinished";
/** Milliseconds after which an unfinished file counts as left by a killed process. */
const LEFT_AFTER = 24 * 60 * 60 * 1000;
/** The errors of file systems that cannot sync folders. */
const CANNOT_SYNC = ["EINVAL", "EPERM", "EACCES", "EISDIR", "ENOTSUP", "ENOSYS", "EBADF"];

export class SharedFolder {
  readonly path: string;

  /** @param path a folder that exists */
  constructor(path: string) {
    this.path = path;
  }

  /** @throws MerostoreError NETWORK_ERROR if there is no such folder */
  async checkIsThere(): Promise<void> {
    const found = await this.#reach("looked for", "", () => stat(this.path));
    if (!found.isDirectory()) throw unreachable(`${this.path} is not a folder`);
  }

  /**
   * Writes a file: the old file or the new one is there at every moment, and the new one is on disk when its folder was synced
   * after this.
   *
   * @param path within the folder
   * @throws MerostoreError NETWORK_ERROR
   */
  async write(path: string, bytes: Uint8Array): Promise<void> {
    const unfinished = join(this.path, UNFINISHED, randomBytes(16).toString("hex"));
    const target = join(this.path, path);
    await this.#reach("written", path, async () => {
      await mkdir(dirname(unfinished), { recursive: true });
      await mkdir(dirname(target), { recursive: true });
      try {
        await writeSynced(unfinished, bytes);
        await rename(unfinished, target);
      } catch (error) {
        await rm(unfinished, { force: true }).catch(() => undefined);
        throw error;
      }
    });
  }

  /** Makes the names of the files in these folders durable, where the file system can do that. */
  async sync(paths: Iterable<string>): Promise<void> {
    if (process.platform === "win32") return;
    for (const path of new Set(paths))
      await this.#reach("synced", path, async () => {
        try {
          await withHandle(join(this.path, path), constants.O_RDONLY, (folder) => folder.sync());
        } catch (error) {
          if (!CANNOT_SYNC.includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
        }
      });
  }

  /**
   * Reads a file.
   * @param most bytes: of a longer file only one more is read
   * @param from the first byte to read
   * @returns undefined if absent, or something that is not a file
   * @throws MerostoreError NETWORK_ERROR
   */
  read(path: string, most: number, known?: undefined, from?: number): Promise<ReadFile | undefined>;
  /**
   * Reads a file if it has changed.
   * @param known a version of the file
   */
  read(
    path: string,
    most: number,
    known: string | undefined,
    from?: number,
  ): Promise<ReadFile | "unchanged" | undefined>;
  read(path: string, most: number, known?: string, from = 0): Promise<ReadFile | "unchanged" | undefined> {
    const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
    return this.#reach("read", path, () =>
      undefinedIfMissing(
        withHandle(join(this.path, path), flags, async (file) => {
          const found = await file.stat();
          if (!found.isFile()) return undefined;
          const { size, mtimeMs, ctimeMs, ino } = found;
          const version = [size, mtimeMs, ctimeMs, ino].join(" ");
          if (version === known) return "unchanged";
          const buffer = new Uint8Array(Math.max(0, Math.min(size - from, most + 1)));
          let length = 0;
          while (length < buffer.length) {
            const { bytesRead } = await file.read(buffer, length, buffer.length - length, from + length);
            if (bytesRead === 0) break;
            length += bytesRead;
          }
          return { bytes: buffer.subarray(0, length), version, size };
        }),
      ),
    );
  }

  /**
   * Removes a file, if it is there.
   * @throws MerostoreError NETWORK_ERROR
   */
  remove(path: string): Promise<void> {
    return this.#reach("removed", path, () => rm(join(this.path, path), { force: true }));
  }

  /** Removes a folder, if it is empty. */
  async removeEmpty(path: string): Promise<void> {
    await rmdir(join(this.path, path)).catch(() => undefined);
  }

  /** The names in a folder; none if it is missing. */
  async names(path: string): Promise<string[]> {
    const found = await this.#reach("read", path, () => undefinedIfMissing(readdir(join(this.path, path))));
    return found ?? [];
  }

  /** Removes unfinished files that killed processes left a day ago. */
  async removeLeft(): Promise<void> {
    for (const name of await this.names(UNFINISHED)) {
      const path = join(this.path, UNFINISHED, name);
      const found = await undefinedIfMissing(stat(path));
      if (found !== undefined && Date.now() - found.mtimeMs > LEFT_AFTER)
        await rm(path, { force: true, recursive: true });
    }
  }

  async #reach<T>(done: string, path: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      const what = join(this.path, path);
      throw unreachable(`${what} cannot be ${done}: ${(cause as Error).message}`, cause);
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
