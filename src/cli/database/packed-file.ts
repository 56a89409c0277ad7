/** Files of exports, packed or not. */
import { closeSync, createReadStream, openSync, readSync, statSync } from "node:fs";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { count } from "../../bytes/quantity.js";
import { invalidArgument, isMerostoreError, MerostoreError, orUndefined } from "../../errors.js";

/** Unpacked bytes in a piece. */
const PIECE = 256 * 1024;

/** Every file may unpack to this many bytes, and a larger file to this many times its size. Exports pack to a tenth. */
const FREE_BYTES = 512 * 1024 * 1024;
const MOST_GROWTH = 200;

/** A file that may be packed with gzip. */
interface PackedFile {
  /** Bytes on disk. */
  readonly size: number;
  /** Returns the bytes on disk read so far, in all passes. */
  read(): number;
  /** The unpacked bytes, from the beginning. */
  open(): AsyncIterable<Uint8Array>;
}

/**
 * Finds out by its first bytes whether a file is packed.
 *
 * @throws MerostoreError `DATABASE_NOT_FOUND` for a missing file; `INVALID_ARGUMENT` for an unreadable file and for `-`
 */
export function packedFile(path: string): PackedFile {
  // An export may have to be read twice.
  if (path === "-")
    throw invalidArgument(
      "an export is not read from stdin: write it to a file, and name that (./- for a file of the name -)",
    );
  const { size, packed } = inspect(path);
  let read = 0;
  return {
    size,
    read: () => read,
    open() {
      const bytes = createReadStream(path, { highWaterMark: 4 * PIECE });
      bytes.on("data", (piece) => {
        read += piece.length;
      });
      if (!packed) return bytes;
      // The loop over the bytes gets the errors of both streams, and closes the file if it ends early.
      return unpackedOf(
        pipeline(bytes, createGunzip({ chunkSize: PIECE }), () => undefined),
        size,
      );
    },
  };
}

function inspect(path: string): { readonly size: number; readonly packed: boolean } {
  try {
    const found = statSync(path);
    // Opening a pipe would wait for its writer, and some commands read a file twice.
    if (!found.isFile()) throw notAFile(path, found.isDirectory());
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
    if ((error as NodeJS.ErrnoException).code === "ENOENT")
      throw new MerostoreError("DATABASE_NOT_FOUND", `the file ${path} does not exist`, { cause: error });
    throw new MerostoreError("INVALID_ARGUMENT", `${path} cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function notAFile(path: string, folder: boolean): MerostoreError {
  return invalidArgument(
    folder
      ? `${path} is a folder: name the file that an export was written to`
      : `${path} is not a file: write its output to a file, and name that`,
  );
}

/**
 * Adds the name of the file to an error about an export, and a remark if the name says that the file is packed, and it
 * is not. Returns other errors as they are.
 */
export function inFile(path: string, error: unknown): unknown {
  if (!isMerostoreError(error, "EXPORT_INVALID")) return error;
  // If the file is gone, it is not known whether it was packed.
  const isPacked = !path.endsWith(".gz") || (orUndefined(() => inspect(path).packed) ?? true);
  const why = isPacked ? "" : "it is not packed with gzip, and ";
  return new MerostoreError("EXPORT_INVALID", `${path}: ${why}${error.message}`, { cause: error });
}

/**
 * The unpacked bytes, up to the limit.
 *
 * @param packed bytes of the packed file
 */
async function* unpackedOf(pieces: AsyncIterable<Uint8Array>, packed: number): AsyncGenerator<Uint8Array> {
  const most = Math.max(FREE_BYTES, MOST_GROWTH * packed);
  let unpacked = 0;
  try {
    for await (const piece of pieces) {
      unpacked += piece.length;
      if (unpacked > most) throw grownTooMuch(most);
      yield piece;
    }
  } catch (error) {
    if (isMerostoreError(error)) throw error;
    throw new MerostoreError("EXPORT_INVALID", `it cannot be unpacked: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function grownTooMuch(most: number): MerostoreError {
  const growth = most > FREE_BYTES ? `, ${MOST_GROWTH} times its size` : "";
  return new MerostoreError(
    "EXPORT_INVALID",
    `it unpacks to more than ${count(most)} bytes${growth}, which exports of nodes do not. If you trust it, unpack it with gunzip and name the unpacked file`,
  );
}
