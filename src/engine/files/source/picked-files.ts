/** The files that a person picked or dropped in a browser. */

import { MerostoreError } from "../../../errors.js";
import type { FileSet, FileSource } from "./source.js";

/** What of a browser's `File` is used. A `File` of Node is one, too. */
export interface PickedFile {
  readonly name: string;
  readonly size: number;
  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> };
}

/**
 * The files of a database as `File` objects: those of `<input type="file" webkitdirectory>`, or of a dropped folder.
 * A browser reads a file as it was when it was picked, and refuses once it has changed: pick a copy of a live database.
 *
 * @param files all files of the folder that holds CURRENT
 * @param name what the database is called in messages
 * @example
 *     const engine = await openFilesEngine(pickedFiles(input.files));
 */
export function pickedFiles(files: Iterable<PickedFile>, name = "the picked folder"): FileSet {
  const byName = new Map(Array.from(files, (file) => [file.name, file]));
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

function source(file: PickedFile, where: string): FileSource {
  return {
    size: file.size,
    async read(offset, target) {
      const buffer = await file
        .slice(offset, offset + target.length)
        .arrayBuffer()
        .catch((error: unknown) => {
          throw new MerostoreError("ENGINE_FAILED", `${where} cannot be read: ${String(error)}`, {
            cause: error,
          });
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
