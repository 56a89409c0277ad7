/** Places on disk: paths, leftovers, damage, other engines. */
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fromBase64url, makeFolders, toBase64url } from "merostore/internal";
import { describe, expect, it } from "vitest";
import { cleanUpAfterEach, temporaryCopy, temporaryFolder } from "../../../../test/engines/temporary.js";
import { rejection } from "../../../../test/support/rejection.js";
import { ROOT_PAGE_ID } from "../../src/page-id.js";
import { type FolderEngineName, folderPlace } from "../../src/places/index.js";
import { folderStore } from "../../src/sync/folder/shared-folder.js";
import { made, make, pageId, read, write } from "./helpers.js";

cleanUpAfterEach();

const text = (value: string) => new TextEncoder().encode(value);
const counted = Uint8Array.from({ length: 16 }, (_, at) => at);

describe("base64url", () => {
  it.each<[Uint8Array, string]>([
    [text(""), ""],
    [text("f"), "Zg=="],
    [text("fo"), "Zm8="],
    [text("foo"), "Zm9v"],
    [text("foob"), "Zm9vYg=="],
    [text("fooba"), "Zm9vYmE="],
    [text("foobar"), "Zm9vYmFy"],
    [text(".s>"), "LnM-"],
    [text(".s?"), "LnM_"],
    [ROOT_PAGE_ID, "AAAAAAAAAAAAAAAAAAAAAA=="],
    [counted, "AAECAwQFBgcICQoLDA0ODw=="],
    [text("ledger"), "bGVkZ2Vy"],
  ])("of %j is %s", (bytes, expected) => {
    expect(toBase64url(bytes)).toBe(expected);
    expect(fromBase64url(expected)).toEqual(bytes);
  });

  it.each(["Zg", "Zg=", "Zh==", "LnM+", "LnM/", "Zm9v ", "Zm9v\n", "ä"])("is not %j", (wrong) => {
    expect(fromBase64url(wrong)).toBeUndefined();
  });
});

// Node's own recursive mkdir does not end there.
describe.runIf(existsSync("/proc/self"))("a folder in which none can be made", () => {
  it("has no repository: the error names it", async () => {
    const error = await rejection(folderPlace("/proc/ledger/data", "leveldb").openUsage(), "ENGINE_FAILED");
    expect(error.message).toContain("/proc/ledger/data cannot be made: ENOENT");
  });

  it("takes no shared file", async () => {
    const store = folderStore("/proc", "the folder", false);
    await rejection(store.write("a/file", new Uint8Array(1)), "NETWORK_ERROR");
  });
});

it("folders get their missing parents, also if two calls make them at once", async () => {
  const parent = join(temporaryFolder(), "a");
  const paths = ["b/c", "b/d"].map((name) => join(parent, name));
  await Promise.all(paths.map((path) => makeFolders(path)));
  expect(await makeFolders(join(parent, "b"))).toBeUndefined();
  expect(await makeFolders(join(parent, "b/e/f"))).toBe(join(parent, "b/e"));
  writeFileSync(join(parent, "file"), "");
  await expect(makeFolders(join(parent, "file"))).rejects.toThrow("EEXIST");
  await expect(makeFolders(join(parent, "file/below"))).rejects.toThrow("ENOTDIR");
});

