/** Read-only access to the files of a database: a folder, files picked in a browser, or files on a web server. */

import { MerostoreError } from "../errors.js";
import { RESTORE } from "./damage.js";

/** A value, or a promise of it. */
export type MaybePromise<T> = T | Promise<T>;

/** Calls `next` with a value, synchronously if possible: awaiting takes longer than most of the work. */
export function chain<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** An open file. Its content at the opening stays readable until it is closed, even after its deletion. */
export interface FileSource {
  /** Size in bytes at the time of opening. A live writer may append more. */
  readonly size: number;
  /**
   * Fills `target` with the bytes from `offset` on and returns it.
   *
   * @throws MerostoreError DATABASE_DAMAGED if the file is shorter, ENGINE_FAILED if the system refuses
   */
  read(offset: number, target: Uint8Array): Promise<Uint8Array>;
  /** Synchronous {@link read} for few bytes that are likely in memory. Absent if not available. */
  readNow?(offset: number, target: Uint8Array): Uint8Array;
  /** Returns the present size, which may have grown. Absent if the file cannot change after the opening. */
  sizeNow?(): number;
  /** Returns true if the name is that of another file now. Absent where that cannot be told. */
  isReplaced?(): boolean;
  /** Closes the file; it is not read afterwards. */
  close(): void;
}

/** The files of one database. */
export interface FileSet {
  /** The name of the database in messages: the path of a folder. */
  readonly name: string;
  /** Returns the name of a file in messages. */
  where(file: string): string;
  /** Returns the names of all files. */
  list(): MaybePromise<readonly string[]>;
  /**
   * Opens a file for reading; undefined if it does not exist.
   *
   * @throws MerostoreError DATABASE_DAMAGED for a pipe, a folder or anything else that is not a regular file
   */
  open(file: string): MaybePromise<FileSource | undefined>;
  /** True if names and files follow the changes of a writer. Files then have `sizeNow`. */
  readonly isLive?: boolean;
  /** True if reads are slow, as over a network. Tables are then opened when they are needed. */
  readonly isFar?: boolean;
  /** The number of the last write-ahead log that a server was asked for. Absent if files can be listed. */
  readonly lastSought?: number;
  /** Returns true if a path in a file of the database means this folder. Absent if the files have no paths. */
  isAt?(path: string): boolean;
}

/** Reads of at most this many bytes are synchronous if possible, because awaiting takes longer. */
const AT_ONCE = 64 * 1024;

/** Reads bytes synchronously or asynchronously, whichever is faster. */
export function readBytes(source: FileSource, offset: number, target: Uint8Array): MaybePromise<Uint8Array> {
  if (target.length > AT_ONCE || source.readNow === undefined) return source.read(offset, target);
  return source.readNow(offset, target);
}

/**
 * Reads a whole file; undefined if it does not exist.
 *
 * @param most the maximum size of such a file in bytes; a longer file is not read
 * @param tooLong the error for a longer file; DATABASE_DAMAGED by default
 */
export async function readWhole(
  files: FileSet,
  file: string,
  most: number,
  tooLong: (size: number) => Error = (size) => implausible(files.where(file), size),
): Promise<Uint8Array | undefined> {
  const source = await files.open(file);
  if (source === undefined) return undefined;
  try {
    if (source.size > most) throw tooLong(source.size);
    return await readBytes(source, 0, new Uint8Array(source.size));
  } finally {
    source.close();
  }
}

/** Creates the error about a file that ends too early. */
export function endsEarly(where: string, end: number, advice = ""): MerostoreError {
  return new MerostoreError(
    "DATABASE_DAMAGED",
    `${where} ends at byte ${end}, where more was expected: it was truncated${advice}`,
  );
}

function implausible(where: string, size: number): MerostoreError {
  return new MerostoreError(
    "DATABASE_DAMAGED",
    `${where} has ${size} bytes, too many for such a file: it was overwritten. ${RESTORE}`,
  );
}
