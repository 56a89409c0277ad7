/** Relative paths and links: an open database stays where it was opened, wherever the program goes. */
import { existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { folderCloud, openLedger, openRepository } from "../../packages/ledger/src/index.js";
import { blobFolder, nodeHome } from "../../src/blobs/index.js";
import { convertDatabase } from "../../src/convert/index.js";
import { sha256 } from "../../src/crypto/index.js";
import { backupDatabase, openEngine, openRocksEngine, recoverDatabase } from "../../src/engines/index.js";
import { openLevelEngine } from "../../src/engines/level/index.js";
import { core010, core011 } from "../../src/schemas/index.js";
import { exportParquet } from "../../src/sql/index.js";
import { openStore } from "../../src/store/index.js";
import { backupNode, copyDatabase, importExport, rewriteDatabase } from "../../src/transfer/index.js";
import { MASTER_KEY } from "../encryption/vectors.js";
import { countRows } from "../engines/rocksdb/helpers.js";
import { cleanUpAfterEach, fixture, temporaryCopy, temporaryFolder } from "../engines/temporary.js";
import { listOf } from "../support/lists.js";
import { exportText, sourceOf } from "../support/transfer.js";

cleanUpAfterEach();

const before = process.cwd();
/** The folder that paths are relative to, and the folder of the program. */
let here: string;
let there: string;

beforeEach(() => {
  here = temporaryFolder();
  there = temporaryFolder();
  process.chdir(here);
});
afterEach(() => process.chdir(before));

/** Copies a fixture to `here`. */
function placed(name: string, as = "db"): void {
  renameSync(temporaryCopy(fixture(name)), join(here, as));
}

const key = Uint8Array.of(1);
const put = { type: "put", column: "default", key, value: key } as const;

/** Changes the working directory while a call is under way. */
async function leaving<T>(call: Promise<T>): Promise<T> {
  process.chdir(there);
  return call;
}

/** Reads all rows through a store. */
async function rowsOf(path: string): Promise<number> {
  await using store = await openStore(path);
  return await countRows(store.raw);
}

describe("an open database", () => {
  it.each(["files", "rocksdb"] as const)("is read and refreshed where it was opened: %s", async (engine) => {
    placed("core-0.11/node-a");
    await using store = await leaving(openStore("db", { engine }));
    if (engine === "files") await store.refresh();
    expect(await countRows(store.raw)).toBe(await rowsOf(join(here, "db")));
  });

  it("is the one to which a link led when it was opened", async () => {
    placed("core-0.11/node-a", "a");
    placed("core-0.11/node-b", "b");
    symlinkSync("a", "current");
    await using store = await openStore("current");
    symlinkSync("b", "next");
    renameSync("next", "current");
    await store.refresh();
    expect(await countRows(store.raw)).toBe(await rowsOf("a"));
  });

  it.each([
    [
      "RocksDB",
      (create: boolean) => openRocksEngine("db", create ? { create: true, columns: [] } : { writable: true }),
    ],
    ["LevelDB", (create: boolean) => openLevelEngine("db", { create, writable: true })],
  ])("is written where it was opened or created: %s", async (_, open) => {
    for (const create of [true, false]) {
      process.chdir(here);
      await using writer = await leaving(open(create));
      for (let at = 0; at < 3; at++) {
        await writer.write([put], { sync: true });
        await writer.flush();
      }
      expect(await writer.get("default", key)).toEqual(key);
    }
    expect(existsSync(join(there, "db"))).toBe(false);
    process.chdir(here);
    await using again = await open(false);
    expect(await again.get("default", key)).toEqual(key);
  });

  it("is found although the key comes later", async () => {
    placed("core-0.11/encrypted");
    const masterKey = async () => {
      process.chdir(there);
      return MASTER_KEY;
    };
    await using store = await openStore("db", { masterKey });
    expect(store.schema).toBe(core011);
  });

  it("is opened by RocksDB where the engine files cannot", async () => {
    placed("formats/ingested");
    await using engine = await leaving(openEngine("db"));
    expect(engine.capabilities.engine).toBe("rocksdb");
    expect(await countRows(engine)).toBeGreaterThan(0);
  });
});

describe("beside databases", () => {
  it("a folder of blobs stays where it was", async () => {
    mkdirSync("blobs");
    const blobs = await leaving(blobFolder("blobs"));
    const content = new TextEncoder().encode("content");
    expect(await blobs.write(sha256(content), content)).toBe(true);
    await blobs.sync();
    expect(await blobs.read(sha256(content))).toEqual(content);
    expect((await listOf(blobs.entries())).map(({ kind }) => kind)).toEqual(["chunk"]);
    await blobs.remove(sha256(content));
    expect(await blobs.read(sha256(content))).toBeUndefined();
  });

  it("a home names absolute folders", () => {
    mkdirSync("home");
    writeFileSync("home/config.toml", '[blobstore]\npath = "files"\n');
    expect(nodeHome("home")).toMatchObject({
      path: join(here, "home"),
      config: join(here, "home", "config.toml"),
      data: join(here, "home", "data"),
      blobs: join(here, "home", "files"),
    });
  });

  it("ledgers and clouds stay where they were, and a link to a repository shares it", async () => {
    mkdirSync("shared");
    const cloud = folderCloud("shared", { interval: 0 });
    symlinkSync("repository", "link");
    {
      await using ledger = await leaving(openLedger("repository", { name: "ledger", cloud }));
      await using page = await ledger.rootPage();
      await page.put("name", "value");
      await cloud.sync();
      process.chdir(here);
      await using linked = await openRepository("link", { cloud });
      expect(await linked.ledgers()).toEqual(["ledger"]);
    }
    expect(existsSync(join(here, "shared", "merostore-ledger.json"))).toBe(true);
    expect(existsSync(join(there, "repository"))).toBe(false);
    expect(existsSync(join(there, "shared"))).toBe(false);
  });
});

describe("what is made", () => {
  const MADE: Readonly<Record<string, () => Promise<unknown>>> = {
    "a backup": () => backupDatabase("db", "made"),
    "a copy": () => copyDatabase("db", "made"),
    "an encrypted copy": () => rewriteDatabase("db", "made", { newMasterKey: MASTER_KEY }),
    "a recovery": () => recoverDatabase("db", "made"),
  };

  it.each(Object.entries(MADE))("%s comes to where the program was", async (_, make) => {
    placed("core-0.11/node-a");
    await leaving(make());
    expect(existsSync(join(here, "made", "CURRENT"))).toBe(true);
    expect(existsSync(join(there, "made"))).toBe(false);
  });

  it("a conversion comes to where the program was, and what it left behind", async () => {
    placed("core-0.10/node-a");
    const { leftBehind } = await leaving(convertDatabase("db", "made", { to: "core-0.11" }));
    expect(leftBehind).toBe(join(here, "made.left-behind.ndjson"));
    expect(await rowsOf(join(here, "made"))).toBeGreaterThan(0);
  });

  it("an import comes to where the program was, also into an existing database", async () => {
    const source = sourceOf(await exportText(join(fixture("core-0.10/node-a"))));
    await leaving(importExport(source, "made"));
    process.chdir(here);
    await leaving(importExport(source, "made", { intoExisting: true }));
    await using store = await openStore(join(here, "made"));
    expect(store.schema).toBe(core010);
  });

  it("Parquet comes to where the program was", async () => {
    placed("core-0.11/node-a");
    await using store = await openStore("db");
    await leaving(exportParquet(store, "made"));
    expect(existsSync(join(here, "made"))).toBe(true);
  });

  it("the copy of a home comes to where the program was", async () => {
    mkdirSync("home/blobs", { recursive: true });
    writeFileSync("home/config.toml", "");
    placed("core-0.11/node-a", "home/data");
    const home = nodeHome("home");
    if (home === undefined) throw new Error("no home");
    await leaving(backupNode(home, "made"));
    expect(existsSync(join(here, "made", "data", "CURRENT"))).toBe(true);
  });
});
