/** Folders without their write-ahead logs: opening them silently would lose rows. */
import { rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { NumberMap } from "../../src/bytes/number-map.js";
import { readStoredLogs } from "../../src/engines/files/open-folder.js";
import {
  backupDatabase,
  openEngine,
  openFilesEngine,
  openRocksEngine,
  type WriteOperation,
} from "../../src/engines/index.js";
import { openLevelEngine } from "../../src/engines/level/index.js";
import { lacksLog } from "../../src/lsm/catalog/completeness.js";
import { encodeBatch } from "../../src/lsm/format/encode-log.js";
import { EntryType } from "../../src/lsm/format/internal-key.js";
import type { Manifest } from "../../src/lsm/format/manifest.js";
import { logsOf, manifestOf } from "../support/files.js";
import { log } from "./files/fuzz/logs.js";
import { cleanUpAfterEach, fixture, plainFixtureNames, temporaryCopy, temporaryFolder } from "./temporary.js";

cleanUpAfterEach();

const MISSING = [{ code: "LOG_MISSING", message: expect.stringContaining("are missing") }];

const removeLogs = (folder: string) => {
  for (const name of logsOf(folder)) rmSync(join(folder, name));
};

/** Writes a log whose puts have these numbers. */
function writeLog(file: string, numbers: readonly number[]): void {
  const put = { column: 0, type: EntryType.Value, key: Uint8Array.of(1), value: Uint8Array.of(2) };
  writeFileSync(file, log(numbers.map((number) => encodeBatch(number, [put]))));
}

/** The ways to open a database that accept no loss. */
const strictly: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  files: (path) => openFilesEngine(path),
  RocksDB: (path) => openRocksEngine(path),
  writing: (path) => openEngine(path, { writable: true }),
  unfinished: (path) => openEngine(path, { writable: true, acceptLogLoss: "unfinished" }),
  backup: (path) => backupDatabase(path, join(temporaryFolder(), "backup")),
};

const put = (key: number, value: number, column = "default"): WriteOperation => ({
  type: "put",
  column,
  key: Uint8Array.of(key),
  value: Uint8Array.of(value),
});

const databases = [...plainFixtureNames(), "formats/logs", "formats/log-alone", "formats/levels-4"];

