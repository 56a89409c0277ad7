/** Pipes, folders, sockets and devices in the place of files, and files of impossible sizes are refused by name. */

import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { WRITER_LOCK } from "../../src/disk/folder.js";
import { backupDatabase, openEngine, openFilesEngine, openRocksEngine } from "../../src/engines/index.js";
import { openLevelEngine } from "../../src/engines/level/index.js";
import { rejection } from "../support/rejection.js";
import { Watchdog } from "./files/watchdog.js";
import { bytes, countRows } from "./rocksdb/helpers.js";
import { cleanUpAfterEach, fixture, temporaryCopy, temporaryFolder } from "./temporary.js";

cleanUpAfterEach();

// A reader that waits at a pipe does so for ever, and holds up the tests as well.
const watchdog = new Watchdog();
beforeEach(({ task }) => watchdog.begin(task.name));
afterAll(() => watchdog.stop());

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** The kinds of things that can be in the place of a file, as an error calls them. */
const kinds: Readonly<Record<string, (path: string) => Promise<void> | void>> = {
  "a pipe": (path) => void execFileSync("mkfifo", [path]),
  "a folder": (path) => mkdirSync(path),
  "a device": (path) => symlinkSync("/dev/zero", path),
  async "a socket"(path) {
    const server = createServer();
    closing.push(() => new Promise((resolve) => server.close(resolve)));
    // The path of a socket is short: it is made elsewhere and put here.
    const short = join(temporaryFolder(), "s");
    await new Promise<void>((resolve) => server.listen(short, resolve));
    renameSync(short, path);
  },
};

const ways: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  files: (path) => openFilesEngine(path),
  "the engine that suits": (path) => openEngine(path),
  "RocksDB for reading": (path) => openRocksEngine(path),
  "RocksDB for writing": (path) => openRocksEngine(path, { writable: true, acceptLogLoss: true }),
  "a backup": (path) => backupDatabase(path, join(temporaryFolder(), "copy")),
};

const ROCKS = ["CURRENT", "MANIFEST-", "OPTIONS-", "IDENTITY", "LOCK", ".log", ".sst"];

/** A database and the name of one of its files. */
function withFile(part: string): { readonly path: string; readonly file: string } {
  const path = temporaryCopy(fixture("core-0.11/log-and-tables"));
  const found = readdirSync(path)
    .filter((name) => name.includes(part))
    .sort()
    .at(-1);
  return { path, file: join(path, found ?? part) };
}

const onlyPosix = process.platform === "win32" ? describe.skip : describe;

onlyPosix("in the place of a file of RocksDB", () => {
  const cases = Object.keys(kinds).flatMap((kind) => ROCKS.map((part) => [kind, part] as const));

  it.each(cases)("%s is refused by all engines: %s", async (kind, part) => {
    const { path, file } = withFile(part);
    rmSync(file, { force: true });
    await kinds[kind]?.(file);
    for (const open of Object.values(ways)) {
      await rejection(open(path), "DATABASE_DAMAGED", `${file} is ${kind}, not a file`);
    }
  });

  it.each(Object.keys(kinds))("%s in the place of the lock of a writer keeps writers away", async (kind) => {
    const path = temporaryCopy(fixture("core-0.11/log-and-tables"));
    await kinds[kind]?.(join(path, WRITER_LOCK));
    await rejection(openFilesEngine(path, { writable: true }), "DATABASE_LOCKED", WRITER_LOCK);
  });

  it("a link to a file is one", async () => {
    const { path, file } = withFile(".sst");
    const elsewhere = join(temporaryFolder(), "moved");
    renameSync(file, elsewhere);
    symlinkSync(elsewhere, file);
    await using engine = await openEngine(path);
    expect(await countRows(engine)).toBe(935);
  });

  it("changes made while a database is open are refused when it is opened again", async () => {
    const { path, file } = withFile(".log");
    await using engine = await openFilesEngine(path);
    rmSync(file);
    execFileSync("mkfifo", [file]);
    await rejection(engine.refresh(), "DATABASE_DAMAGED", `${file} is a pipe, not a file`);
    expect(await countRows(engine)).toBe(935);
  });
});

