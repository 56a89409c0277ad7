/** Tables of a database that is often flushed without RocksDB: they are few, and RocksDB reads the same rows. */
import { appendFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderFiles } from "../../../src/disk/folder.js";
import {
  type Engine,
  openEngine,
  openFilesEngine,
  openRocksEngine,
  type RawRow,
  readStoredTables,
  type WriteOperation,
} from "../../../src/engines/index.js";
import { isMerostoreError } from "../../../src/errors.js";
import { readCatalog } from "../../../src/lsm/catalog/catalog.js";
import { encodeRecord } from "../../../src/lsm/format/encode-log.js";
import { encodeDropEdit } from "../../../src/lsm/format/encode-manifest.js";
import { flipBit, manifestOf, tablesOf } from "../../support/files.js";
import { forms } from "../../support/fixtures.js";
import { cleanUpAfterEach, fixture, temporaryCopy, temporaryFolder } from "../temporary.js";
import { apply, type Rows, rowsOf } from "./changed-rows.js";
import { Random } from "./history.js";

cleanUpAfterEach();

const FAMILIES = ["a", "b"];
/** The tables of a column family: up to four on level 0, and one on each other level below 64 MiB. */
const MOST_TABLES = 4 + 6;

const keyOf = (number: number): Uint8Array =>
  new Uint8Array(Buffer.from(`row ${String(number).padStart(5, "0")}`));

function batchOf(random: Random, columns: readonly string[], rows: number): WriteOperation[] {
  return Array.from({ length: 1 + random.below(30) }, (): WriteOperation => {
    const column = random.pick(columns);
    const number = random.below(rows);
    if (random.chance(0.6))
      return { type: "put", column, key: keyOf(number), value: random.bytes(random.below(200)) };
    if (column === "a" || random.chance(0.9)) return { type: "delete", column, key: keyOf(number) };
    return { type: "deleteRange", column, gte: keyOf(number), lt: keyOf(number + random.below(rows / 20)) };
  });
}

/** Levels of tables by column family. */
async function levelsOf(path: string): Promise<Map<string, number[]>> {
  const levels = new Map<string, number[]>();
  for (const { column, level } of await readStoredTables(path))
    levels.set(column, [...(levels.get(column) ?? []), level]);
  return levels;
}

/** Expects that RocksDB, which opens a database for writing, shows these rows. */
async function expectInRocks(path: string, columns: readonly string[], rows: Rows): Promise<void> {
  await using rocks = await openRocksEngine(path, { writable: true });
  expect(rocks.columns).toEqual(columns);
  expect(await rowsOf(rocks)).toEqual(rows);
}

async function* chunks(rows: readonly RawRow[]) {
  yield rows;
}

async function create(): Promise<{ readonly engine: Engine; readonly path: string }> {
  const path = join(temporaryFolder(), "db");
  return { engine: await openEngine(path, { create: true, columns: FAMILIES, engine: "files" }), path };
}