describe.each<[FolderEngineName, string]>([
  ["leveldb", "page_usage_db"],
  ["rocksdb", "page_usage_db.rocksdb"],
])("a repository on disk with %s", (engine, usageName) => {
  const pagePath = (folder: string, page: string) => join(folder, "35/ledgers/bGVkZ2Vy", page, engine);

  it("has its databases at the documented paths", async () => {
    const folder = join(temporaryFolder(), "a", "b");
    const place = folderPlace(folder, engine);
    await (await place.openUsage()).close();
    await make(place, "ledger", ROOT_PAGE_ID, counted);
    expect(existsSync(join(folder, usageName, "CURRENT"))).toBe(true);
    expect(existsSync(join(pagePath(folder, "AAAAAAAAAAAAAAAAAAAAAA=="), "CURRENT"))).toBe(true);
    expect(existsSync(join(pagePath(folder, "AAECAwQFBgcICQoLDA0ODw=="), "CURRENT"))).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(["35", usageName, "staging"]);
    expect(readdirSync(join(folder, "35")).sort()).toEqual(["ledgers", "name"]);
    expect(readdirSync(join(folder, "35/ledgers/bGVkZ2Vy/staging"))).toEqual([]);
    const name = readFileSync(join(folder, "35/name"));
    expect(name).toHaveLength(16);
    await (await folderPlace(folder, engine).openUsage()).close();
    expect(readFileSync(join(folder, "35/name")).equals(name)).toBe(true);
    await place.deletePage("ledger", counted);
    expect(readdirSync(join(folder, "35/ledgers/bGVkZ2Vy")).sort()).toEqual([
      "AAAAAAAAAAAAAAAAAAAAAA==",
      "staging",
    ]);
  });

  it("passes over folders and files that are none of ledgers and pages", async () => {
    const folder = temporaryFolder();
    const place = folderPlace(folder, engine);
    await make(place, "ledger", counted);
    const ledgers = join(folder, "35/ledgers");
    mkdirSync(join(ledgers, "no base64"));
    mkdirSync(join(ledgers, "_w==", toBase64url(counted), engine), { recursive: true }); // a name that is not UTF-8
    writeFileSync(join(ledgers, "file"), "x");
    for (const name of ["AAECAwQFBgcICQoLDA0ODw", "AAECAwQFBgcICQoLDA0O", "x", "AAECAwQFBgcICQoLDA0OEA+="])
      mkdirSync(join(ledgers, "bGVkZ2Vy", name, engine), { recursive: true });
    mkdirSync(join(ledgers, "bGVkZ2Vy", "AAAAAAAAAAAAAAAAAAAAAA=="));
    writeFileSync(join(ledgers, "bGVkZ2Vy", "file"), "x");
    expect(await place.ledgers()).toEqual(["ledger", "\udcff"]);
    expect(await place.pages("ledger")).toEqual([counted]);
    await make(place, "ledger", ROOT_PAGE_ID);
    expect(await place.pages("ledger")).toEqual([ROOT_PAGE_ID, counted]);
    await (await place.openUsage()).close();
  });

  it("removes the leftovers of an interrupted creation and an interrupted deletion", async () => {
    const folder = temporaryFolder();
    const place = folderPlace(folder, engine);
    await make(place, "ledger", counted);
    const staging = join(folder, "35/ledgers/bGVkZ2Vy/staging");
    for (const left of ["0123/made", "4567/graveyard"]) {
      mkdirSync(join(staging, left, engine), { recursive: true });
      writeFileSync(join(staging, left, engine, "LOG"), "x");
    }
    mkdirSync(join(folder, "staging/89ab/made"), { recursive: true });
    expect(await place.pages("ledger")).toEqual([counted]);
    await (await folderPlace(folder, engine).openUsage()).close();
    expect(existsSync(staging)).toBe(false);
    expect(readdirSync(folder)).not.toContain("89ab");
    expect(await place.pages("ledger")).toEqual([counted]);
    await make(place, "ledger", pageId("1"));
    await place.deletePage("ledger", counted);
    expect(await place.pages("ledger")).toEqual([pageId("1")]);
  });

  it("does not touch files under construction while another process has it open", async () => {
    const folder = temporaryFolder();
    const usage = await folderPlace(folder, engine).openUsage();
    const made = join(folder, "35/ledgers/bGVkZ2Vy/staging/0123/made");
    mkdirSync(made, { recursive: true });
    const other = folderPlace(folder, engine);
    await rejection(other.openUsage(), "DATABASE_LOCKED");
    await make(other, "ledger", counted);
    expect(existsSync(made)).toBe(true);
    await usage.close();
  });

  it("is not opened with the other engine", async () => {
    const folder = temporaryFolder();
    const place = folderPlace(folder, engine);
    await (await place.openUsage()).close();
    await make(place, "ledger", counted);
    const other = folderPlace(folder, engine === "leveldb" ? "rocksdb" : "leveldb");
    for (const opening of [
      other.openUsage(),
      other.openPage("ledger", counted, { create: true }),
      other.openPage("ledger", counted, { create: false }),
    ])
      expect((await rejection(opening, "NOT_A_DATABASE")).message).toMatch(
        /LevelDB.*RocksDB|RocksDB.*LevelDB/,
      );
    expect(readdirSync(folder).sort()).toEqual(["35", usageName, "staging"]);
    await (await made(place, "ledger", counted)).close();
  });

  it("loses no batch but the one that was under way when its process was killed", async () => {
    const folder = temporaryFolder();
    const page = await made(folderPlace(folder, engine), "ledger", counted);
    await write(page, "a", "1");
    await write(page, "b", "2");
    const copy = temporaryCopy(folder);
    await page.close();
    const log = logOf(pagePath(copy, toBase64url(counted)));
    truncateSync(log, readFileSync(log).length - 1);
    const again = await made(folderPlace(copy, engine), "ledger", counted);
    expect(again.warnings[0]?.message).toContain(log);
    expect(await read(again, "a")).toBe("1");
    expect(await read(again, "b")).toBeUndefined();
    await again.close();
  });

  it("names damage, keeps the files, and deletes the page only when asked to", async () => {
    const folder = temporaryFolder();
    const page = await made(folderPlace(folder, engine), "ledger", counted);
    await write(page, "a", "1");
    await write(page, "b", "2");
    const copy = temporaryCopy(folder);
    await page.close();
    const path = pagePath(copy, toBase64url(counted));
    const log = logOf(path);
    const content = readFileSync(log);
    content.writeUInt8(content.readUInt8(10) ^ 1, 10);
    writeFileSync(log, content);
    const place = folderPlace(copy, engine);
    const error = await rejection(place.openPage("ledger", counted, { create: true }), "LOG_DAMAGED");
    expect(error.message).toContain(log);
    expect(readFileSync(log).equals(content)).toBe(true);

    rmSync(join(path, "CURRENT"));
    await rejection(place.openPage("ledger", counted, { create: true }), "NOT_A_DATABASE");
    expect(readFileSync(log).equals(content)).toBe(true);
    expect(await place.pages("ledger")).toEqual([counted]);
    await place.deletePage("ledger", counted);
    expect(await place.pages("ledger")).toEqual([]);
  });

  it("loads the native package of no other engine", () => {
    const program = `
      import { folderPlace } from "./packages/ledger/dist/places/index.js";
      const place = folderPlace(process.argv[1], process.argv[2]);
      await (await place.openUsage()).close();
      console.log(process.report.getReport().sharedObjects.join("\\n"));`;
    const { stdout } = spawnSync(
      process.execPath,
      ["--input-type=module", "-e", program, join(temporaryFolder(), "repository"), engine],
      { cwd: join(import.meta.dirname, "../../../.."), encoding: "utf8" },
    );
    const loaded = ["classic-level", "rocksdb-native"].filter((name) => stdout.includes(name));
    expect(loaded).toEqual([engine === "leveldb" ? "classic-level" : "rocksdb-native"]);
  });

  it("reports errors of the system", async () => {
    const folder = join(temporaryFolder(), "file");
    writeFileSync(folder, "x");
    const place = folderPlace(folder, engine);
    await expect(place.openUsage()).rejects.toMatchObject({ name: "MerostoreError" });
    await expect(place.openPage("ledger", counted, { create: true })).rejects.toMatchObject({
      name: "MerostoreError",
    });
  });
});

describe("folderPlace", () => {
  it("refuses arguments that are none", () => {
    for (const folder of ["", undefined] as string[])
      expect(() => folderPlace(folder, "leveldb")).toThrow(/non-empty/);
    for (const engine of ["files", "toString", undefined])
      expect(() => folderPlace("x", engine as FolderEngineName)).toThrow(/leveldb, rocksdb/);
  });
});

function logOf(path: string): string {
  const logs = readdirSync(path).filter((name) => /^\d+\.log$/.test(name));
  return join(path, logs.sort().at(-1) as string);
}
