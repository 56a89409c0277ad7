/** Files of exports, packed or not. */
import { closeSync, createReadStream, openSync, readSync, statSync } from "node:fs";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { isMerostoreError, MerostoreError } from "../errors.js";

export interface PackedFile {
  /** Bytes on disk. */
  readonly size: number;
  /** Bytes on disk that were read so far, in all passes. */
  read(): number;
  /** The unpacked bytes, from the beginning. */
  open(): AsyncIterable<Uint8Array>;
}

/** A file that may be packed, told by its first bytes. @throws MerostoreError `INVALID_ARGUMENT` when it cannot be read */
export function packedFile(path: string): PackedFile {
  const { size, packed } = look(path);
  let read = 0;
  return {
    size,
    read: () => read,
    open() {
      const bytes = createReadStream(path, { highWaterMark: 1024 * 1024 });
      bytes.on("data", (piece) => {
        read += piece.length;
      });
      if (!packed) return bytes;
      // Whoever iterates gets the failures; one who leaves early closes the file too.
      return unpackedOf(pipeline(bytes, createGunzip(), () => undefined));
    },
  };
}

function look(path: string): { readonly size: number; readonly packed: boolean } {
  try {
    const found = statSync(path);
    // Opening a pipe would wait for its writer; and a file may have to be read twice.
    if (!found.isFile()) throw noFile(path, found.isDirectory());
    const descriptor = openSync(path, "r");
    try {
      const start = new Uint8Array(2);
      readSync(descriptor, start, 0, 2, 0);
      return { size: found.size, packed: start[0] === 0x1f && start[1] === 0x8b };
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (isMerostoreError(error)) throw error;
    throw new MerostoreError("INVALID_ARGUMENT", `${path} cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function noFile(path: string, folder: boolean): MerostoreError {
  return new MerostoreError(
    "INVALID_ARGUMENT",
    folder
      ? `${path} is a folder: name the file that an export was written to`
      : `${path} is no file: write what comes out of it to one, and name that`,
  );
}

/** What is wrong with an export, with the name of its file; other failures as they are. */
export function inFile(path: string, error: unknown): unknown {
  if (!isMerostoreError(error, "EXPORT_INVALID")) return error;
  return new MerostoreError("EXPORT_INVALID", `${path}: ${error.message}`, { cause: error });
}

/** What comes out of unpacking. */
async function* unpackedOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
  } catch (error) {
    throw new MerostoreError("EXPORT_INVALID", `it cannot be unpacked: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
