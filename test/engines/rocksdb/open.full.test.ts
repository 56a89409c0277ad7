import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { openRocksEngine } from "../../../src/engines/index.js";
import { loadBinding } from "../../../src/engines/rocksdb/binding.js";
import { openWith } from "../../../src/engines/rocksdb/open.js";
import type { ErrorCode } from "../../../src/errors.js";
import { rejection } from "../../support/rejection.js";
import {
  cleanUpAfterEach,
  fixture,
  plainFixtureNames,
  temporaryCopy,
  temporaryFolder,
} from "../temporary.js";
import { bytes, countRows } from "./helpers.js";

cleanUpAfterEach();

/** Runs a program that holds a database open. Returns a function that ends it at once, like `kill -9`. */
async function holdOpen(program: string, path: string): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", program, path], {
    stdio: ["pipe", "pipe", "inherit"],
    cwd: join(import.meta.dirname, "../../.."),
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await Promise.race([
    new Promise((resolve) => child.stdout.once("data", resolve)),
    ended.then(() => Promise.reject(new Error("the writer did not start"))),
  ]);
  return async () => {
    child.kill("SIGKILL");
    await ended;
  };
}

const WRITER = `
  import RocksDB from "rocksdb-native";
  const db = new RocksDB(process.argv[1], { columnFamilies: ["a", "b"] });
  await db.ready();
  const a = db.session({ columnFamily: "a" });
  for (let n = 0; n < 300; n++) await a.put(Buffer.from([n >> 8, n]), Buffer.alloc(100, n));
  process.stdout.write("ready");
  setInterval(() => {}, 1000);
`;

describe("opening an absent path", () => {
  it("reports a missing folder and does not create it", async () => {
    const path = join(temporaryFolder(), "missing");
    for (const writable of [false, true]) {
      await rejection(openRocksEngine(path, { writable }), "DATABASE_NOT_FOUND", path);
    }
    expect(existsSync(path)).toBe(false);
  });

  it("refuses a file, an empty folder and a folder without CURRENT without changing them", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "empty"));
    mkdirSync(join(folder, "other"));
    writeFileSync(join(folder, "file"), "x");
    writeFileSync(join(folder, "other", "MANIFEST-000001"), "x");
    for (const name of ["empty", "other", "file"]) {
      for (const writable of [false, true]) {
        await rejection(openRocksEngine(join(folder, name), { writable }), "NOT_A_DATABASE");
      }
    }
    expect(readdirSync(join(folder, "empty"))).toEqual([]);
    expect(readdirSync(join(folder, "other"))).toEqual(["MANIFEST-000001"]);
  });

  it("refuses impossible arguments", async () => {
    const path = join(temporaryFolder(), "db");
    const wrong: [string, object][] = [
      ["", {}],
      [path, { writable: false, create: true, columns: [] }],
      [path, { create: true, columns: ["a", "a"] }],
      [path, { create: true, columns: [""] }],
      [path, { create: true }],
    ];
    for (const [where, options] of wrong)
      await rejection(openRocksEngine(where, options), "INVALID_ARGUMENT");
    expect(existsSync(path)).toBe(false);
  });
});

describe("creating", () => {
  it("makes a missing folder and its parents, with the named column families and default", async () => {
    const path = join(temporaryFolder(), "x", "y", "db");
    const engine = await openRocksEngine(path, { create: true, columns: ["b", "a", "Ünïcode"] });
    expect(engine.columns).toEqual(["default", "b", "a", "Ünïcode"]);
    await engine.write([{ type: "put", column: "Ünïcode", key: bytes(1), value: bytes(2) }]);
    await engine.close();
    await using again = await openRocksEngine(path);
    expect(again.columns).toEqual(["default", "b", "a", "Ünïcode"]);
    expect(await again.get("Ünïcode", bytes(1))).toEqual(bytes(2));
  });

  it("keeps names with characters that OPTIONS files escape", async () => {
    const path = join(temporaryFolder(), "db");
    const columns = ["a:b", "c#d", 'e"f', "g\\h", "i j", "[k]"];
    await (await openRocksEngine(path, { create: true, columns })).close();
    for (let round = 0; round < 2; round++) {
      await using engine = await openRocksEngine(path, { writable: true });
      expect(engine.columns).toEqual(["default", ...columns]);
    }
  });

  it("accepts an empty folder only", async () => {
    const folder = temporaryFolder();
    const engine = await openRocksEngine(folder, { create: true, columns: ["default"] });
    expect(engine.columns).toEqual(["default"]);
    await engine.close();
    await rejection(openRocksEngine(folder, { create: true, columns: [] }), "DATABASE_EXISTS");
    const other = temporaryFolder();
    writeFileSync(join(other, "notes.txt"), "x");
    await rejection(openRocksEngine(other, { create: true, columns: [] }), "NOT_A_DATABASE");
    await rejection(
      openRocksEngine(join(other, "notes.txt"), { create: true, columns: [] }),
      "NOT_A_DATABASE",
    );
    expect(readdirSync(other)).toEqual(["notes.txt"]);
  });
});

