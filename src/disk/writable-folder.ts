/** Writes the files of a database in a folder. */

import { constants, writeSync } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { MaybePromise } from "../lsm/source.js";
import type { WritableFile, WritableFiles } from "../lsm/writable-files.js";
import { Folder } from "./folder.js";
import { NodeWatch } from "./node-watch.js";
import { fileError, shorten, syncFolder, withMessage } from "./sync-folder.js";

/**
 * Writes of at most this many bytes are synchronous: they only reach the system's cache, and awaiting that takes
 * longer.
 */
const AT_ONCE = 64 * 1024;

/** The permissions for new files in a folder, and the place of RocksDB's LOG. */
interface FolderAccess {
  /** The permissions of new files. */
  readonly mode: number;
  /** True if RocksDB keeps its LOG in another folder. */
  readonly logsElsewhere: boolean;
}

/** A folder that is open for writing. */
export class WritableFolder extends Folder implements WritableFiles {
  readonly #folder: string;
  readonly #mode: number;
  readonly #watch: NodeWatch;

  /**
   * @param path with links resolved
   * @param name the path as the caller named it
   */
  constructor(path: string, name: string, { mode, logsElsewhere }: FolderAccess) {
    super(path, name);
    this.#folder = path;
    this.#mode = mode;
    this.#watch = new NodeWatch(path, logsElsewhere);
  }

  create(file: string): Promise<WritableFile> {
    const path = join(this.#folder, file);
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
    return withMessage(
      `${path} cannot be created`,
      async () => new NewFile(path, await open(path, flags, this.#mode)),
    );
  }

  async replace(file: string, bytes: Uint8Array, temporary: string): Promise<void> {
    const made = await this.create(temporary);
    try {
      try {
        await made.write(bytes, 0);
        await made.sync();
      } finally {
        await made.close();
      }
      await this.syncNames();
      const path = join(this.#folder, file);
      await withMessage(`${path} cannot be replaced`, () => rename(join(this.#folder, temporary), path));
    } catch (error) {
      await this.remove(temporary);
      throw error;
    }
  }

  async cut(file: string, length: number): Promise<void> {
    const path = join(this.#folder, file);
    await withMessage(`${path} cannot be shortened`, () => shorten(path, length));
  }

  remove(file: string): Promise<void> {
    return rm(join(this.#folder, file), { force: true });
  }

  syncNames(): Promise<void> {
    return syncFolder(this.#folder);
  }

  isAlone(manifest: string): boolean {
    return this.#watch.isAlone(manifest);
  }
}

class NewFile implements WritableFile {
  readonly #path: string;
  readonly #file: FileHandle;

  constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  write(bytes: Uint8Array, offset: number): MaybePromise<void> {
    if (bytes.length > AT_ONCE) return this.#writeLater(bytes, offset);
    try {
      for (let done = 0; done < bytes.length; )
        done += writeSync(this.#file.fd, bytes, done, bytes.length - done, offset + done);
    } catch (error) {
      throw fileError(this.#notWritten, error);
    }
  }

  get #notWritten(): string {
    return `${this.#path} cannot be written`;
  }

  #writeLater(bytes: Uint8Array, offset: number): Promise<void> {
    return withMessage(this.#notWritten, async () => {
      for (let done = 0; done < bytes.length; )
        done += (await this.#file.write(bytes, done, bytes.length - done, offset + done)).bytesWritten;
    });
  }

  truncate(length: number): Promise<void> {
    return withMessage(`${this.#path} cannot be shortened`, () => this.#file.truncate(length));
  }

  sync(): Promise<void> {
    return withMessage(`${this.#path} cannot be synced`, async () => {
      // On macOS only `fsync` reaches the disk: Node calls F_FULLFSYNC there.
      await (process.platform === "linux" ? this.#file.datasync() : this.#file.sync());
    });
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
