/** The files that a person picked or dropped in a browser. */

import { invalidArgument, MerostoreError } from "../errors.js";
import type { FileSet, FileSource } from "./source.js";

/** What of a browser's `File` is used. A `File` of Node is one, too. */
export interface PickedFile {
  /** The file name without its folders. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Where it lies in the folder that was picked: `data/CURRENT`. Absent or empty for files that were picked one by one. */
  readonly webkitRelativePath?: string;
  /** Returns the bytes from `start` on, before `end`. */
  slice(start: number, end: number): PickedPart;
}

/** A part of a picked file: what of a `Blob` is used. */
export interface PickedPart {
  /** Reads the bytes. Rejects if the file has changed since it was picked. */
  arrayBuffer(): Promise<ArrayBuffer>;
}

/**
 * The files of a database as `File` objects: those of `<input type="file" webkitdirectory>`, or of a dropped folder.
 * A browser reads a file as it was when it was picked, and refuses once it has changed: pick a copy of a live database.
 *
 * @param files all files of the folder that holds CURRENT, or of one around it
 * @param name what the database is called in messages
 * @throws MerostoreError INVALID_ARGUMENT when several databases lie side by side
 * @example
 *     const engine = await openFiles(pickedFiles(input.files ?? []));
 */
export function pickedFiles(files: Iterable<PickedFile>, name = "the picked folder"): FileSet {
  const byName = new Map(besideCurrent([...files], name).map((file) => [file.name, file]));
  return {
    name,
    where: (file) => `${name}/${file}`,
    list: () => [...byName.keys()],
    open: (file) => {
      const picked = byName.get(file);
      return picked && source(picked, `${name}/${file}`);
    },
  };
}

/**
 * A picked folder comes with all that its folders hold. The database are the files beside CURRENT, beside the outermost
 * if a copy lies within: files of two databases that have the same name must never be taken for each other.
 */
function besideCurrent(files: readonly PickedFile[], name: string): readonly PickedFile[] {
  const folders = files.filter((file) => file.name === "CURRENT").map(folderOf);
  const depth = (folder: string): number => folder.split("/").length;
  const least = folders.reduce((most, folder) => Math.min(most, depth(folder)), Number.POSITIVE_INFINITY);
  const [outermost, rival] = folders.filter((folder) => depth(folder) === least);
  if (rival !== undefined)
    throw invalidArgument(`${name} holds several databases, ${outermost} and ${rival}: pick one of them`);
  return outermost === undefined ? files : files.filter((file) => folderOf(file) === outermost);
}

/** `data/` for `data/CURRENT`. */
function folderOf({ name, webkitRelativePath = "" }: PickedFile): string {
  return webkitRelativePath.slice(0, -name.length);
}

function source(file: PickedFile, where: string): FileSource {
  return {
    size: file.size,
    async read(offset, target) {
      const buffer = await file
        .slice(offset, offset + target.length)
        .arrayBuffer()
        .catch((error: unknown) => {
          throw new MerostoreError(
            "ENGINE_FAILED",
            `${where} cannot be read: ${String(error)} If it has changed since it was picked, pick it again; of a live database pick a copy`,
            { cause: error },
          );
        });
      if (buffer.byteLength < target.length) {
        throw new MerostoreError(
          "DATABASE_DAMAGED",
          `${where} ends at byte ${offset + buffer.byteLength}, where more was expected: it was cut`,
        );
      }
      target.set(new Uint8Array(buffer));
      return target;
    },
    close() {},
  };
}