/** The plain databases with the same rows as the encrypted ones. */
const TWINS: Readonly<Record<string, string>> = {
  "core-0.10/encrypted": "core-0.10/tables",
  "core-0.11/encrypted": "core-0.11/log",
};

describe("opening an existing path", () => {
  it("finds every column family and row of the fixtures, and nothing to warn about", async () => {
    for (const name of plainFixtureNames()) {
      for (const writable of [false, true]) {
        await using engine = await openRocksEngine(temporaryCopy(fixture(name)), { writable });
        expect(engine.columns[0]).toBe("default");
        expect(engine.warnings).toEqual([]);
        const written = join(fixture(TWINS[name] ?? name), "..", "rows.jsonl");
        // Rust wrote down the rows of all nodes but those with richer applications.
        if (name.startsWith("core-0.11-apps/")) expect(await countRows(engine), name).toBeGreaterThan(500);
        else
          expect(await countRows(engine), name).toBe(
            readFileSync(written, "utf8").trimEnd().split("\n").length,
          );
      }
    }
  });

  it("opens column families that nobody named", async () => {
    const path = join(temporaryFolder(), "db");
    await (await openRocksEngine(path, { create: true, columns: ["Known", "Future"] })).close();
    await using engine = await openRocksEngine(path, { writable: true });
    expect(engine.columns).toEqual(["default", "Known", "Future"]);
  });

  it("changes nothing on disk when it is opened read-only", async () => {
    for (const name of ["documented/log-and-tables", "documented/tables"]) {
      const path = temporaryCopy(fixture(name));
      const before = stateOf(path);
      const engine = await openRocksEngine(path);
      await countRows(engine);
      const snapshot = await engine.snapshot();
      await snapshot.get("default", bytes(1));
      await engine.approximateSize("default");
      await engine.unflushed?.("default");
      await rejection(engine.write([]), "READ_ONLY");
      await rejection(engine.flush(), "READ_ONLY");
      await engine.close();
      expect(stateOf(path)).toEqual(before);
    }
  });

  it("reports rows that are only in the write-ahead log", async () => {
    const path = temporaryCopy(fixture("documented/log-and-tables"));
    const engine = await openRocksEngine(path);
    let entries = 0;
    for (const column of engine.columns) {
      const found = await engine.unflushed?.(column);
      entries += found?.entries ?? 0;
      expect((found?.bytes ?? 0) > 0).toBe((found?.entries ?? 0) > 0);
    }
    expect(entries).toBeGreaterThan(0);
    await engine.close();
    await using tables = await openRocksEngine(temporaryCopy(fixture("documented/tables")));
    for (const column of tables.columns)
      expect(await tables.unflushed?.(column)).toEqual({ entries: 0, bytes: 0 });
  });

  it("reports that a database is locked, by this process or another, and reads beside the writer", async () => {
    const path = join(temporaryFolder(), "db");
    const kill = await holdOpen(WRITER, path);
    try {
      await rejection(openRocksEngine(path, { writable: true }), "DATABASE_LOCKED");
      const reader = await openRocksEngine(path);
      expect(reader.warnings).toEqual([]);
      expect(await countRows(reader)).toBe(300);
      await reader.close();
    } finally {
      await kill();
    }
    await using writer = await openRocksEngine(path, { writable: true }); // the killed writer left a whole log
    expect(writer.warnings).toEqual([]);
    expect(await countRows(writer)).toBe(300);
    await rejection(openRocksEngine(path, { writable: true }), "DATABASE_LOCKED");
  });
});

