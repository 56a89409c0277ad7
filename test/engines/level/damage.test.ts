import { appendFileSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openLevelEngine } from "../../../src/engines/level/index.js";
import { readLog } from "../../../src/lsm/format/log-records.js";
import { flipBit, manifestOf } from "../../support/files.js";
import { rejection } from "../../support/rejection.js";
import { bytes, countRows } from "../rocksdb/helpers.js";
import { cleanUpAfterEach, temporaryCopy, temporaryFolder } from "../temporary.js";
import { key, makeDatabase, put } from "./helpers.js";

cleanUpAfterEach();

/** Names and contents of a folder, without the lock and LevelDB's own journal. */
function contentsOf(path: string): Map<string, string> {
  const names = readdirSync(path).filter((name) => !/^LO(?:G|CK)/.test(name));
  return new Map(names.map((name) => [name, readFileSync(join(path, name), "base64")]));
}

function the(path: string, pattern: RegExp): string {
  const name = readdirSync(path).find((found) => pattern.test(found));
  expect(name, `a file ${pattern}`).toBeDefined();
  return join(path, name as string);
}

/** The database of a killed writer: a copy of the files of an open database. 100 batches are in the log. */
async function killedDatabase(): Promise<string> {
  const path = join(temporaryFolder(), "db");
  const engine = await openLevelEngine(path, { create: true });
  for (let at = 0; at < 100; at++) await engine.write([put(key(at), new Uint8Array(100).fill(at))]);
  const copy = temporaryCopy(path);
  await engine.close();
  return copy;
}

describe("damage to the files that describe the database", () => {
  const damages: [string, RegExp, (path: string) => void][] = [
    ["CURRENT empty", /CURRENT/, (path) => writeFileSync(join(path, "CURRENT"), "")],
    ["CURRENT cut", /CURRENT/, (path) => truncateSync(join(path, "CURRENT"), 10)],
    ["MANIFEST missing", /MANIFEST-\d+.*missing/, (path) => rmSync(manifestOf(path))],
    ["MANIFEST empty", /MANIFEST-\d+/, (path) => truncateSync(manifestOf(path), 0)],
    [
      "MANIFEST cut in its last record",
      /MANIFEST-\d+ is truncated/,
      (path) => truncateSync(manifestOf(path), readFileSync(manifestOf(path)).length - 5),
    ],
    ["MANIFEST with a flipped bit", /MANIFEST-\d+ is damaged/, (path) => flipBit(manifestOf(path), 20)],
    ["a table missing", /\d+\.ldb with rows of default is missing/, (path) => rmSync(the(path, /\.ldb$/))],
    [
      "a table cut",
      /\d+\.ldb with rows of default has 100 bytes/,
      (path) => truncateSync(the(path, /\.ldb$/), 100),
    ],
  ];

  it.each(damages)("is named, and the files do not change: %s", async (_name, message, damage) => {
    const path = await makeDatabase();
    damage(path);
    const before = contentsOf(path);
    for (const acceptLogLoss of [false, true]) {
      const error = await rejection(
        openLevelEngine(path, { writable: true, acceptLogLoss }),
        "DATABASE_DAMAGED",
        path,
      );
      expect(error.message).toMatch(message);
    }
    expect(contentsOf(path)).toEqual(before);
  });

  it("is named: a MANIFEST truncated between records, which lacks the last tables", async () => {
    const path = await makeDatabase();
    const manifest = manifestOf(path);
    const { records } = readLog(readFileSync(manifest));
    truncateSync(manifest, records.at(-1)?.offset);
    const before = contentsOf(path);
    await rejection(openLevelEngine(path, { writable: true }), "DATABASE_DAMAGED");
    expect(contentsOf(path)).toEqual(before);
  });
});

describe("a truncated or damaged write-ahead log", () => {
  const damages: [string, (log: string) => void][] = [
    ["is truncated", (log) => truncateSync(log, readFileSync(log).length - 30)],
    ["is damaged", (log) => flipBit(log, readFileSync(log).length >> 1)],
    ["is truncated", (log) => appendFileSync(log, bytes(1, 2, 3))],
  ];

  it.each(damages)("is not opened unless the loss is accepted: %s", async (kind, damage) => {
    const path = await killedDatabase();
    const log = the(path, /\.log$/);
    damage(log);
    const before = contentsOf(path);
    const error = await rejection(
      openLevelEngine(path, { writable: true }),
      "LOG_DAMAGED",
      `${log} ${kind} at byte`,
    );
    expect(error.message).toContain("acceptLogLoss");
    expect(contentsOf(path)).toEqual(before);

    const engine = await openLevelEngine(path, { writable: true, acceptLogLoss: true });
    expect(engine.warnings).toHaveLength(1);
    expect(engine.warnings[0]?.message).toContain(`${log} ${kind} at byte`);
    const rows = await countRows(engine);
    expect(rows).toBeLessThanOrEqual(100);
    await engine.close();
    await using again = await openLevelEngine(path, { writable: true });
    expect(again.warnings).toEqual([]);
    expect(await countRows(again)).toBe(rows);
  });

  it("is whole when its writer was killed between two batches", async () => {
    await using engine = await openLevelEngine(await killedDatabase(), { writable: true });
    expect(engine.warnings).toEqual([]);
    expect(await countRows(engine)).toBe(100);
  });
});

describe("a damaged table file", () => {
  it("is an error with the path when its rows are read, and closing works", async () => {
    const path = await makeDatabase();
    const tables = readdirSync(path).filter((name) => name.endsWith(".ldb"));
    for (const name of tables) {
      const file = join(path, name);
      const content = readFileSync(file);
      writeFileSync(file, content.fill(0, content.length - 60));
    }
    await using engine = await openLevelEngine(path, { writable: true });
    const readings = [
      () => engine.get("default", key(7)),
      () => engine.getMany("default", [key(7), key(250)]),
      () => countRows(engine),
      () => engine.write([{ type: "deleteRange", column: "default", gte: key(0), lt: key(9) }]),
    ];
    for (const reading of readings) {
      await rejection(reading(), "DATABASE_DAMAGED", path);
    }
  });
});
