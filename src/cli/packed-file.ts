/** Files of exports, packed or not. */
import { closeSync, createReadStream, fstatSync, openSync, readSync } from "node:fs";
import { createGunzip } from "node:zlib";
import { MerostoreError } from "../errors.js";

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
      const unpacked = bytes.pipe(createGunzip());
      bytes.on("error", (error) => unpacked.destroy(error));
      return unpackedOf(unpacked, path);
    },
  };
}

function look(path: string): { readonly size: number; readonly packed: boolean } {
  try {
    const descriptor = openSync(path, "r");
    try {
      const start = new Uint8Array(2);
      readSync(descriptor, start, 0, 2, 0);
      return { size: fstatSync(descriptor).size, packed: start[0] === 0x1f && start[1] === 0x8b };
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw new MerostoreError("INVALID_ARGUMENT", `${path} cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** What comes out of unpacking; its failures with the file's name. */
async function* unpackedOf(pieces: AsyncIterable<Uint8Array>, path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
  } catch (error) {
    throw new MerostoreError("EXPORT_INVALID", `${path} cannot be unpacked: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
