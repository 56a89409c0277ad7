import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { ClassicLevel } from "classic-level";
import { describe, expect, it } from "vitest";
import { openRocksEngine } from "../../../src/engines/index.js";
import { loadBinding } from "../../../src/engines/level/binding.js";
import { openLevelEngine } from "../../../src/engines/level/index.js";
import { openWith } from "../../../src/engines/level/open.js";
import { rejection } from "../../support/rejection.js";
import { bytes } from "../rocksdb/helpers.js";
import { cleanUpAfterEach, temporaryFolder } from "../temporary.js";
import { makeDatabase, put, rowsOf } from "./helpers.js";

cleanUpAfterEach();

/** The result of opening a database in another process: `opened`, or LevelDB's error code. */
function openElsewhere(path: string): string {
  const program = `
    import { ClassicLevel } from "classic-level";
    const database = new ClassicLevel(process.argv[1]);
    try { await database.open(); console.log("opened"); } catch (error) { console.log(error.cause.code); }`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", program, path], {
    cwd: join(import.meta.dirname, "../../.."),
    encoding: "utf8",
  });
  return stdout.trim();
}

describe("opening an absent path", () => {
  it("reports a missing folder and does not create it", async () => {
    const path = join(temporaryFolder(), "missing");
    await rejection(openLevelEngine(path, { writable: true }), "DATABASE_NOT_FOUND", path);
    expect(existsSync(path)).toBe(false);
  });

  it("refuses a file, an empty folder and a folder with other files without changing them", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "empty"));
    mkdirSync(join(folder, "other"));
    writeFileSync(join(folder, "file"), "x");
    writeFileSync(join(folder, "other", "notes.txt"), "x");
    for (const name of ["empty", "other", "file"]) {
      await rejection(openLevelEngine(join(folder, name), { writable: true }), "NOT_A_DATABASE", "LevelDB");
    }
    for (const name of ["other", "file"])
      await rejection(openLevelEngine(join(folder, name), { create: true }), "NOT_A_DATABASE");
    expect(readdirSync(join(folder, "empty"))).toEqual([]);
    expect(readdirSync(join(folder, "other"))).toEqual(["notes.txt"]);
  });

  it("refuses a database of RocksDB without changing it", async () => {
    const path = join(temporaryFolder(), "db");
    await (await openRocksEngine(path, { create: true, columns: [] })).close();
    const before = readdirSync(path);
    await rejection(openLevelEngine(path, { writable: true }), "NOT_A_DATABASE", /database of RocksDB/);
    expect(readdirSync(path)).toEqual(before);
  });

  it("refuses an invalid path", async () => {
    for (const path of ["", undefined, 7] as string[])
      await rejection(openLevelEngine(path, { writable: true }), "INVALID_ARGUMENT");
  });
});

describe("creating", () => {
  it("creates a missing folder and its parents, or uses an empty one, but not an existing database", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "empty"));
    for (const path of [join(folder, "x", "y", "db"), join(folder, "empty")]) {
      const engine = await openLevelEngine(path, { create: true });
      expect(engine.columns).toEqual(["default"]);
      expect(engine.warnings).toEqual([]);
      await engine.write([put(bytes(1), bytes(2))]);
      await engine.close();
      await rejection(openLevelEngine(path, { create: true }), "DATABASE_EXISTS");
      await using again = await openLevelEngine(path, { writable: true });
      expect(await again.get("default", bytes(1))).toEqual(bytes(2));
    }
  });

  it("that cannot be created is PERMISSION_DENIED", async () => {
    await rejection(openLevelEngine("/sys/merostore/db", { create: true }), "PERMISSION_DENIED");
  });

  it("takes a relative path", async () => {
    const path = join(temporaryFolder(), "db");
    const engine = await openLevelEngine(relative(process.cwd(), path), { create: true });
    await engine.write([put(bytes(1), bytes(2))]);
    await engine.flush();
    await engine.close();
    expect(await rowsOf(path)).toEqual([[bytes(1), bytes(2)]]);
  });

  it("continues an interrupted creation", async () => {
    const path = temporaryFolder();
    for (const name of ["LOCK", "LOG", "MANIFEST-000001", "000001.dbtmp"])
      writeFileSync(join(path, name), "x");
    await rejection(openLevelEngine(path, { writable: true }), "NOT_A_DATABASE");
    const engine = await openLevelEngine(path, { create: true });
    await engine.write([put(bytes(1), bytes(2))]);
    await engine.close();
    expect(await rowsOf(path)).toEqual([[bytes(1), bytes(2)]]);
  });

  it("does not overwrite a database without CURRENT", async () => {
    const path = temporaryFolder();
    for (const name of ["LOCK", "MANIFEST-000001", "000003.log"]) writeFileSync(join(path, name), "x");
    await rejection(openLevelEngine(path, { create: true }), "NOT_A_DATABASE");
  });
});

