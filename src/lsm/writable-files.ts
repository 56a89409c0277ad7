/** Write access to the files of a database: what a writer needs of a file system. */

import type { FileSet, MaybePromise } from "./source.js";

/** A new file. */
export interface WritableFile {
  /** Writes bytes at an offset. Gives a promise only if that takes long. @throws MerostoreError ENGINE_FAILED */
  write(bytes: Uint8Array, offset: number): MaybePromise<void>;
  /** Shortens the file. @throws MerostoreError ENGINE_FAILED */
  truncate(length: number): Promise<void>;
  /** Makes the content durable, but not the name. @throws MerostoreError ENGINE_FAILED */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The files of a database, of which this is the only writer of its kind. */
export interface WritableFiles extends FileSet {
  /** Creates a file. @throws MerostoreError ENGINE_FAILED, also if it is there */
  create(file: string): Promise<WritableFile>;
  /**
   * Gives a file another content, at once and durably: whatever happens, it has the old one or the new one.
   *
   * @param temporary the name of the file that takes its place, where one does. `syncNames` makes that durable
   * @throws MerostoreError ENGINE_FAILED: then it has the old one, or is not there as before, or can no longer be read
   */
  replace(file: string, bytes: Uint8Array, temporary: string): Promise<void>;
  /** Shortens a file, durably. @throws MerostoreError ENGINE_FAILED */
  cut(file: string, length: number): Promise<void>;
  /** Removes a file, if it is there. Reads that have it open go on. */
  remove(file: string): Promise<void>;
  /** Makes the names of all files durable. @throws MerostoreError ENGINE_FAILED */
  syncNames(): Promise<void>;
  /** Returns whether no program has opened the database since CURRENT was made to name a MANIFEST. */
  isAlone(manifest: string): boolean;
}
