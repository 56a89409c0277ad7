/** The files of a database in the private file system of an origin, which browsers give to each site. */

import { MerostoreError } from "../errors.js";
import { MOST_BYTES } from "./catalog/catalog.js";
import { PickedPages } from "./picked-pages.js";
import { type PickedFile, PickedSource } from "./picked-source.js";
import { type FileSource, readWhole } from "./source.js";
import type { WritableFile, WritableFiles } from "./writable-files.js";

/** A folder of the private file system: the used part of a `FileSystemDirectoryHandle`. */
export interface OriginFolder {
  /** Returns the names of all files and folders in it. */
  keys(): AsyncIterableIterator<string>;
  /** Returns a file; with `create`, an empty one if there is none. Rejects if there is none. */
  getFileHandle(name: string, options?: { readonly create?: boolean }): Promise<OriginFile>;
  /** Removes a file. Rejects if there is none. */
  removeEntry(name: string): Promise<void>;
}

/** A file of the private file system: the used part of a `FileSystemFileHandle`. */
export interface OriginFile {
  /** Returns the content of this moment. */
  getFile(): Promise<PickedFile>;
  /** Opens the file for writing, exclusively. Only dedicated workers have this method. */
  createSyncAccessHandle?(): Promise<OriginAccess>;
}

/** A file that is open for writing: the used part of a `FileSystemSyncAccessHandle`. */
export interface OriginAccess {
  /** Writes bytes at an offset. Returns the number of written bytes. */
  write(bytes: Uint8Array<ArrayBuffer>, options: { readonly at: number }): number;
  /** Sets the length of the file in bytes. */
  truncate(size: number): void;
  /** Makes the content durable. */
  flush(): void;
  /** Closes the file. */
  close(): void;
}

/** A folder of which the caller has made sure that nobody else writes to it. */
export class OriginFiles implements WritableFiles {
  readonly name: string;
  readonly #folder: OriginFolder;
  readonly #pages = new PickedPages();
  /** The number of open readers of each file. A browser ends reads when the file is removed. */
  readonly #open = new Map<string, number>();
  /** Files to remove when their readers close them. */
  readonly #removed = new Set<string>();
  /** Files whose content on the disk may be old or new, because a replacement failed and could not be undone. */
  readonly #unsure = new Set<string>();

  constructor(folder: OriginFolder, name: string) {
    this.#folder = folder;
    this.name = name;
  }

  where(file: string): string {
    return `${this.name}/${file}`;
  }

  async list(): Promise<readonly string[]> {
    const names: string[] = [];
    for await (const name of this.#folder.keys()) if (!this.#removed.has(name)) names.push(name);
    return names;
  }

  async open(file: string): Promise<FileSource | undefined> {
    const where = this.where(file);
    const found = await refusing(`${where} cannot be read`, async () => {
      if (this.#unsure.has(file)) throw new Error("it was not replaced as a whole. Open the database again");
      return (await this.#find(file))?.getFile();
    });
    if (found === undefined) return undefined;
    const source = new PickedSource(found, where, this.#pages);
    this.#open.set(file, (this.#open.get(file) ?? 0) + 1);
    return {
      size: source.size,
      read: (offset, target) => source.read(offset, target),
      close: () => {
        source.close();
        this.#closed(file);
      },
    };
  }

  create(file: string): Promise<WritableFile> {
    const where = this.where(file);
    return refusing(`${where} cannot be created`, async () => {
      if ((await this.#find(file)) !== undefined) throw new Error("it is there already");
      return new AccessedFile(where, await this.#access(file));
    });
  }

  /**
   * Rewrites the file in place. The only replaced file is CURRENT, which is shorter than a sector and never gets
   * shorter.
   */
  async replace(file: string, bytes: Uint8Array): Promise<void> {
    const where = this.where(file);
    const before = await readWhole(this, file, MOST_BYTES.current);
    const opened = await refusing(
      `${where} cannot be opened`,
      async () => new AccessedFile(where, await this.#access(file)),
    );
    try {
      await rewrite(opened, bytes);
      await opened.close();
    } catch (error) {
      await this.#restore(file, opened, before).catch(() => this.#unsure.add(file));
      throw error;
    }
  }

  /** Restores the old content of a file, or removes the file if there was none. */
  async #restore(file: string, opened: AccessedFile, before: Uint8Array | undefined): Promise<void> {
    try {
      if (before !== undefined) await rewrite(opened, before);
    } finally {
      await opened.close();
    }
    if (before === undefined) await this.#folder.removeEntry(file);
  }

  async cut(file: string, length: number): Promise<void> {
    const where = this.where(file);
    await refusing(`${where} cannot be shortened`, async () => {
      const opened = new AccessedFile(where, await this.#access(file));
      try {
        await opened.truncate(length);
        await opened.sync();
      } finally {
        await opened.close();
      }
    });
  }

  async remove(file: string): Promise<void> {
    this.#removed.add(file);
    if (!this.#open.has(file)) await this.#removeNow(file);
  }

  /** Browsers have no call for this. */
  async syncNames(): Promise<void> {}

  isAlone(): boolean {
    return true;
  }

  async #find(file: string): Promise<OriginFile | undefined> {
    try {
      return await this.#folder.getFileHandle(file);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #access(file: string): Promise<OriginAccess> {
    const handle = await this.#folder.getFileHandle(file, { create: true });
    return (handle as Required<OriginFile>).createSyncAccessHandle();
  }

  #closed(file: string): void {
    const open = (this.#open.get(file) as number) - 1;
    if (open > 0) this.#open.set(file, open);
    else this.#open.delete(file);
    if (open === 0 && this.#removed.has(file)) this.#removeNow(file).catch(() => undefined); // a later flush removes it
  }

  async #removeNow(file: string): Promise<void> {
    try {
      await this.#folder.removeEntry(file);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    } finally {
      this.#removed.delete(file);
    }
  }
}

class AccessedFile implements WritableFile {
  readonly #where: string;
  readonly #access: OriginAccess;

  constructor(where: string, access: OriginAccess) {
    this.#where = where;
    this.#access = access;
  }

  write(bytes: Uint8Array, offset: number): void {
    try {
      for (let done = 0; done < bytes.length; ) {
        const rest = bytes.subarray(done) as Uint8Array<ArrayBuffer>;
        const written = this.#access.write(rest, { at: offset + done });
        if (written === 0) throw new Error("the browser wrote nothing");
        done += written;
      }
    } catch (error) {
      throw failure(`${this.#where} cannot be written`, error);
    }
  }

  truncate(length: number): Promise<void> {
    return refusing(`${this.#where} cannot be shortened`, async () => this.#access.truncate(length));
  }

  sync(): Promise<void> {
    return refusing(`${this.#where} cannot be synced`, async () => this.#access.flush());
  }

  async close(): Promise<void> {
    this.#access.close();
  }
}

/** Replaces the content of a file durably. */
async function rewrite(file: AccessedFile, bytes: Uint8Array): Promise<void> {
  file.write(bytes, 0);
  await file.truncate(bytes.length);
  await file.sync();
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && error.name === "NotFoundError";
}

async function refusing<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw failure(what, error);
  }
}

function failure(what: string, cause: unknown): MerostoreError {
  return new MerostoreError("ENGINE_FAILED", `${what}: ${(cause as Error).message}`, { cause });
}
