/** Rows that the engine `files` writes into tables without a log, and whole databases that are made so. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { convertDatabase } from "../../../src/convert/index.js";
import {
  type Engine,
  openEngine,
  openFilesEngine,
  openRocksEngine,
  type RawRow,
  readStoredTables,
  recoverDatabase,
} from "../../../src/engines/index.js";
import { copyDatabase, importExport, rewriteDatabase } from "../../../src/transfer/index.js";
import { logsOf } from "../../support/files.js";
import { exportText, rowText, rowTexts, sourceOf } from "../../support/transfer.js";
import { cleanUpAfterEach, fixture, temporaryFolder } from "../temporary.js";

cleanUpAfterEach();

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));

async function* chunks(rows: readonly RawRow[]): AsyncGenerator<readonly RawRow[]> {
  for (let at = 0; at < rows.length; at += 700) yield rows.slice(at, at + 700);
}

/** Rows in the order of their keys. */
function rowsOf(count: number, value = 60): RawRow[] {
  return Array.from({ length: count }, (_, at) => ({
    key: bytes(`key ${String(at).padStart(8, "0")}`),
    value: new Uint8Array(at % value).fill(at),
  }));
}

async function shownBy(open: () => Promise<Engine>): Promise<string[]> {
  await using engine = await open();
  expect(engine.warnings).toEqual([]);
  return await rowTexts(engine);
}

const textOf = (column: string, rows: readonly RawRow[]): string[] => rows.map((row) => rowText(column, row));

/** Checks that both engines show the rows of a database, also after RocksDB has opened it for writing. */
async function expectRows(path: string, rows: readonly string[]): Promise<void> {
  expect(await shownBy(() => openFilesEngine(path))).toEqual(rows);
  expect(await shownBy(() => openRocksEngine(path))).toEqual(rows);
  expect(await shownBy(() => openRocksEngine(path, { writable: true }))).toEqual(rows);
  expect(await shownBy(() => openFilesEngine(path))).toEqual(rows);
}

async function created(): Promise<{ readonly engine: Engine; readonly path: string }> {
  const path = join(temporaryFolder(), "db");
  return { engine: await openEngine(path, { create: true, columns: ["a"], engine: "files" }), path };
}

const load = (engine: Engine, rows: readonly RawRow[]): Promise<number> =>
  (engine.load as NonNullable<Engine["load"]>).call(engine, "a", chunks(rows));

describe("Rows that are loaded without a log", () => {
  it("go into tables that do not overlap, on the deepest level, in the order of their keys", async () => {
    const { engine, path } = await created();
    const rows = rowsOf(140, 1);
    for (const row of rows)
      Object.assign(row, { value: new Uint8Array(1024 * 1024).fill(row.key.at(-1) ?? 0) });
    expect(await load(engine, rows)).toBe(140);
    await engine.close();
    const tables = await readStoredTables(path);
    expect(tables.map(({ level }) => level)).toEqual([6, 6, 6]);
    for (const { file } of tables) {
      const footer = readFileSync(join(path, file)).subarray(-53);
      expect([footer[0], footer.readUInt32LE(41)]).toEqual([4, 5]); // XXH3, format version 5
    }
    expect(logsOf(path).map((name) => readFileSync(join(path, name)).length)).toEqual([0]);
    await using rocks = await openRocksEngine(path, { writable: true });
    for (const { key, value } of rows)
      expect(Buffer.compare((await rocks.get("a", key)) as Uint8Array, value)).toBe(0);
  });

  it("are followed by batches, and by other loads", async () => {
    const { engine, path } = await created();
    const rows = rowsOf(3_000);
    const half = rows.filter((_, at) => at % 2 === 0);
    await load(engine, half);
    const other = rows.filter((_, at) => at % 2 === 1);
    await engine.write([
      { type: "put", column: "a", key: (rows[7] as RawRow).key, value: bytes("older") },
      { type: "delete", column: "a", key: (rows[9] as RawRow).key },
      { type: "deleteRange", column: "a", gte: (rows[100] as RawRow).key, lt: (rows[120] as RawRow).key },
    ]);
    await load(engine, other);
    const expected = rows.filter((_, at) => at < 100 || at >= 120 || at % 2 === 1);
    await engine.write([{ type: "put", column: "a", key: bytes("z"), value: bytes("last") }]);
    await engine.close();
    await expectRows(path, textOf("a", [...expected, { key: bytes("z"), value: bytes("last") }]));
  });

  it("may come in any order: the later one of a key counts", async () => {
    const { engine, path } = await created();
    const rows = rowsOf(2_000);
    const mixed = rows.map((_, at) => rows[(at * 1_999) % 2_000] as RawRow);
    const older = rows.slice(500, 600).map(({ key }) => ({ key, value: bytes("older") }));
    expect(await load(engine, [...older, ...mixed])).toBe(2_100);
    await engine.close();
    await expectRows(path, textOf("a", rows));
  });

  it("are left out as a whole if one of them cannot be read", async () => {
    const { engine, path } = await created();
    await engine.write([{ type: "put", column: "a", key: bytes("a"), value: bytes("1") }]);
    const before = readdirSync(path).sort();
    const failing = async function* (): AsyncGenerator<readonly RawRow[]> {
      yield* chunks(rowsOf(30_000));
      throw new Error("no more");
    };
    await expect(engine.load?.("a", failing())).rejects.toThrow("no more");
    expect(readdirSync(path).sort()).toEqual(before);
    await engine.write([{ type: "put", column: "a", key: bytes("b"), value: bytes("2") }]);
    await engine.close();
    await expectRows(
      path,
      textOf("a", [
        { key: bytes("a"), value: bytes("1") },
        { key: bytes("b"), value: bytes("2") },
      ]),
    );
  });
});

describe("A database that is made without RocksDB", () => {
  const source = fixture("core-0.11/tables");
  const newEngine = "files";
  const expected = () => shownBy(() => openFilesEngine(source));

  it.each([
    ["copy", (path: string) => copyDatabase(source, path, { newEngine })],
    ["recovery", (path: string) => recoverDatabase(source, path, { newEngine })],
  ])("is a %s", async (_, make) => {
    const path = join(temporaryFolder(), "db");
    await make(path);
    await expectRows(path, await expected());
  });

  it("is an import", async () => {
    const path = join(temporaryFolder(), "db");
    await importExport(sourceOf(await exportText(source)), path, { newEngine });
    await expectRows(path, await expected());
  });

  it("is an encryption, whose decryption has the same rows", async () => {
    const folder = temporaryFolder();
    const newMasterKey = new Uint8Array(48).fill(7);
    await rewriteDatabase(source, join(folder, "encrypted"), { newMasterKey, newEngine });
    await rewriteDatabase(join(folder, "encrypted"), join(folder, "plain"), {
      masterKey: newMasterKey,
      newEngine,
    });
    await expectRows(join(folder, "plain"), await expected());
  });

  it("is a conversion, equal to that with RocksDB", async () => {
    const folder = temporaryFolder();
    const old = fixture("core-0.10/node-a");
    await convertDatabase(old, join(folder, "files"), { to: "core-0.11", newEngine });
    await convertDatabase(old, join(folder, "rocksdb"), { to: "core-0.11" });
    await expectRows(join(folder, "files"), await shownBy(() => openFilesEngine(join(folder, "rocksdb"))));
  });
});
