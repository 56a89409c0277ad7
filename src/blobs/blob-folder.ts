/** The blob folder of a node: one file for each chunk, named by its id in base58. */

import { lstatSync, statSync } from "node:fs";
import { opendir, open as openFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fromBase58, toBase58 } from "../bytes/base58.js";
import { equalBytes } from "../bytes/order.js";
import { sha256 } from "../crypto/index.js";
import { PRIVATE_FILE } from "../disk/access.js";
import { folderFiles } from "../disk/folder.js";
import { folderPath, type PathOrUrl } from "../disk/location.js";
import { realPath } from "../disk/outside.js";
import { syncFolder, withMessage } from "../disk/sync-folder.js";
import { invalidArgument, isMerostoreError, orUndefined } from "../errors.js";
import type { FileSource } from "../lsm/source.js";
import type { BlobFiles } from "./blob-files.js";

/** The most bytes that are read of a file. A chunk has at most 1 MiB, so this is enough to recognise a longer file. */
const MOST_BYTES = 16 * 1024 * 1024 + 1;

/** The kind of a file in a folder of blobs, by its name: a chunk, an unfinished file, or neither. */
export type BlobFileKind = "chunk" | "unfinished" | "other";

/** An entry of a folder of blobs. */
export interface BlobFileEntry {
  /** The name in the folder. Nodes never write one with hidden characters, others may. */
  readonly name: string;
  /**
   * A name with a dot belongs to an unfinished file. Any other name than an id is foreign, and so are folders and
   * links.
   */
  readonly kind: BlobFileKind;
  /** The chunk's id, 32 bytes; undefined unless the kind is `chunk`. */
  readonly blobId: Uint8Array | undefined;
  /** Bytes of the file. */
  readonly size: number;
}

/** The files of a folder of blobs, for reading and writing. */
export interface BlobFolder extends BlobFiles {
  /** The path of the folder. */
  readonly path: string;
  /** Lists the folder, in any order. */
  entries(): AsyncGenerator<BlobFileEntry, void, undefined>;
  /**
   * Writes the file of a chunk, unless a file with the same content exists. The file is synced before it gets its name;
   * the name is durable after `sync`.
   *
   * @returns whether a file was written
   */
  write(chunkId: Uint8Array, content: Uint8Array): Promise<boolean>;
  /** Removes the file of a chunk, if it exists. */
  remove(chunkId: Uint8Array): Promise<void>;
  /** Removes an unfinished file. @throws MerostoreError `INVALID_ARGUMENT` for any other name */
  removeUnfinished(name: string): Promise<void>;
  /** Makes the names of written and removed files durable. */
  sync(): Promise<void>;
}

/** A base58 name, and the part that a node adds during the write: `<id>.tmp-<pid>-<n>`. */
const UNFINISHED = /^[1-9A-HJ-NP-Za-km-z]{32,44}\.tmp-\d{1,20}-\d{1,20}$/;

/**
 * The files of a folder: a node has it beside its database, under the name `blobs`. Of a file that is far longer than a
 * chunk only the beginning is read, and a pipe, a folder or a device does not count as a file.
 * @throws MerostoreError `INVALID_ARGUMENT` if the folder does not exist
 */
export async function blobFolder(location: PathOrUrl): Promise<BlobFolder> {
  const path = folderPath(location, "the folder of blob files");
  const found = orUndefined(() => statSync(path));
  if (found?.isDirectory() !== true) throw invalidArgument(`${path} is not a folder of blob files`);
  return new Folder(realPath(path));
}

class Folder implements BlobFolder {
  readonly path: string;
  readonly #files: ReturnType<typeof folderFiles>;
  #written = 0;

  constructor(path: string) {
    this.path = path;
    this.#files = folderFiles(path);
  }

  async read(chunkId: Uint8Array, buffer?: Uint8Array): Promise<Uint8Array | undefined> {
    const file = await this.#open(toBase58(chunkId));
    if (file === undefined) return undefined;
    const size = Math.min(file.size, MOST_BYTES);
    const fits = buffer !== undefined && size <= buffer.length;
    try {
      return await file.read(0, fits ? buffer.subarray(0, size) : new Uint8Array(size));
    } finally {
      file.close();
    }
  }

  async *entries(): AsyncGenerator<BlobFileEntry, void, undefined> {
    for await (const { name } of await opendir(this.path)) {
      const found = orUndefined(() => lstatSync(join(this.path, name)));
      if (found === undefined) continue; // removed meanwhile
      const blobId = found.isFile() ? idOf(name) : undefined;
      const isUnfinished = found.isFile() && UNFINISHED.test(name);
      const kind = blobId !== undefined ? "chunk" : isUnfinished ? "unfinished" : "other";
      yield { name, kind, blobId, size: found.size };
    }
  }

  async write(chunkId: Uint8Array, content: Uint8Array): Promise<boolean> {
    const name = toBase58(chunkId);
    const there = await this.read(chunkId);
    if (there !== undefined && there.length === content.length && equalBytes(sha256(there), chunkId))
      return false;
    const path = join(this.path, name);
    const made = `${path}.tmp-${process.pid}-${this.#written++}`;
    await withMessage(`${path} cannot be written`, async () => {
      try {
        const file = await openFile(made, "wx", PRIVATE_FILE);
        try {
          await file.writeFile(content);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(made, path);
      } catch (error) {
        await rm(made, { force: true });
        throw error;
      }
    });
    return true;
  }

  async remove(chunkId: Uint8Array): Promise<void> {
    await this.#remove(toBase58(chunkId));
  }

  async removeUnfinished(name: string): Promise<void> {
    if (!UNFINISHED.test(name)) throw invalidArgument("the name is not that of an unfinished file");
    await this.#remove(name);
  }

  async sync(): Promise<void> {
    await syncFolder(this.path);
  }

  async #remove(name: string): Promise<void> {
    const path = join(this.path, name);
    await withMessage(`${path} cannot be removed`, () => rm(path, { force: true }));
  }

  async #open(name: string): Promise<FileSource | undefined> {
    try {
      return await this.#files.open(name);
    } catch (error) {
      if (isMerostoreError(error, "DATABASE_DAMAGED")) return undefined; // a pipe, a folder or a device
      throw error;
    }
  }
}

/** Returns the id in the name of a chunk's file; undefined for other names. */
function idOf(name: string): Uint8Array | undefined {
  if (name.length < 32 || name.length > 44) return undefined;
  const id = orUndefined(() => fromBase58(name));
  return id?.length === 32 ? id : undefined;
}
