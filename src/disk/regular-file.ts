/**
 * Opening what should be a file and may be anything: whoever opens a pipe waits for its other end, for ever if nobody
 * comes, and some devices act when they are opened.
 */

import { closeSync, constants, fstatSync, openSync, type Stats, statSync } from "node:fs";

/** A pipe is then opened at once. Windows has no such flag, and no such pipes. */
const AT_ONCE = constants.O_NONBLOCK ?? 0;

/** A file that is open for reading. */
export interface OpenedFile {
  readonly descriptor: number;
  readonly size: number;
}

/** Thrown for what is no file. The message says what it is. */
export class NotRegular extends Error {}

/**
 * Opens a file for reading.
 *
 * @returns undefined when there is nothing at the path
 * @throws NotRegular for anything but a file; what the system says when it refuses
 */
export function openRegular(path: string): OpenedFile | undefined {
  const kind = kindAt(path);
  if (kind === "missing") return undefined;
  if (kind !== "file") throw new NotRegular(`${path} is ${kind}, not a file`);
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | AT_ONCE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    // Something else may have come to its place since.
    const found = fstatSync(descriptor);
    if (!found.isFile()) throw new NotRegular(`${path} is ${kindOf(found)}, not a file`);
    return { descriptor, size: found.size };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** What is at a path, links followed: `missing`, `file`, or what else, in words. */
export function kindAt(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? "missing" : kindOf(found);
}

function kindOf(found: Stats): string {
  if (found.isFile()) return "file";
  if (found.isDirectory()) return "a folder";
  if (found.isFIFO()) return "a pipe";
  return found.isSocket() ? "a socket" : "a device";
}
