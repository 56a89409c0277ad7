/**
 * Opens paths that may not be regular files. Opening a pipe blocks until its other end is opened, and opening some
 * devices has an effect.
 */

import { closeSync, constants, fstatSync, openSync, type Stats, statSync } from "node:fs";

/** Opens a pipe without blocking. Windows has neither this flag nor such pipes. */
const AT_ONCE = constants.O_NONBLOCK ?? 0;

/** A file that is open for reading. */
export interface OpenedFile {
  readonly descriptor: number;
  readonly size: number;
}

/** Thrown for a path that is not a regular file. The message names its kind. */
export class NotRegular extends Error {}

/**
 * Opens a file for reading.
 *
 * @returns undefined if the path does not exist
 * @throws NotRegular for anything but a regular file; the error of the system if it refuses
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
    // The path may have been replaced since.
    const found = fstatSync(descriptor);
    if (!found.isFile()) throw new NotRegular(`${path} is ${kindOf(found)}, not a file`);
    return { descriptor, size: found.size };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** The kind of a path, with links followed: `missing`, `file`, or a description such as `a folder`. */
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