onlyPosix("in the place of a file of LevelDB", () => {
  async function levelDatabase(): Promise<string> {
    const path = join(temporaryFolder(), "db");
    await using engine = await openLevelEngine(path, { create: true });
    await engine.write([{ type: "put", column: "default", key: bytes(1), value: bytes(2) }]);
    await engine.flush();
    await engine.write([{ type: "put", column: "default", key: bytes(2), value: bytes(3) }]);
    return path;
  }

  it.each(["CURRENT", "MANIFEST-", "LOCK", ".log", ".ldb"])("a pipe is refused: %s", async (part) => {
    const path = await levelDatabase();
    const file = join(path, readdirSync(path).find((name) => name.includes(part)) as string);
    rmSync(file);
    execFileSync("mkfifo", [file]);
    await rejection(
      openLevelEngine(path, { writable: true }),
      "DATABASE_DAMAGED",
      `${file} is a pipe, not a file`,
    );
  });

  it("a pipe is refused where a creation was interrupted", async () => {
    const path = temporaryFolder();
    const file = join(path, "MANIFEST-000001");
    execFileSync("mkfifo", [file]);
    await rejection(
      openLevelEngine(path, { create: true }),
      "DATABASE_DAMAGED",
      `${file} is a pipe, not a file`,
    );
  });
});

describe("a file of an impossible size", () => {
  const HUGE = 3 * 1024 ** 3;

  it.each(["CURRENT", "OPTIONS-"])("is damaged: %s", async (part) => {
    const { path, file } = withFile(part);
    truncateSync(file, HUGE);
    for (const open of Object.values(ways)) {
      await rejection(open(path), "DATABASE_DAMAGED", `${file} has ${HUGE} bytes`);
    }
  });

  it("is not copied: IDENTITY", async () => {
    const { path, file } = withFile("IDENTITY");
    truncateSync(file, HUGE);
    await rejection(
      backupDatabase(path, join(temporaryFolder(), "copy")),
      "DATABASE_DAMAGED",
      `${file} has ${HUGE} bytes`,
    );
  });

  it("is not read: a MANIFEST, a table", async () => {
    const manifest = withFile("MANIFEST-");
    truncateSync(manifest.file, HUGE);
    const table = withFile(".sst");
    truncateSync(table.file, HUGE);
    for (const open of Object.values(ways)) {
      await rejection(open(manifest.path), "FORMAT_UNSUPPORTED", `${manifest.file}: it has ${HUGE} bytes`);
      await rejection(open(table.path), "DATABASE_DAMAGED", table.file);
    }
  });
});

describe("write-ahead logs", () => {
  /** Lengthens a log by reserved space, as a writer that is killed leaves it. */
  function withLongLog(bytes = 4 * 1024 ** 3 + 32 * 1024): { readonly path: string; readonly file: string } {
    const { path, file } = withFile(".log");
    truncateSync(file, bytes);
    return { path, file };
  }

  it("with much space that was reserved are read in pieces", async () => {
    const { path } = withLongLog(64 * 1024 ** 2 + 5000);
    await using engine = await openFilesEngine(path);
    expect(engine.warnings).toEqual([]);
    expect(await countRows(engine)).toBe(935);
  });

  it("of more than four are left to RocksDB, which reads them", async () => {
    const { path, file } = withLongLog();
    await using engine = await openEngine(path);
    expect(engine.capabilities).toMatchObject({ engine: "rocksdb", reason: expect.stringContaining(file) });
    expect(engine.warnings).toEqual([]);
    expect(await countRows(engine)).toBe(935);
  });

  it("of more than four are refused by name where nothing else is asked, and in backups", async () => {
    const { path, file } = withLongLog();
    for (const open of [ways.files, ways["a backup"]]) {
      await rejection(
        open?.(path) as Promise<unknown>,
        "FORMAT_UNSUPPORTED",
        `${file}: the write-ahead logs have more than`,
      );
    }
  });

  it("may be several together", async () => {
    const { path, file } = withFile(".log");
    const next = join(path, "000900.log");
    writeFileSync(next, "");
    for (const log of [file, next]) truncateSync(log, 2.5 * 1024 ** 3);
    await rejection(openFilesEngine(path), "FORMAT_UNSUPPORTED", next);
  });
});