describe("A database that is flushed again and again", () => {
  it.each([
    { what: "few rows, which are written and deleted often", rows: 400, loaded: 0, seed: 1 },
    { what: "many rows, of which few change", rows: 20_000, loaded: 20_000, seed: 2 },
  ])("has few tables, of all levels, which RocksDB reads: $what", async ({ rows, loaded, seed }) => {
    const random = new Random(seed);
    let { engine, path } = await create();
    const model: Rows = new Map();
    if (loaded > 0)
      for (const column of FAMILIES) {
        const all = Array.from({ length: loaded }, (_, at) => ({ key: keyOf(at), value: random.bytes(40) }));
        await engine.load?.(column, chunks(all));
        apply(
          model,
          all.map((row) => ({ type: "put", column, ...row })),
        );
      }
    const seen = new Set<number>();
    for (let flush = 0; flush < 60; flush++) {
      for (let batch = random.below(3); batch >= 0; batch--) {
        const operations = batchOf(random, FAMILIES, rows);
        await engine.write(operations);
        apply(model, operations);
      }
      const before = random.chance(0.1) ? await engine.snapshot() : undefined;
      const shown = new Map(model);
      await engine.flush();
      if (flush % 5 === 4 || before !== undefined) expect(await rowsOf(engine)).toEqual(model);
      if (before !== undefined) expect(await rowsOf(before)).toEqual(shown);
      await before?.close();
      for (const levels of (await levelsOf(path)).values()) {
        for (const level of levels) seen.add(level);
        expect(levels.length).toBeLessThanOrEqual(MOST_TABLES);
      }
      if (flush % 17 !== 16) continue;
      await engine.close();
      const copy = temporaryCopy(path);
      await expectInRocks(copy, ["default", ...FAMILIES], model);
      engine = await openFilesEngine(path, { writable: true });
    }
    await engine.close();
    expect(tablesOf(path)).toHaveLength((await readStoredTables(path)).length);
    // Tables of the bottom level, and tables above many older rows.
    expect([...seen].sort()).toEqual(loaded === 0 ? [0, 6] : expect.arrayContaining([0, 5, 6]));
  });

  it("keeps nothing of rows that are deleted, once all its tables become a run", async () => {
    const { engine, path } = await create();
    for (let flush = 0; flush < 5; flush++) {
      await engine.write([{ type: "put", column: "a", key: keyOf(flush), value: new Uint8Array(100) }]);
      if (flush === 2) await engine.write([{ type: "delete", column: "a", key: keyOf(1) }]);
      if (flush === 4)
        await engine.write([{ type: "deleteRange", column: "a", gte: keyOf(0), lt: keyOf(9) }]);
      await engine.flush();
    }
    expect(await rowsOf(engine)).toEqual(new Map());
    await engine.close();
    expect(await levelsOf(path)).toEqual(new Map());
    expect(tablesOf(path)).toEqual([]);
  });

  it("has a MANIFEST that does not grow with its flushes", async () => {
    const { engine, path } = await create();
    const sizes: number[] = [];
    for (let flush = 0; flush < 60; flush++) {
      await engine.write([{ type: "put", column: "a", key: keyOf(1), value: new Uint8Array(100) }]);
      await engine.flush();
      sizes.push(statSync(manifestOf(path)).size);
    }
    await engine.close();
    expect(readdirSync(path).filter((name) => name.startsWith("MANIFEST"))).toHaveLength(1);
    expect(Math.max(...sizes.slice(30))).toBeLessThan(1.1 * Math.max(...sizes.slice(0, 30)));
    await using rocks = await openRocksEngine(path, { writable: true });
    expect(await rocks.get("a", keyOf(1))).toHaveLength(100);
  });

  it("knows after a flush which column families were dropped", async () => {
    const { engine, path } = await create();
    await engine.close();
    const manifest = manifestOf(path);
    appendFileSync(manifest, encodeRecord(encodeDropEdit(2), statSync(manifest).size));
    const writer = await openFilesEngine(path, { writable: true });
    await writer.write([{ type: "put", column: "a", key: keyOf(1), value: new Uint8Array(100) }]);
    await writer.flush();
    await writer.close();
    expect((await readCatalog(folderFiles(path))).manifest.dropped).toEqual(new Map([["b", 2]]));
    await using rocks = await openRocksEngine(path, { writable: true });
    expect(rocks.columns).toEqual(["default", "a"]);
    expect(await rocks.get("a", keyOf(1))).toHaveLength(100);
  });

  it("uses no id of a column family again, also if its drop is not in the MANIFEST any more", async () => {
    const { engine, path } = await create();
    await engine.close();
    const manifest = manifestOf(path);
    // RocksDB begins a MANIFEST with the highest id that ever was: tag 203.
    const highest = Uint8Array.of(0xcb, 0x01, 9);
    appendFileSync(manifest, encodeRecord(highest, statSync(manifest).size));
    const writer = await openFilesEngine(path, { writable: true });
    await writer.addColumns?.(["c"]);
    await writer.write([{ type: "put", column: "c", key: keyOf(1), value: new Uint8Array(100) }]);
    await writer.flush();
    await writer.close();
    const { columns, highestId } = (await readCatalog(folderFiles(path))).manifest;
    expect(columns.map(({ id }) => id)).toEqual([0, 1, 2, 10]);
    expect(highestId).toBe(10);
    await using rocks = await openRocksEngine(path, { writable: true });
    expect(await rocks.get("c", keyOf(1))).toHaveLength(100);
  });

  it("is flushed also if a table is damaged, whose rows stay as they are", async () => {
    const { engine, path } = await create();
    const put = (number: number): Promise<void> =>
      engine.write([{ type: "put", column: "a", key: keyOf(number), value: new Uint8Array(100) }]);
    for (let number = 0; number < 4; number++) {
      await put(number);
      await engine.flush();
    }
    const [first] = await readStoredTables(path);
    const file = join(path, first?.file as string);
    flipBit(file, 10);
    expect(engine.warnings).toEqual([]);
    await put(4);
    await engine.flush();
    const message = expect.stringMatching(
      /^the tables of a in .* could not be compacted \(DATABASE_DAMAGED\): /,
    );
    const warning = { code: "COMPACTION_FAILED", message };
    expect(engine.warnings).toEqual([warning]);
    // These tables are not compacted again: each attempt would fail after much work.
    flipBit(file, 10);
    await put(5);
    await engine.flush();
    expect(engine.warnings).toEqual([warning]);
    flipBit(file, 10);
    await engine.close();
    expect((await levelsOf(path)).get("a")).toEqual([0, 0, 0, 0, 0, 0]);
    expect(tablesOf(path)).toHaveLength(6);
    await using again = await openFilesEngine(path);
    expect(await again.get("a", keyOf(4))).toHaveLength(100);
    await expect(again.get("a", keyOf(0))).rejects.toMatchObject({ code: "DATABASE_DAMAGED" });
  });
});

