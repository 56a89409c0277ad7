/** Write access to the files of a database: the calls of a file system that a writer needs. */

import type { FileSet, MaybePromise } from "./source.js";

/** A new file. */
export interface WritableFile {
  /** Writes bytes at an offset. Returns a promise only if that takes long. @throws MerostoreError ENGINE_FAILED */
  write(bytes: Uint8Array, offset: number): MaybePromise<void>;
  /** Shortens the file. @throws MerostoreError ENGINE_FAILED */
  truncate(length: number): Promise<void>;
  /** Makes the content durable, but not the name. @throws MerostoreError ENGINE_FAILED */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The files of a database. No other writer of this package writes them. */
export interface WritableFiles extends FileSet {
  /** Creates a file. @throws MerostoreError ENGINE_FAILED, also if it exists */
  create(file: string): Promise<WritableFile>;
  /**
   * Replaces the content of a file atomically and durably: in any case it has the old or the new content.
   *
   * @param temporary the name of the new file, if the replacement is a rename. `syncNames` makes the rename durable
   * @throws MerostoreError ENGINE_FAILED; the file then has the old content, or is still absent, or can no longer be
   *   read
   */
  replace(file: string, bytes: Uint8Array, temporary: string): Promise<void>;
  /** Shortens a file durably. @throws MerostoreError ENGINE_FAILED */
  cut(file: string, length: number): Promise<void>;
  /** Removes a file, if it exists. Open readers can continue. */
  remove(file: string): Promise<void>;
  /** Makes the names of all files durable. @throws MerostoreError ENGINE_FAILED */
  syncNames(): Promise<void>;
  /** Returns whether no program has opened the database since CURRENT named the given MANIFEST. */
  isAlone(manifest: string): boolean;
}
