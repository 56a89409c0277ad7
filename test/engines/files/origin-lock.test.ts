/** The lock of a database where a browser keeps files: one worker has it, and when that ends, the next one. */
import { afterEach, expect, it, vi } from "vitest";
import { openOriginFolder } from "../../../src/engines/files/index.js";
import { MemoryFolder } from "./memory-folder.js";

/** Stands for a site whose lock others may hold: `freed` settles when they have ended. */
function siteWith(freed: (signal: AbortSignal) => Promise<void>): void {
  const request = async (_: string, { signal }: { signal: AbortSignal }, use: () => Promise<void>) => {
    await freed(signal);
    await use();
  };
  const getDirectory = async () => ({ resolve: async () => ["db"] });
  vi.stubGlobal("navigator", { locks: { request }, storage: { getDirectory } });
  vi.stubGlobal(
    "FileSystemFileHandle",
    class {
      createSyncAccessHandle(): void {}
    },
  );
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it("waits for the worker of a page that ends", async () => {
  let end = (): void => undefined;
  const ending = new Promise<void>((resolve) => {
    end = resolve;
  });
  siteWith(() => ending);
  const folder = new MemoryFolder();
  const opening = openOriginFolder(folder, { create: true, columns: [] });
  await new Promise((resolve) => setImmediate(resolve));
  expect([...folder.files.keys()]).toEqual([]);
  end();
  await (await opening).close();
  expect(folder.files.has("CURRENT")).toBe(true);
});

it("is refused by name while another worker goes on", async () => {
  siteWith(async (signal) => signal.throwIfAborted());
  vi.spyOn(AbortSignal, "timeout").mockReturnValue(
    AbortSignal.abort(new DOMException("late", "TimeoutError")),
  );
  const folder = new MemoryFolder();
  await expect(openOriginFolder(folder)).rejects.toMatchObject({
    code: "DATABASE_LOCKED",
    message: "db is open for writing in a page of this site",
  });
});

it("tells the error of a browser that gives no locks", async () => {
  siteWith(() => Promise.reject(new DOMException("not here", "SecurityError")));
  await expect(openOriginFolder(new MemoryFolder())).rejects.toThrow("not here");
});