describe("the lock", () => {
  it("is held against this process and others, under every name of the folder, until the engine is closed", async () => {
    const path = await makeDatabase();
    const engine = await openLevelEngine(path, { writable: true });
    const link = join(temporaryFolder(), "link");
    symlinkSync(path, link);
    for (const name of [path, `${path}/.`, link, relative(process.cwd(), path)]) {
      await rejection(openLevelEngine(name, { writable: true }), "DATABASE_LOCKED", name);
    }
    // A failed attempt in this process must not release the lock.
    expect(openElsewhere(path)).toBe("LEVEL_LOCKED");
    await engine.close();
    expect(openElsewhere(path)).toBe("opened");
    await (await openLevelEngine(link, { writable: true })).close();
  });

  it("of another holder is detected, and opening works once it is released", async () => {
    const path = await makeDatabase();
    const other = new ClassicLevel(path);
    await other.open();
    await rejection(openLevelEngine(path, { writable: true }), "DATABASE_LOCKED");
    await rejection(openLevelEngine(path, { writable: true }), "DATABASE_LOCKED");
    await other.close();
    await (await openLevelEngine(path, { writable: true })).close();
  });
});

describe("the native package", () => {
  const failing = (code: string | undefined, message: string) => () =>
    loadBinding(async () => {
      throw Object.assign(new Error(message), { code });
    });

  it.each<[string | undefined, string, RegExp]>([
    ["ERR_MODULE_NOT_FOUND", "Cannot find package", /not installed.*npm install classic-level@3\.0\.0/],
    ["MODULE_NOT_FOUND", "Cannot find module 'abstract-level'", /npm install classic-level@3\.0\.0/],
    ["ERR_DLOPEN_FAILED", "GLIBC_9.9 not found", /does not load\. \(GLIBC_9\.9 not found\)/],
    [undefined, "No native build was found for platform=x", /no prebuilt library for \w+-\w+/],
    [undefined, "the reason", /the reason/],
  ])("reports what is missing if it cannot be loaded: %s, %s", async (code, message, expected) => {
    const path = await makeDatabase();
    await rejection(
      openWith(failing(code, message), path, { writable: true }),
      "NATIVE_LOAD_FAILED",
      expected,
    );
    await (await openLevelEngine(path, { writable: true })).close();
  });

  it("is not needed to find that there is no database, and leaves no folder when it cannot be loaded", async () => {
    const load = failing("ERR_MODULE_NOT_FOUND", "the reason");
    const path = join(temporaryFolder(), "db");
    await rejection(openWith(load, path, { writable: true }), "DATABASE_NOT_FOUND");
    await rejection(openWith(load, path, { create: true }), "NATIVE_LOAD_FAILED");
    expect(existsSync(path)).toBe(false);
  });

  it("is not loaded by merostore/engine", () => {
    const program = `
      import "./dist/entries/engine.js";
      import { createRequire } from "node:module";
      console.log(Object.keys(createRequire(import.meta.url).cache).filter((name) => name.includes("classic-level")));`;
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
      cwd: join(import.meta.dirname, "../../.."),
      encoding: "utf8",
    });
    expect(stdout.trim()).toBe("[]");
  });
});