/** The forms that are refused, by the code of the error. */
const REFUSED = {
  FORMAT_UNSUPPORTED:
    `blob-files bzip2 comparator entities-log index-first-key ingested log-compressed manifest-logs
    merge-operands merge-operands-log plain-table second-path timed-puts-log user-timestamps`.split(/\s+/),
  LOG_DAMAGED: ["log-damaged", "log-torn"],
};
/** Forms with values that only RocksDB can compact. */
const NOT_COMPACTED = ["entities", "timed-puts"];

describe("A database of RocksDB, in each form", () => {
  it.each(forms)("is written, flushed and compacted, or refused: $name", async ({ name }) => {
    const path = temporaryCopy(fixture(`formats/${name}`));
    const write = async () => {
      await using engine = await openFilesEngine(path, { writable: true });
      const model = await rowsOf(engine);
      const random = new Random(7);
      const column = engine.columns.at(-1) as string;
      for (let flush = 0; flush < 6; flush++) {
        const operations = batchOf(random, [column], 100);
        await engine.write(operations);
        apply(model, operations);
        await engine.flush();
      }
      const levels = (await levelsOf(path)).get(column) as number[];
      if (NOT_COMPACTED.includes(name)) expect(levels).toContain(0);
      else expect(Math.max(...levels)).toBe(6);
      expect(await rowsOf(engine)).toEqual(model);
      return { columns: engine.columns, model };
    };
    const [code] = Object.entries(REFUSED).find(([, names]) => names.includes(name)) ?? [];
    if (code !== undefined) {
      await expect(write()).rejects.toMatchObject({ code });
      return;
    }
    const { columns, model } = await write();
    await expectInRocks(path, columns, model).catch((error: unknown) => {
      // RocksDB here cannot write it.
      if (!isMerostoreError(error, "WRITING_UNSUPPORTED")) throw error;
    });
  });
});
