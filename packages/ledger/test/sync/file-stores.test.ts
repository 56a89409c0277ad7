/** The stores of files of a cloud do the same: a folder, a server, and a bucket. */
import { afterEach, describe, expect, it } from "vitest";
import { cleanUpAfterEach, temporaryFolder } from "../../../../test/engines/temporary.js";
import { type FileStore, httpStore, s3Store, serveFiles } from "../../src/index.js";
import { SharedFolder } from "../../src/sync/folder/shared-folder.js";
import { BUCKET, KEYS, s3Server } from "./s3-server.js";

const open: AsyncDisposable[] = [];
cleanUpAfterEach();
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one[Symbol.asyncDispose]();
});

const opened = <T extends AsyncDisposable>(one: T): T => {
  open.push(one);
  return one;
};
const token = "made-up-token-0123456789";
const inBucket = async (folder?: string) =>
  s3Store(opened(await s3Server()).url, { bucket: BUCKET, folder, ...KEYS });

const stores: Readonly<Record<string, () => Promise<FileStore>>> = {
  folder: async () => new SharedFolder(temporaryFolder()),
  server: async () => httpStore(opened(await serveFiles(temporaryFolder(), { token })).url, { token }),
  bucket: () => inBucket(),
  "folder of a bucket": () => inBucket("ledgers/team_1"),
};

describe.each(Object.entries(stores))("A store of files in a %s", (_, make) => {
  it("reads parts of what was written", async () => {
    const store = await make();
    await store.checkIsThere();
    await store.write("a/b/file-1.json", Uint8Array.of(1, 2, 3, 4, 5));
    const part = async (most: number, from?: number) => {
      const found = await store.read("a/b/file-1.json", most, undefined, from);
      return found === undefined || found === "unchanged" ? found : [[...found.bytes], found.size];
    };
    expect(await part(10)).toEqual([[1, 2, 3, 4, 5], 5]);
    expect(await part(5)).toEqual([[1, 2, 3, 4, 5], 5]);
    expect(await part(2)).toEqual([[1, 2, 3], 5]); // one more tells that it is longer
    expect(await part(2, 3)).toEqual([[4, 5], 5]);
    expect(await part(2, 5)).toEqual([[], 5]);
    expect(await part(2, 9)).toEqual([[], 5]);
  });

  it("tells whether a file has changed", async () => {
    const store = await make();
    await store.write("file", Uint8Array.of(1));
    const found = await store.read("file", 10);
    const { version = "" } = typeof found === "object" ? found : {};
    expect(await store.read("file", 10, version)).toBe("unchanged");
    expect(await store.read("file", 10, version, 5)).toBe("unchanged");
    await store.write("file", Uint8Array.of(1, 2));
    expect(await store.read("file", 10, version)).toMatchObject({ bytes: Uint8Array.of(1, 2), size: 2 });
  });

  it("lists and removes", async () => {
    const store = await make();
    expect(await store.list("a")).toEqual([]);
    await store.write("a/empty", new Uint8Array(0));
    await store.write("a/b/deep", Uint8Array.of(1));
    expect((await store.list("a")).sort()).toEqual(["b", "empty"]);
    expect(await store.list("")).toContain("a");
    expect(await store.read("a/empty", 10)).toMatchObject({ bytes: new Uint8Array(0), size: 0 });
    await store.removeEmpty?.("a");
    await store.remove("a/empty");
    await store.remove("a/empty");
    expect(await store.read("a/empty", 10)).toBeUndefined();
    expect(await store.list("a")).toEqual(["b"]);
    await store.remove("a/b/deep");
    await store.removeEmpty?.("a/b");
    expect(await store.list("a")).toEqual([]);
  });
});
