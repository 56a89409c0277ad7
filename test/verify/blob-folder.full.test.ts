/** The files of blobs in a folder. */
import { execFileSync } from "node:child_process";
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { toBase58 } from "../../src/bytes/base58.js";
import { blobFolder } from "../../src/verify/index.js";
import { Watchdog } from "../engines/files/watchdog.js";
import { cleanUpAfterEach, temporaryFolder } from "../engines/temporary.js";
import { rejection } from "../support/rejection.js";

cleanUpAfterEach();
const watchdog = new Watchdog();
beforeEach(({ task }) => watchdog.begin(task.name));
afterAll(() => watchdog.stop());

const id = new Uint8Array(32).fill(7);

describe("a folder of blobs", () => {
  it("gives what is in a file, and nothing without one", async () => {
    const folder = temporaryFolder();
    const blobs = await blobFolder(folder);
    expect(await blobs.read(id)).toBe(undefined);
    writeFileSync(join(folder, toBase58(id)), "content");
    expect(await blobs.read(id)).toEqual(new TextEncoder().encode("content"));
  });

  it("has no file where a pipe or a folder is", async () => {
    const folder = temporaryFolder();
    const blobs = await blobFolder(folder);
    execFileSync("mkfifo", [join(folder, toBase58(id))]);
    expect(await blobs.read(id)).toBe(undefined);
    const other = new Uint8Array(32).fill(8);
    mkdirSync(join(folder, toBase58(other)));
    expect(await blobs.read(other)).toBe(undefined);
  });

  it("gives of a file that is far too long only the beginning", async () => {
    const folder = temporaryFolder();
    const file = join(folder, toBase58(id));
    writeFileSync(file, "content");
    truncateSync(file, 3 * 1024 ** 3);
    const content = await (await blobFolder(folder)).read(id);
    expect(content?.length).toBe(16 * 1024 ** 2 + 1);
    expect(Buffer.from(content?.subarray(0, 8) ?? [])).toEqual(Buffer.from("content\0"));
  });

  it("must be there", async () => {
    await rejection(
      blobFolder(join(temporaryFolder(), "missing")),
      "INVALID_ARGUMENT",
      "is not a folder of blob files",
    );
  });
});