describe("A database without its write-ahead logs", () => {
  it.each(databases)("%s is refused by every engine, unless the loss is accepted", async (name) => {
    const path = temporaryCopy(fixture(name));
    removeLogs(path);
    const none = /MANIFEST-\d+ needs more logs, or is truncated; none can be found/;
    const refusal = { code: "LOG_MISSING", message: expect.stringMatching(none) };
    for (const [how, open] of Object.entries(strictly))
      await expect(open(path), how).rejects.toMatchObject(refusal);
    for (const options of [{ engine: "files" }, { engine: "rocksdb" }, { writable: true }] as const) {
      await using opened = await openEngine(path, { ...options, acceptLogLoss: true });
      expect(opened.warnings).toEqual(MISSING);
    }
    await using whole = await openFilesEngine(path); // the writer began a new log
    expect(whole.warnings).toEqual([]);
  });

  it.each(["logs", "levels-1", "levels-2", "recycled-logs", "log-predecessor"])(
    "formats/%s without one log between others is refused, and so is what is left of it until that is accepted",
    async (name) => {
      const stored = await readStoredLogs(fixture(`formats/${name}`));
      const logs = stored.filter(({ changes }) => Object.keys(changes).length > 0).map(({ file }) => file);
      expect(logs.length).toBeGreaterThan(2);
      for (const [at, log] of [...logs.entries()].slice(1, -1)) {
        const path = temporaryCopy(fixture(`formats/${name}`));
        rmSync(join(path, log));
        const sentence = `are in none of the logs: ${logs[at - 1]} ends before them, ${logs[at + 1]} begins after them`;
        const refusal = { code: "LOG_MISSING", message: expect.stringContaining(sentence) };
        for (const [how, open] of Object.entries(strictly))
          await expect(open(path), `${how} without ${log}`).rejects.toMatchObject(refusal);
        for (const options of [{}, { engine: "rocksdb" }, { writable: true }] as const) {
          await using opened = await openEngine(path, { ...options, acceptLogLoss: true });
          expect(opened.warnings, log).toContainEqual(refusal);
        }
        await using rest = await openFilesEngine(path); // the writer made tables of the remaining rows
        expect(rest.warnings).toEqual([]);
      }
    },
  );

  it("names the writes that are missing", async () => {
    const path = join(temporaryFolder(), "db");
    for (const value of [1, 2, 3]) {
      const options = value === 1 ? { create: true, columns: ["Meta"] } : { writable: true };
      await using engine = await openEngine(path, options);
      for (const column of ["default", "Meta"]) await engine.write([put(value, value, column)]);
    }
    const [first, second, third] = logsOf(path).slice(-3);
    rmSync(join(path, second as string));
    await expect(openFilesEngine(path)).rejects.toThrow(
      `rows that are only in them: the writes 3 to 4 are in none of the logs: ${first} ends before them, ${third} begins after them`,
    );
  });

  it.each([
    { first: [1, 2, 3], second: [4], missing: undefined },
    { first: [1, 2, 3], second: [6], missing: "the writes 4 to 5" },
    { first: [2, 3], second: [4], missing: "the writes 1 to 1" },
    { first: [1, 3], second: [5], missing: undefined }, // a writer that bypasses the log for some writes
  ])(
    "knows by the numbers $first and $second which writes are missing",
    async ({ first, second, missing }) => {
      const path = join(temporaryFolder(), "db");
      await (await openEngine(path, { create: true, columns: [] })).close();
      for (const [name, numbers] of Object.entries({ "000003.log": first, "000004.log": second })) {
        writeLog(join(path, name), numbers);
      }
      for (const open of [openFilesEngine, openRocksEngine]) {
        if (missing === undefined) await (await open(path)).close();
        else await expect(open(path)).rejects.toThrow(missing);
      }
    },
  );

  it.each([
    {
      what: "a table took the missing number alone, as an ingested one does",
      flushes: [2, 1],
      logs: [[1, 2], [4]],
    },
    { what: "the first log that is needed begins later", flushes: [2], logs: [[5, 6], [7]] },
    { what: "tables took other numbers", flushes: [3], logs: [[1, 2], [4]], missing: "the writes 3 to 3" },
    { what: "a table took one of two", flushes: [2, 1], logs: [[1, 2], [5]], missing: "the writes 3 to 4" },
  ])("of which $what", async ({ flushes, logs, missing }) => {
    const path = join(temporaryFolder(), "db");
    {
      await using engine = await openEngine(path, { create: true, columns: [] });
      let key = 0;
      for (const count of flushes) {
        for (let at = 0; at < count; at++) await engine.write([put(++key, 1)]);
        await engine.flush();
      }
    }
    const [needed] = logsOf(path);
    for (const [at, numbers] of logs.entries()) {
      const name = `${String(Number.parseInt(needed as string, 10) + at).padStart(6, "0")}.log`;
      writeLog(join(path, name), numbers);
    }
    if (missing === undefined) await (await openFilesEngine(path)).close();
    else await expect(openFilesEngine(path)).rejects.toThrow(missing);
  });

  it.each([
    ["core-0.11/node-a", 5_409],
    ["core-0.11/node-c", 4_681],
    ["core-0.11-apps/parted-n3", 6_246],
    ["documented/tables", 5_079],
  ])(
    "%s is damaged if its MANIFEST ends within the record at byte %i, whatever log is missing",
    async (name, record) => {
      const path = temporaryCopy(fixture(name));
      const manifest = manifestOf(path);
      for (const end of [record + 15, record + 8, record + 7, record + 6, record + 1]) {
        truncateSync(manifest, end);
        for (const open of [openFilesEngine, openRocksEngine])
          await expect(open(path), `${end}`).rejects.toMatchObject({
            code: "DATABASE_DAMAGED",
            message: expect.stringContaining(
              `${manifest} is truncated in the record at byte ${record} of ${end}`,
            ),
          });
      }
      truncateSync(manifest, record);
      await expect(openFilesEngine(path)).rejects.toMatchObject({ code: "LOG_MISSING" });
    },
  );

  it("of LevelDB is refused, unless the loss is accepted", async () => {
    const path = join(temporaryFolder(), "db");
    const write = async (value: number, options: Parameters<typeof openLevelEngine>[1]) => {
      await using engine = await openLevelEngine(path, options);
      await engine.write([put(1, value)]);
      return engine.warnings;
    };
    await write(1, { create: true });
    await write(2, { writable: true });
    removeLogs(path);
    await expect(openLevelEngine(path, { writable: true })).rejects.toMatchObject({ code: "LOG_MISSING" });
    expect(await write(3, { writable: true, acceptLogLoss: true })).toEqual(MISSING);
    expect(await write(4, { writable: true })).toEqual([]);
  });
});

describe("The missing log", () => {
  const manifest = (logNumber: number, tables: number, minLogNumber = logNumber): Manifest => ({
    columns: [{ id: 0, name: "default", logNumber, comparator: "", files: [] }] as never,
    liveFiles: Array.from({ length: tables }, (_, number) => ({ number })) as never,
    deletedFiles: new NumberMap([]) as never,
    dropped: new Map(),
    minLogNumber,
    nextFileNumber: 100,
    lastSequence: 1,
    highestId: 0,
    databaseId: undefined,
    tracksLogs: false,
    unsupported: [],
  });

  it.each([
    ["none is left of a new database", 0, 0, [], true],
    ["a new database has its first", 0, 0, [37], false],
    ["a new database has a later one only", 0, 0, [44], true],
    ["none is as new as the last flush", 51, 3, [37], true],
    ["one is as new as the last flush", 51, 3, [51], false],
    ["RocksDB repaired the database, whose tables come from no log", 0, 3, [], false],
  ])("%s", (_, logNumber, tables, logs, lacks) => {
    const catalog = { manifest: manifest(logNumber, tables), manifestName: "MANIFEST-000038", logs };
    expect(lacksLog(catalog)).toBe(lacks);
  });
});
