/** Where the bytes of a database come from: a folder, or files that a browser was given. Read, never written. */

import { MerostoreError } from "../errors.js";

/** A value that is there at once, or comes later. */
export type MaybePromise<T> = T | Promise<T>;

/** Goes on with a value: at once if it is there, for a wait costs more than most of what is done here. */
export function chain<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** One open file. What was in it when it was opened can be read until it is closed, even if it is deleted meanwhile. */
export interface FileSource {
  /** Bytes, at the moment of opening: a live writer may append more. */
  readonly size: number;
  /**
   * Fills `target` with the bytes from `offset` on, and gives it back.
   *
   * @throws MerostoreError DATABASE_DAMAGED when the file is shorter, ENGINE_FAILED when the system refuses
   */
  read(offset: number, target: Uint8Array): Promise<Uint8Array>;
  /** As `read`, done when it returns. Absent where there is no such way. For few bytes that are likely in memory. */
  readNow?(offset: number, target: Uint8Array): Uint8Array;
  /** Closes the file; it is not read afterwards. */
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
  /**
   * Opens a file for reading; undefined when there is none of this name.
   *
   * @throws MerostoreError DATABASE_DAMAGED for a pipe, a folder and whatever else is no file
   */
  open(file: string): MaybePromise<FileSource | undefined>;
  /** Whether the path of a folder, as a file of the database has it, leads to these files. Absent where there are no paths. */
  isAt?(path: string): boolean;
}

/** Bytes up to this many are read at once, where there is a way: to wait for them would take longer. */
const AT_ONCE = 64 * 1024;

/** Reads in the way that takes less time. */
export function readBytes(source: FileSource, offset: number, target: Uint8Array): MaybePromise<Uint8Array> {
  if (target.length > AT_ONCE || source.readNow === undefined) return source.read(offset, target);
  return source.readNow(offset, target);
}

/**
 * A whole file, or undefined when there is none of this name.
 *
 * @param most bytes that such a file has at most: a longer one is not read
 * @param tooLong the error for one that is longer; by default DATABASE_DAMAGED
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

function implausible(where: string, size: number): MerostoreError {
  return new MerostoreError(
    "DATABASE_DAMAGED",
    `${where} has ${size} bytes, which no such file has: it was overwritten. Restore the whole folder from a copy`,
  );
}
