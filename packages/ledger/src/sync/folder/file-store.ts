/** The place where devices share files: a folder, or a server. */
import { isMerostoreError, type PathOrUrl } from "merostore/internal";
import { folderStore } from "./shared-folder.js";

/** A file as it was read. */
export interface ReadFile {
  readonly bytes: Uint8Array;
  /** Changes with each change of the file. */
  readonly version: string;
  /** Bytes of the whole file. */
  readonly size: number;
  /** The time of the last write, if the store tells. */
  readonly modified?: Date | undefined;
}

/**
 * The files of a shared folder, which several devices read and write at the same time. {@link folderCloud} uses nothing
 * else. A path has `/` between its parts, which consist of lower-case letters, digits, `-` and `.`. A method throws
 * NETWORK_ERROR if the store cannot be reached: the cloud tries again later. Any other error ends the sync with the
 * state `error`.
 */
export interface FileStore {
  /** The name of the store in messages, such as its path or URL. */
  readonly name: string;

  /** Throws NETWORK_ERROR unless the store is there. */
  checkIsThere(): Promise<void>;

  /** The names of the files and folders in a folder, `""` for the whole store; empty for a missing folder. */
  list(folder: string): Promise<string[]>;

  /**
   * Reads a part of a file.
   *
   * @param most the most bytes; one more byte is read of a longer file
   * @param known a version of the file
   * @param from the first byte to read, 0 unless given
   * @returns undefined for a missing file, `unchanged` for one that has the known version
   */
  read(
    path: string,
    most: number,
    known?: string,
    from?: number,
  ): Promise<ReadFile | "unchanged" | undefined>;

  /**
   * Writes a file. At every moment readers see the old file or the whole new file. The new file is durable when the
   * promise is resolved.
   */
  write(path: string, bytes: Uint8Array): Promise<void>;

  /** Removes a file, if it is there. */
  remove(path: string): Promise<void>;

  /** Removes a folder, if it is empty. Absent in a store whose folders are only parts of names. */
  removeEmpty?(folder: string): Promise<void>;

  /**
   * Returns the same store for one page, which aborts the signal when it closes: running reads then end with
   * NETWORK_ERROR. Without this method, closing waits for running reads.
   */
  within?(signal: AbortSignal): FileStore;
}

/** The place of a file for messages. */
export function placeOf({ name }: FileStore, path: string): string {
  return path === "" ? name : `${name}/${path}`;
}

/** Reads any version of a file, or a part of it. Undefined if it is missing. */
export async function readAny(
  store: FileStore,
  path: string,
  most: number,
  from = 0,
): Promise<ReadFile | undefined> {
  const found = await store.read(path, most, undefined, from);
  return found === "unchanged" ? undefined : found;
}

/** Undefined for an unreadable file: it must not stop the reading of the others. A missing store is an error. */
export async function ifReadable<T>(store: FileStore, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!isMerostoreError(error, "NETWORK_ERROR")) throw error;
    await store.checkIsThere();
    return undefined;
  }
}

const METHODS = ["checkIsThere", "list", "read", "write", "remove"] as const;

/**
 * Returns the files of a folder, or the given store.
 *
 * @param what the name of the argument, for errors
 * @param refusesLinks whether symbolic links in a folder are refused
 * @throws MerostoreError INVALID_ARGUMENT
 */
export function storeOf(folder: PathOrUrl | FileStore, what: string, refusesLinks = false): FileStore {
  return isStore(folder) ? folder : folderStore(folder, what, refusesLinks);
}

function isStore(value: PathOrUrl | FileStore): value is FileStore {
  const methods = value as Partial<FileStore> | null | undefined;
  return METHODS.every((method) => typeof methods?.[method] === "function");
}
