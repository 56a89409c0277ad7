/** Databases in every form that RocksDB's files have: read exactly, or refused by name; never read wrongly. */

import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../../src/bytes/hex.js";
import { openEngine, openFilesEngine } from "../../../src/engines/index.js";
import { fixturePath, fixtureRows, forms } from "../../support/fixtures.js";
import { rejection } from "../../support/rejection.js";
import { rowTexts } from "../../support/transfer.js";
import { cleanUpAfterEach, temporaryCopy } from "../temporary.js";

cleanUpAfterEach();

/** Compressions that no library here can expand. */
const WITHOUT_LIBRARY = ["bzip2"];

/** Databases that this engine refuses and RocksDB reads. */
const READ_INSTEAD = ["index-first-key", "ingested", "blob-files"];

const readable = forms.filter(({ readable, needs }) => readable && !WITHOUT_LIBRARY.includes(needs ?? ""));
const refused = forms.filter((form) => !readable.includes(form));

const databaseOf = (name: string) => fixturePath("formats", name, "db");

/** The rows that RocksDB itself read, as `column key value`. */
const rowsOf = (name: string): string[] =>
  fixtureRows(`formats/${name}`).map(({ column, key, value }) => `${column} ${key} ${value}`);

describe.each(readable)("$name: $about", ({ name }) => {
  it("is read as RocksDB reads it, forward, backward and key by key", async () => {
    await using engine = await openFilesEngine(databaseOf(name));
    const rows = rowsOf(name);
    expect(await rowTexts(engine)).toEqual(rows);
    expect(await rowTexts(engine, true)).toEqual(rows);
    for (const column of engine.columns) {
      const wanted = rows.map((row) => row.split(" ")).filter(([of]) => of === column);
      const keys = wanted.map(([, key]) => fromHex(key as string));
      const values = await engine.getMany(column, keys);
      expect(values.map((value) => value && toHex(value))).toEqual(wanted.map(([, , value]) => value));
    }
  });

  it("is read equally without checksums and without a cache", async () => {
    await using engine = await openFilesEngine(databaseOf(name), { checksums: false, cacheBytes: 0 });
    expect(await rowTexts(engine)).toEqual(rowsOf(name));
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
    const { message } = await rejection(open(), "FORMAT_UNSUPPORTED", databaseOf(name));
    expect(message).toMatch(/use the engine rocksdb|use the program that wrote it|npm install/);
  });
});

it.each(READ_INSTEAD)("%s is read by RocksDB instead", async (name) => {
  await using engine = await openEngine(databaseOf(name));
  const reason = expect.stringContaining(databaseOf(name));
  expect(engine.capabilities).toMatchObject({ engine: "rocksdb", reason });
  expect(await rowTexts(engine)).toEqual(rowsOf(name));
});

const unreadable = refused.filter(({ name }) => !READ_INSTEAD.includes(name));
it.each(unreadable)("$name is not read by RocksDB either", async ({ name }) => {
  await rejection(openEngine(databaseOf(name)), "FORMAT_UNSUPPORTED");
});

it.each(["zlib", "zstd", "bzip2"])("RocksDB, built without %s, refuses it by name", async (name) => {
  const reading = async () => {
    await using engine = await openEngine(databaseOf(name), { engine: "rocksdb" });
    await rowTexts(engine);
  };
  await rejection(reading(), "FORMAT_UNSUPPORTED", "not supported in this build");
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
  expect(await rowTexts(engine)).toEqual(rowsOf(name));
});

it("covers forms of both kinds", () => {
  expect(readable.length).toBeGreaterThan(50);
  expect(refused.length).toBeGreaterThan(10);
});
