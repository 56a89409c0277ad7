/** The private file system of a browser, in memory. */

import type { OriginFolder } from "../../../src/lsm/origin-files.js";

/** A folder in memory. As in a browser, a file has one writer at a time, and is not read once it has changed. */
export class MemoryFolder implements OriginFolder {
  readonly files = new Map<string, { bytes: Uint8Array; isOpen: boolean }>();
  /** Called before a file is opened for writing, written, synced or removed; throws to make that fail. */
  refuse: (doing: "open" | "write" | "sync" | "remove", name: string) => void = () => undefined;
  /** Bytes that a write takes at most. */
  most = Number.POSITIVE_INFINITY;

  async *keys(): AsyncIterableIterator<string> {
    yield* [...this.files.keys()];
  }

  async removeEntry(name: string): Promise<void> {
    this.refuse("remove", name);
    if (!this.files.delete(name)) throw notFound(name);
  }

  async getFileHandle(name: string, options?: { readonly create?: boolean }) {
    if (options?.create === true && !this.files.has(name))
      this.files.set(name, { bytes: new Uint8Array(0), isOpen: false });
    const found = this.files.get(name);
    if (found === undefined) throw notFound(name);
    return {
      getFile: async () => {
        const { bytes } = found;
        const slice = (start: number, end: number) => ({
          arrayBuffer: async () => {
            if (this.files.get(name)?.bytes !== bytes) throw new Error(`${name} has changed`);
            return Uint8Array.from(bytes.subarray(start, end)).buffer;
          },
        });
        return { name, size: bytes.length, slice };
      },
      createSyncAccessHandle: async () => {
        this.refuse("open", name);
        if (found.isOpen) throw new Error(`${name} is open`);
        found.isOpen = true;
        return {
          write: (all: Uint8Array, { at }: { readonly at: number }) => {
            this.refuse("write", name);
            const bytes = all.subarray(0, this.most);
            const whole = new Uint8Array(Math.max(found.bytes.length, at + bytes.length));
            whole.set(found.bytes);
            whole.set(bytes, at);
            found.bytes = whole;
            return bytes.length;
          },
          truncate: (size: number) => {
            found.bytes = found.bytes.slice(0, size);
          },
          flush: () => this.refuse("sync", name),
          close: () => {
            found.isOpen = false;
          },
        };
      },
    };
  }
}

function notFound(name: string): Error {
  return Object.assign(new Error(`there is no ${name}`), { name: "NotFoundError" });
}
