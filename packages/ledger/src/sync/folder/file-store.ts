/** The place where devices share files: a folder, or a server. */
import type { PathOrUrl } from "merostore/internal";
import { folderStore } from "./shared-folder.js";

/** A file as it was read. */
export interface ReadFile {
  readonly bytes: Uint8Array;
  /** Differs once the file was changed. */
  readonly version: string;
  /** Bytes of the whole file. */
  readonly size: number;
  /** The time when it was written, if the store tells. */
  readonly modified?: Date | undefined;
}

/**
 * The files of a shared folder, which several devices read and write at the same time. {@link folderCloud} uses nothing else. A path has `/`
 * between its parts, which consist of lower-case letters, digits, `-` and `.`. A method throws NETWORK_ERROR if the store cannot be reached:
 * the cloud tries again later. Any other error ends the sync with the state `error`.
 */
export interface FileStore {
  /** The name of the store in messages, such as its path or URL. */
  readonly name: string;

  /** Throws NETWORK_ERROR unless the store is there. */
  checkIsThere(): Promise<void>;

  /** The names of files and folders in a folder, `""` for the whole store; none if it is missing. */
  list(folder: string): Promise<string[]>;

  /**
   * Reads a part of a file.
   *
   * @param most bytes: of a longer file one more is read
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
   * Writes a file. Readers see the old file or the whole new one at every moment; the new one is durable when the promise is resolved.
   */
  write(path: string, bytes: Uint8Array): Promise<void>;

  /** Removes a file, if it is there. */
  remove(path: string): Promise<void>;

  /** Removes a folder, if it is empty. A store whose folders are only parts of names does not have it. */
  removeEmpty?(folder: string): Promise<void>;

  /**
   * The same store for one page, which aborts the signal when it closes: what is being read ends with NETWORK_ERROR then. Without it,
   * closing waits for what is being read.
   */
  within?(signal: AbortSignal): FileStore;
}

/** The place of a file for messages. */
export function placeOf({ name }: FileStore, path: string): string {
  return path === "" ? name : `${name}/${path}`;
}

/** Reads a file, or a part of it, whatever version it has. Undefined if it is missing. */
export async function readAny(
  store: FileStore,
  path: string,
  most: number,
  from = 0,
): Promise<ReadFile | undefined> {
  const found = await store.read(path, most, undefined, from);
  return found === "unchanged" ? undefined : found;
}

const METHODS = ["checkIsThere", "list", "read", "write", "remove"] as const;

/**
 * Returns the files of a folder, or a store that was given.
 *
 * @param what what is given, for errors
 * @param refusesLinks of a folder: whether symbolic links in it are refused
 * @throws MerostoreError INVALID_ARGUMENT
 */
export function storeOf(folder: PathOrUrl | FileStore, what: string, refusesLinks = false): FileStore {
  return isStore(folder) ? folder : folderStore(folder, what, refusesLinks);
}

function isStore(value: PathOrUrl | FileStore): value is FileStore {
  const methods = value as Partial<FileStore> | null | undefined;
  return METHODS.every((method) => typeof methods?.[method] === "function");
}
