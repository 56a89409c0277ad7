/** A new file cannot be written, and its removal fails too: the caller gets the first error. */
import { expect, it } from "vitest";
import { writeManifest } from "../../../src/engines/files/write/manifest.js";
import type { WritableFiles } from "../../../src/lsm/writable-files.js";

it.each(["close", "remove"] as const)("the write's error is thrown if %s fails after it", async (second) => {
  const tried: string[] = [];
  const fails = async (what: string): Promise<void> => {
    tried.push(what);
    if (what === "write" || what === second) throw new Error(`${what} failed`);
  };
  const files = {
    create: async () => ({
      write: () => fails("write"),
      truncate: () => fails("truncate"),
      sync: () => fails("sync"),
      close: () => fails("close"),
    }),
    remove: () => fails("remove"),
  } as unknown as WritableFiles;
  await expect(writeManifest(files, 1, [new Uint8Array(8)])).rejects.toThrow("write failed");
  expect(tried).toEqual(["write", "close", "remove"]);
});
