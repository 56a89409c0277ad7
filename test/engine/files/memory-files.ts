/** The files of a database in memory. */

import type { FileSet, FileSource } from "../../../src/engine/files/index.js";
import { MerostoreError } from "../../../src/errors.js";

/** @param now whether they can be read without waiting, as those of a folder and unlike those of a browser */
export function memoryFiles(files: ReadonlyMap<string, Uint8Array>, now: boolean): FileSet {
  return {
    name: "memory",
    where: (file) => `memory/${file}`,
    list: () => [...files.keys()],
    open: (file) => {
      const bytes = files.get(file);
      return bytes && source(bytes, `memory/${file}`, now);
    },
  };
}

function source(bytes: Uint8Array, where: string, now: boolean): FileSource {
  const read = (offset: number, target: Uint8Array): Uint8Array => {
    if (!(offset + target.length <= bytes.length))
      throw new MerostoreError("DATABASE_DAMAGED", `${where} ends before byte ${offset + target.length}`);
    target.set(bytes.subarray(offset, offset + target.length));
    return target;
  };
  return {
    size: bytes.length,
    read: async (offset, target) => read(offset, target),
    ...(now ? { readNow: read } : {}),
    close() {},
  };
}
