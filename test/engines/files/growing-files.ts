/** The files of a database beside a writer: each may grow, appear and go. */

import type { FileSet, FileSource } from "../../../src/engines/files/index.js";

export class GrowingFiles implements FileSet {
  readonly name = "memory";
  readonly isLive = true;
  /** Bytes that were read, and how often names were listed. */
  bytesRead = 0;
  /** Files that are open. */
  inUse = 0;
  readonly #files: Map<string, { bytes: Uint8Array }>;

  constructor(files: ReadonlyMap<string, Uint8Array>) {
    this.#files = new Map(Array.from(files, ([name, bytes]) => [name, { bytes }]));
  }

  /** Sets the content of a file, also for readers that have it open. */
  set(name: string, bytes: Uint8Array): void {
    const file = this.#files.get(name);
    if (file === undefined) this.#files.set(name, { bytes });
    else file.bytes = bytes;
  }

  /** Removes a file; readers that have it open still read it. */
  remove(name: string): void {
    this.#files.delete(name);
  }

  where(file: string): string {
    return `memory/${file}`;
  }

  list(): readonly string[] {
    return [...this.#files.keys()];
  }

  open(name: string): FileSource | undefined {
    const file = this.#files.get(name);
    if (file === undefined) return undefined;
    this.inUse++;
    return {
      size: file.bytes.length,
      sizeNow: () => file.bytes.length,
      read: async (offset, target) => {
        this.bytesRead += target.length;
        target.set(file.bytes.subarray(offset, offset + target.length));
        return target;
      },
      close: () => void this.inUse--,
    };
  }
}
