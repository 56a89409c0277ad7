/** The files of a database in memory. */

import type { FileSet, FileSource } from "../../../src/engines/files/index.js";
import { MerostoreError } from "../../../src/errors.js";

export class MemoryFiles implements FileSet {
  readonly name = "memory";
  /** Files that were opened and not closed since. */
  inUse = 0;
  /** The places that were read, each time: file and offset. */
  readonly reads: string[] = [];
  readonly #files: ReadonlyMap<string, Uint8Array>;
  readonly #now: boolean;

  /** @param now whether files can be read without waiting, as in a folder and unlike in a browser */
  constructor(files: ReadonlyMap<string, Uint8Array>, now: boolean) {
    this.#files = files;
    this.#now = now;
  }

  where(file: string): string {
    return `memory/${file}`;
  }

  list(): readonly string[] {
    return [...this.#files.keys()];
  }

  open(file: string): FileSource | undefined {
    const bytes = this.#files.get(file);
    if (bytes === undefined) return undefined;
    this.inUse++;
    const read = (offset: number, target: Uint8Array): Uint8Array => {
      if (!(offset + target.length <= bytes.length))
        throw new MerostoreError("DATABASE_DAMAGED", `${this.where(file)} ends at byte ${bytes.length}`);
      this.reads.push(`${file} ${offset}`);
      target.set(bytes.subarray(offset, offset + target.length));
      return target;
    };
    return {
      size: bytes.length,
      read: async (offset, target) => read(offset, target),
      ...(this.#now ? { readNow: read } : {}),
      close: () => void this.inUse--,
    };
  }
}
