/** Where the bytes of a database come from: a folder, or files that a browser was given. Read, never written. */

/** A value that is there at once, or comes later. */
export type MaybePromise<T> = T | Promise<T>;

/** One open file. What was in it when it was opened can be read until it is closed, even if it is deleted meanwhile. */
export interface FileSource {
  /** Bytes, at the moment of opening: a live writer may append more. */
  readonly size: number;
  /**
   * `length` bytes from `offset` on, never fewer, in a buffer that nobody else uses.
   *
   * @throws MerostoreError DATABASE_DAMAGED when the file is shorter, ENGINE_FAILED when the system refuses
   */
  read(offset: number, length: number): MaybePromise<Uint8Array>;
  close(): void;
}

/** The files of one database. */
export interface FileSet {
  /** What the database is called in messages: the path of a folder. */
  readonly name: string;
  /** How a file is called in messages. */
  where(file: string): string;
  /** The names of all files. */
  list(): MaybePromise<readonly string[]>;
  /** Opens a file for reading; undefined when there is none of this name. */
  open(file: string): MaybePromise<FileSource | undefined>;
}

/** A whole file, or undefined when there is none of this name. */
export async function readWhole(files: FileSet, file: string): Promise<Uint8Array | undefined> {
  const source = await files.open(file);
  if (source === undefined) return undefined;
  try {
    return await source.read(0, source.size);
  } finally {
    source.close();
  }
}