describe("the native package", () => {
  const failing = (code: string, message: string) => () =>
    loadBinding(async () => {
      throw Object.assign(new Error(message), { code });
    });

  it.each<[string, RegExp]>([
    ["CANNOT_LOAD", /libatomic1.*Debian.*libatomic.*Fedora.*Alpine/],
    ["ADDON_NOT_FOUND", new RegExp(`no prebuilt library for ${process.platform}-${process.arch}`)],
    ["ERR_MODULE_NOT_FOUND", /npm install rocksdb-native@\d/],
    ["OTHER", /the reason/],
  ])("reports what is missing if it cannot be loaded: %s", async (code, message) => {
    const path = temporaryCopy(fixture("documented/tables"));
    await rejection(
      openWith(failing(code, "the reason"), path, { writable: true }),
      "NATIVE_LOAD_FAILED",
      message,
    );
  });

  it.each(["bun", "deno"])("is not loaded in %s, which it would end", async (name) => {
    const importPackage = vi.fn(async () => ({}));
    Object.defineProperty(process.versions, name, { value: "1.0.0", configurable: true });
    try {
      await rejection(
        loadBinding(importPackage),
        "NATIVE_LOAD_FAILED",
        'read and write its files with the engine "files"',
      );
    } finally {
      Reflect.deleteProperty(process.versions, name);
    }
    expect(importPackage).not.toHaveBeenCalled();
  });

  it("is not needed to find that there is no database, and leaves no folder when it cannot be loaded", async () => {
    const load = failing("CANNOT_LOAD", "the reason");
    const path = join(temporaryFolder(), "db");
    await rejection(openWith(load, path, { writable: true }), "DATABASE_NOT_FOUND");
    await rejection(openWith(load, path, { create: true, columns: [] }), "NATIVE_LOAD_FAILED");
    expect(existsSync(path)).toBe(false);
  });

  it("is the version whose private members are used", () => {
    const file = join(import.meta.dirname, "../../../node_modules/rocksdb-native/package.json");
    expect(JSON.parse(readFileSync(file, "utf8")).version).toBe("3.18.1");
  });
});

describe("errors of the native package", () => {
  it.each<[string, string, ErrorCode]>([
    ["EIO", "something unheard of", "DATABASE_DAMAGED"],
    ["ENOSPC", "No space left on device", "ENGINE_FAILED"],
    ["EIO", "While open a file for lock: /somewhere/LOCK: Permission denied", "PERMISSION_DENIED"],
    ["EIO", "While lock file: /somewhere/LOCK: Resource temporarily unavailable", "DATABASE_LOCKED"],
    ["EINVAL", "a strange argument", "ENGINE_FAILED"],
    ["EIO", "Corruption: Unable to uncompress blob", "FORMAT_UNSUPPORTED"],
    ["EIO", "Corruption: Corrupted compressed block contents", "FORMAT_UNSUPPORTED"],
    ["EINVAL", "Compression type XYZ not supported in this build", "FORMAT_UNSUPPORTED"],
  ])("get a code: %s", async (code, message, expected) => {
    class Failing {
      async ready(): Promise<void> {
        throw Object.assign(new Error(message), { code });
      }
    }
    const load = async () => Failing as unknown as Awaited<ReturnType<typeof loadBinding>>;
    const create = { create: true, columns: [] };
    await rejection(openWith(load, join(temporaryFolder(), "db"), create), expected);
  });
});

/** Names, sizes, times and contents of a folder. */
function stateOf(path: string): unknown {
  return readdirSync(path).map((name) => {
    const { size, mtimeMs, ctimeMs, mode } = statSync(join(path, name));
    const hash = createHash("sha256")
      .update(readFileSync(join(path, name)))
      .digest("hex");
    return { name, size, mtimeMs, ctimeMs, mode, hash, folder: statSync(path).mtimeMs };
  });
}
