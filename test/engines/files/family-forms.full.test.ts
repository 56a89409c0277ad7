/** Compression and filters of column families, as the caller chooses them. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  type FamilyForms,
  openEngine,
  openFilesEngine,
  openRocksEngine,
  readStoredLogs,
  readStoredTables,
} from "../../../src/engines/index.js";
import { core011 } from "../../../src/schemas/index.js";
import { openStore } from "../../../src/store/index.js";
import { rejection } from "../../support/rejection.js";
import { cleanUpAfterEach, temporaryFolder } from "../temporary.js";

cleanUpAfterEach();

const keyOf = (at: number): Uint8Array => Uint8Array.from(Buffer.from(`key ${at}`));

it("are those of new tables, and RocksDB finds every key through a filter of any size", async () => {
  const path = join(temporaryFolder(), "db");
  const bits = [0, 1, 4, 10, 16, 50];
  const engine = await openFilesEngine(path, {
    create: true,
    columns: bits.map((bits) => `bits ${bits}`),
    families: Object.fromEntries(bits.map((bloomBits) => [`bits ${bloomBits}`, { bloomBits }])),
  });
  const keys = Array.from({ length: 1000 }, (_, at) => keyOf(at));
  for (const one of bits)
    await engine.write(keys.map((key) => ({ type: "put", column: `bits ${one}`, key, value: key })));
  const waiting = await readStoredLogs(path);
  expect(waiting.map(({ changes }) => changes)).toEqual([
    {}, // the first log of a database stays empty
    Object.fromEntries(bits.map((bits) => [`bits ${bits}`, 1000])),
  ]);
  await engine.flush();
  await engine.close();
  expect((await readStoredLogs(path)).map(({ changes }) => changes)).toEqual([{}]);
  const tables = await readStoredTables(path);
  const filters = tables.map(({ filterBytes }) => filterBytes);
  expect(filters[0]).toBe(0);
  for (const [at, bits] of [1, 4, 10, 16, 50].entries()) {
    expect(filters[at + 1]).toBeGreaterThanOrEqual((1000 * bits) / 8);
    expect(filters[at + 1]).toBeLessThan((1000 * bits) / 8 + 70);
  }
  await using rocks = await openRocksEngine(path);
  for (const one of bits) expect(await rocks.getMany(`bits ${one}`, keys)).toEqual(keys);
});

it("count the changes of families whatever their names are", async () => {
  const path = join(temporaryFolder(), "db");
  const columns = ["constructor", "__proto__"];
  await using engine = await openFilesEngine(path, { create: true, columns });
  for (const column of columns) await engine.write([{ type: "put", column, key: keyOf(1), value: keyOf(1) }]);
  const [, log] = await readStoredLogs(path);
  expect(Object.entries(log?.changes ?? {})).toEqual([
    ["constructor", 1],
    ["__proto__", 1],
  ]);
});

it("compress the tables of one family, of a store that is created", async () => {
  const path = join(temporaryFolder(), "db");
  const families = { State: { compression: "lz4", bloomBits: 0 } } as const;
  const store = await openStore(path, { create: true, schema: core011, engine: "files", families });
  const value = new Uint8Array(100);
  for (const column of ["State", "Delta"])
    await store.raw.write(
      Array.from({ length: 100 }, (_, at) => ({ type: "put", column, key: keyOf(at), value })),
    );
  await store.flush();
  await store.close();
  expect(await readStoredTables(path)).toMatchObject([
    { column: "State", compression: ["LZ4"], filterBytes: 0 },
    { column: "Delta", compression: [], filterBytes: 133 },
  ]);
  await using engine = await openFilesEngine(path);
  expect(await engine.get("State", keyOf(7))).toEqual(value);
});

it("choose when tables are compacted", async () => {
  const path = join(temporaryFolder(), "db");
  const families = { never: { compactFrom: 0 }, second: { compactFrom: 1 }, usual: {} };
  const columns = Object.keys(families);
  const levels = async (column: string) =>
    (await readStoredTables(path)).filter((table) => table.column === column).map(({ level }) => level);
  const engine = await openFilesEngine(path, { create: true, columns, families });
  const seen: Record<string, number[]> = { never: [], second: [], usual: [] };
  for (let at = 0; at < 6; at++) {
    await engine.write(columns.map((column) => ({ type: "put", column, key: keyOf(at), value: keyOf(at) })));
    await engine.flush();
    for (const column of columns)
      seen[column]?.push((await levels(column)).filter((one) => one === 0).length);
  }
  expect(seen).toEqual({ never: [1, 2, 3, 4, 5, 6], second: [1, 0, 1, 0, 1, 0], usual: [1, 2, 3, 4, 0, 1] });
  await engine.close();
  await using rocks = await openRocksEngine(path);
  const keys = Array.from({ length: 6 }, (_, at) => keyOf(at));
  for (const column of columns) expect(await rocks.getMany(column, keys)).toEqual(keys);
});

it.each([
  [{ Stat: {} }, /families: the database has no column family Stat; did you mean State\?/],
  [{ State: { compression: "zstd" } }, /compression in families\.State must be .*lz4/],
  [{ State: { bloomBits: 51 } }, /bloomBits in families\.State must be .*50/],
  [{ State: { compactFrom: -1 } }, /compactFrom in families\.State must be .*0 to 1000/],
  [{ State: { bloom: 1 } }, /unknown name "bloom" in families\.State/],
])("are refused before a database is made: %j", async (families, message) => {
  const path = join(temporaryFolder(), "db");
  const create = { create: true, columns: ["State"] };
  await expect(openFilesEngine(path, { ...create, families: families as FamilyForms })).rejects.toThrow(
    message,
  );
  await expect(openFilesEngine(path)).rejects.toMatchObject({ code: "DATABASE_NOT_FOUND" });
});

it("are refused by engines that cannot choose them, and for reading", async () => {
  const path = join(temporaryFolder(), "db");
  const create = { create: true, columns: ["State"] };
  const families = { State: { bloomBits: 0 } };
  await expect(openEngine(path, { ...create, families, engine: "rocksdb" })).rejects.toThrow(
    "only the engine files chooses",
  );
  await expect(openFilesEngine(path, { families })).rejects.toThrow("writable: true");
});

it("are block-based: a family that RocksDB keeps in plain tables is not written", async () => {
  const path = join(temporaryFolder(), "db");
  await (await openFilesEngine(path, { create: true, columns: ["Meta"] })).close();
  const options = `[Version]\n  rocksdb_version=9.8.4\n[DBOptions]\n[CFOptions "Meta"]\n  table_factory=`;
  for (const [factory, isWritten] of [
    ["BlockBasedTable", true],
    ["PlainTable", false],
  ] as const) {
    writeFileSync(join(path, "OPTIONS-999999"), `${options}${factory}\n`);
    const opened = openFilesEngine(path, { writable: true });
    if (isWritten) await (await opened).close();
    else
      await rejection(
        opened,
        "FORMAT_UNSUPPORTED",
        /column family "Meta" in tables that are not block-based/,
      );
    await (await openFilesEngine(path)).close();
  }
});
