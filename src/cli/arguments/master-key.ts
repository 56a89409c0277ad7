/** The master key of the commands that open a database: from a file, or from the environment. Never an argument. */
import { closeSync, readSync } from "node:fs";
import { NotRegular, openRegular } from "../../disk/regular-file.js";
import { KEY_FILE_BYTES, masterKeyFromHex } from "../../encryption/index.js";
import { invalidArgument, isMerostoreError } from "../../errors.js";

/** The environment variable with the master key in hex, if no file is given. */
export const MASTER_KEY = "MEROSTORE_MASTER_KEY";

let fromEnvironment: Buffer | undefined;

/**
 * Removes the key from the environment, so that started programs, such as a pager, do not get it. Without a key there,
 * an earlier key is discarded.
 */
export function takeKeyFromEnvironment(): void {
  const text = process.env[MASTER_KEY];
  delete process.env[MASTER_KEY];
  fromEnvironment = text === undefined || text === "" ? undefined : Buffer.from(text, "utf8");
}

/**
 * Returns the master key of a file, or of the environment; undefined without either. The caller overwrites it.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` for a file that is missing, unreadable or not a key, without its content
 */
export function masterKeyOf(file: string | undefined): Uint8Array | undefined {
  if (file !== undefined) return keyOfFile(file);
  if (fromEnvironment !== undefined) return masterKeyFromHex(fromEnvironment, MASTER_KEY);
  const text = process.env[MASTER_KEY];
  return text === undefined || text === "" ? undefined : masterKeyFromHex(Buffer.from(text), MASTER_KEY);
}

/** Runs `work` with the master key, returns its result, and overwrites the key. */
export async function withMasterKey<T>(
  file: string | undefined,
  work: (key: Uint8Array | undefined) => T | Promise<T>,
): Promise<T> {
  const key = masterKeyOf(file);
  try {
    return await work(key);
  } finally {
    key?.fill(0);
  }
}

/** Matches the digits of a key that was typed instead of its file. */
const KEY_IN_PLACE = /[0-9a-f]{32}/i;

function keyOfFile(file: string): Uint8Array {
  const called = KEY_IN_PLACE.test(file) ? "the file that is named by hex digits" : file;
  const bytes = Buffer.alloc(KEY_FILE_BYTES + 1);
  try {
    const size = readBeginning(file, called, bytes);
    if (size > KEY_FILE_BYTES) throw invalidArgument(`${called} is too long for a master key`);
    return masterKeyFromHex(bytes.subarray(0, size), called);
  } finally {
    bytes.fill(0);
  }
}

function readBeginning(file: string, called: string, bytes: Buffer): number {
  let descriptor: number | undefined;
  try {
    descriptor = openRegular(file)?.descriptor;
    if (descriptor === undefined)
      throw invalidArgument(
        called === file
          ? `the key file ${file} does not exist`
          : "the option takes the file of a key, not the key",
      );
    let size = 0;
    for (let read = -1; read !== 0 && size < bytes.length; size += read)
      read = readSync(descriptor, bytes, size, bytes.length - size, null);
    return size;
  } catch (error) {
    if (error instanceof NotRegular) throw invalidArgument(error.message);
    const { code } = error as NodeJS.ErrnoException;
    if (isMerostoreError(error) || code === undefined) throw error;
    throw invalidArgument(`the key file ${called} cannot be read (${code})`);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
