/** Stores that can write are of the revision that the rows show. */
import { describe, expect, it } from "vitest";
import { openEngine, openMemoryEngine, openRocksEngine } from "../../src/engines/index.js";
import { ContextMeta, ContextMetaValue } from "../../src/revisions/core-0.11.js";
import { core010, core011, defineSchema, revisions, row, type Schema } from "../../src/schemas/index.js";
import { openStore, storeOn } from "../../src/store/index.js";
import { countRows } from "../engines/rocksdb/helpers.js";
import { copyOfDatabase, distinct, temporaryFolder } from "../support/fixtures.js";
import { rejection } from "../support/rejection.js";

describe("a database with rows", () => {
  it.each(distinct)("of $name is written in its revision only", async ({ name, schema: own, rows }) => {
    using copy = copyOfDatabase(name);
    for (const given of revisions) {
      {
        await using reading = await openStore(copy.path, { schema: given });
        expect(reading.schema).toBe(given);
        const isOther = given.columns.join() !== own.columns.join();
        const warnings = isOther
          ? [{ code: "REVISION_OTHER", message: expect.stringContaining(given.name) }]
          : [];
        expect(reading.warnings).toEqual(warnings);
      }
      if (given !== own) {
        await rejection(
          openStore(copy.path, { schema: given, writable: true }),
          "INVALID_ARGUMENT",
          `not of ${given.name}, but ${own.name}: `,
        );
        continue;
      }
      await using writing = await openStore(copy.path, { schema: given, writable: true });
      expect(await countRows(writing.raw)).toBe(rows);
    }
  });

  it("is read with a warning in a revision that has other column families", async () => {
    const warned = async (columns: readonly string[], schema: Schema) => {
      await using engine = openMemoryEngine({ columns });
      Object.assign(engine.capabilities, { writable: false });
      return (await storeOn(engine, { schema })).warnings.map(({ message }) => message);
    };
    const [older] = await warned(core011.columns, core010);
    expect(older).toContain("the column families are those of core-0.11, and rows are read as core-0.10");
    const [newer] = await warned(core010.columns, core011);
    expect(newer).toContain("the column families are those of core-0.10, and rows are read as core-0.11");
    const own = defineSchema("own", [row(ContextMeta, ContextMetaValue)]);
    for (const schema of [core011, own]) expect(await warned(core011.columns, schema)).toEqual([]);
    expect(await warned(core011.columns.slice(1), core010)).toEqual([]);
  });

  it("is closed when it is refused", async () => {
    using copy = copyOfDatabase("core-0.10/node-a");
    await rejection(openStore(copy.path, { schema: revisions[2], writable: true }), "INVALID_ARGUMENT");
    await using store = await openStore(copy.path, { writable: true });
    expect(store.schema).toBe(revisions[1]);
  });

  it("is refused on an open engine that can write", async () => {
    using copy = copyOfDatabase("core-0.10/node-a");
    await using engine = await openRocksEngine(copy.path, { writable: true });
    await rejection(storeOn(engine, { schema: revisions[2] }), "INVALID_ARGUMENT");
  });

  it("accepts writes with a custom schema", async () => {
    using copy = copyOfDatabase("core-0.10/node-a");
    const own = defineSchema("own", [row(ContextMeta, ContextMetaValue)]);
    await using store = await openStore(copy.path, { schema: own, writable: true });
    expect(store.schema).toBe(own);
  });
});

it("a schema without any column family of the database is warned of", async () => {
  using folder = temporaryFolder();
  const path = `${folder.path}/own`;
  await (await openEngine(path, { create: true, columns: ["Rooms"] })).close();
  await using store = await openStore(path, { schema: core011 });
  expect(store.warnings).toEqual([
    {
      code: "REVISION_OTHER",
      message: "the database has none of the column families of core-0.11: all its rows are unknown",
    },
  ]);
});

describe("a database without rows", () => {
  it.each(revisions)("is opened in the revision of its creation: $name", async (given) => {
    using folder = temporaryFolder();
    for (const how of [{ create: true }, { writable: true }]) {
      await using store = await openStore(`${folder.path}/db`, { ...how, schema: given });
      expect(store.schema).toBe(given);
    }
    await using memory = openMemoryEngine({ columns: given.columns });
    await using store = await storeOn(memory, { schema: given });
    expect(store.schema).toBe(given);
  });
});
