/** Writing where a browser keeps files: a file that is removed or changed ends the reads of what it was. */
import { expect, it } from "vitest";
import type { Engine } from "../../../src/engine/engine.js";
import { openOriginFolder } from "../../../src/engines/files/index.js";
import { writeDatabase } from "../../../src/engines/files/write/new-database.js";
import { openWritten } from "../../../src/engines/files/write/open-written.js";
import { OriginFiles, type OriginFolder } from "../../../src/lsm/origin-files.js";

const text = (written: string): Uint8Array => new Uint8Array(Buffer.from(written));

/** A folder in memory. Like a browser, it has one writer of a file at a time, and does not read a file that is not what it was. */
class MemoryFolder implements OriginFolder {
  readonly files = new Map<string, { bytes: Uint8Array; isOpen: boolean }>();

  async *keys(): AsyncIterableIterator<string> {
    yield* [...this.files.keys()];
  }

  async removeEntry(name: string): Promise<void> {
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
        if (found.isOpen) throw new Error(`${name} is open`);
        found.isOpen = true;
        return {
          write: (bytes: Uint8Array, { at }: { readonly at: number }) => {
            const whole = new Uint8Array(Math.max(found.bytes.length, at + bytes.length));
            whole.set(found.bytes);
            whole.set(bytes, at);
            found.bytes = whole;
            return bytes.length;
          },
          truncate: (size: number) => {
            found.bytes = found.bytes.slice(0, size);
          },
          flush: () => undefined,
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

async function rowsOf(engine: Pick<Engine, "scan">): Promise<string[]> {
  const rows: string[] = [];
  for await (const { key, value } of engine.scan("a")) rows.push(`${Buffer.from(key)} ${value.length}`);
  return rows;
}

const open = (folder: OriginFolder): Promise<Engine> =>
  openWritten(new OriginFiles(folder, "here"), {}, false, () => undefined);

it("keeps what snapshots read until they are closed, and removes it then", async () => {
  const folder = new MemoryFolder();
  await writeDatabase(new OriginFiles(folder, "here"), ["default", "a"]);
  const engine = await open(folder);
  const put = (number: number): Promise<void> =>
    engine.write([{ type: "put", column: "a", key: text(`row ${number}`), value: new Uint8Array(number) }]);
  const expected: string[] = [];
  for (let number = 0; number < 4; number++) {
    await put(number);
    await engine.flush();
    expected.push(`row ${number} ${number}`);
  }
  const snapshot = await engine.snapshot();
  for (let number = 4; number < 6; number++) {
    await put(number);
    await engine.flush();
  }
  expect(await rowsOf(snapshot)).toEqual(expected);
  const tables = (): string[] => [...folder.files.keys()].filter((name) => name.endsWith(".sst"));
  expect(tables()).toHaveLength(6);
  await snapshot.close();
  expect(tables()).toHaveLength(2); // a run, and what was flushed after it
  const rows = await rowsOf(engine);
  expect(rows).toHaveLength(6);
  expect(engine.capabilities.changes).toBeUndefined();
  await engine.close();
  expect([...folder.files.values()].filter(({ isOpen }) => isOpen)).toEqual([]);
  const again = await open(folder);
  expect(await rowsOf(again)).toEqual(rows);
  await again.close();
});

it("names what cannot be written", async () => {
  const folder = new MemoryFolder();
  await writeDatabase(new OriginFiles(folder, "here"), ["default", "a"]);
  await expect(writeDatabase(new OriginFiles(folder, "here"), ["default"])).rejects.toMatchObject({
    code: "ENGINE_FAILED",
    message: "here/LOCK cannot be created: it is there already",
  });
  expect(folder.files.has("LOCK")).toBe(true);
});

it("needs a dedicated worker", async () => {
  await expect(openOriginFolder(new MemoryFolder())).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    message: /only a dedicated worker of a page/,
  });
});
