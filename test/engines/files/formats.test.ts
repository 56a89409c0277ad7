/** Databases in every form that RocksDB's files have: read exactly, or refused by name; never read wrongly. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../../src/bytes/hex.js";
import { type EngineReader, openEngine, openFilesEngine } from "../../../src/engines/index.js";
import { isMerostoreError } from "../../../src/errors.js";
import { rejection } from "../rocksdb/helpers.js";
import { cleanUpAfterEach, temporaryCopy } from "../temporary.js";

cleanUpAfterEach();

const root = join(import.meta.dirname, "../../../fixtures/formats");

interface Form {
  readonly name: string;
  /** True if a reader needs no options that the database lacks. */
  readonly readable: boolean;
  /** A library for compressed blocks. */
  readonly needs?: string;
  readonly about: string;
}

const forms = JSON.parse(readFileSync(join(root, "formats.json"), "utf8")) as readonly Form[];

/** Compressions that no library here can expand. */
const WITHOUT_LIBRARY = ["bzip2"];

/** Databases that this engine refuses and RocksDB reads. */
const READ_INSTEAD = ["index-first-key", "ingested", "blob-files"];

const readable = forms.filter(({ readable, needs }) => readable && !WITHOUT_LIBRARY.includes(needs ?? ""));
const refused = forms.filter((form) => !readable.includes(form));

const databaseOf = (name: string) => join(root, name, "db");

/** The rows that RocksDB itself read, as `column key value`. */
function rowsOf(name: string): string[] {
  const lines = readFileSync(join(root, name, "rows.jsonl"), "utf8")
    .split("\n")
    .filter(Boolean);
  return lines.map((line) => {
    const { column, key, value } = JSON.parse(line) as { column: string; key: string; value: string };
    return `${column} ${key} ${value}`;
  });
}

async function read(engine: EngineReader, reverse = false): Promise<string[]> {
  const rows: string[] = [];
  for (const column of engine.columns) {
    const found: string[] = [];
    for await (const chunk of engine.scan(column, {}, { reverse }).chunks()) {
      for (const { key, value } of chunk) found.push(`${column} ${toHex(key)} ${toHex(value)}`);
    }
    rows.push(...(reverse ? found.reverse() : found));
  }
  return rows;
}

describe.each(readable)("$name: $about", ({ name }) => {
  it("is read as RocksDB reads it, forward, backward and key by key", async () => {
    await using engine = await openFilesEngine(databaseOf(name));
    const rows = rowsOf(name);
    expect(await read(engine)).toEqual(rows);
    expect(await read(engine, true)).toEqual(rows);
    for (const column of engine.columns) {
      const wanted = rows.map((row) => row.split(" ")).filter(([of]) => of === column);
      const keys = wanted.map(([, key]) => fromHex(key as string));
      const values = await engine.getMany(column, keys);
      expect(values.map((value) => value && toHex(value))).toEqual(wanted.map(([, , value]) => value));
    }
  });

  it("is read equally without checksums and without a cache", async () => {
    await using engine = await openFilesEngine(databaseOf(name), { checksums: false, cacheBytes: 0 });
    expect(await read(engine)).toEqual(rowsOf(name));
  });
});

describe("loss of a log", () => {
  it.each(forms.filter(({ name }) => name.startsWith("log-") && readable.some((form) => form.name === name)))(
    "$name is reported, and nothing else",
    async ({ name }) => {
      await using engine = await openFilesEngine(databaseOf(name));
      const lost = {
        "log-torn": /truncated at byte 5986 of 6068/,
        "log-damaged": /damaged at byte 5986 of 6156/,
      }[name];
      if (lost === undefined) expect(engine.warnings).toEqual([]);
      else expect(engine.warnings).toEqual([{ code: "LOG_DAMAGED", message: expect.stringMatching(lost) }]);
    },
  );
});

describe.each(refused)("$name: $about", ({ name }) => {
  const open = () => openFilesEngine(databaseOf(name));

  it("is refused by name, with the remedy", async () => {
    const { message } = await rejection(open(), "FORMAT_UNSUPPORTED");
    expect(message).toContain(databaseOf(name));
    expect(message).toMatch(/use the engine rocksdb|use the program that wrote it|npm install/);
  });

  it(
    READ_INSTEAD.includes(name) ? "is read by RocksDB instead" : "is not read by RocksDB either",
    async () => {
      const opening = openEngine(databaseOf(name));
      if (!READ_INSTEAD.includes(name)) {
        expect(isMerostoreError(await opening.catch((error: unknown) => error), "FORMAT_UNSUPPORTED")).toBe(
          true,
        );
        return;
      }
      await using engine = await opening;
      expect(engine.capabilities).toMatchObject({
        engine: "rocksdb",
        reason: expect.stringContaining(databaseOf(name)),
      });
      expect(await read(engine)).toEqual(rowsOf(name));
    },
  );
});

it.each(["zlib", "zstd", "bzip2"])("RocksDB, built without %s, refuses it by name", async (name) => {
  const reading = async () => {
    await using engine = await openEngine(databaseOf(name), { engine: "rocksdb" });
    await read(engine);
  };
  expect(await rejection(reading(), "FORMAT_UNSUPPORTED")).toHaveProperty(
    "message",
    expect.stringContaining("not supported in this build"),
  );
});

it("RocksDB refuses by name to read what would end the process, and writes it", async () => {
  const name = "manifest-logs";
  const reading = openEngine(databaseOf(name), { engine: "rocksdb" });
  await rejection(reading, "FORMAT_UNSUPPORTED");
  await using engine = await openEngine(temporaryCopy(databaseOf(name)), { writable: true });
  expect(engine.capabilities).toMatchObject({
    engine: "rocksdb",
    reason: expect.stringContaining("it lists write-ahead logs"),
  });
  expect(await read(engine)).toEqual(rowsOf(name));
});

it("covers forms of both kinds", () => {
  expect(readable.length).toBeGreaterThan(50);
  expect(refused.length).toBeGreaterThan(10);
});
