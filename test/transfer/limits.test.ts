/** The limits of export and import: each reads what the other writes, and both refuse by name what is beyond. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openMemoryEngine, openRocksEngine } from "../../src/engines/index.js";
import { isMerostoreError } from "../../src/errors.js";
import { core010 } from "../../src/schemas/index.js";
import { storeOn } from "../../src/store/index.js";
import { exportStore, importExport, readExport } from "../../src/transfer/index.js";
import { LARGEST_ROW, MOST_COLUMNS } from "../../src/transfer/limits.js";
import { folderOfEachTest } from "../support/folder-of-each-test.js";
import { sealed, sourceOf } from "../support/transfer.js";

const folder = folderOfEachTest();

/** A store in memory with one row. */
async function storeWith(column: string, key: Uint8Array, value: Uint8Array) {
  const engine = openMemoryEngine({ columns: [...core010.columns, "other"] });
  await engine.write([{ type: "put", column, key, value }]);
  return storeOn(engine, { schema: core010 });
}

describe("a row", () => {
  const key = new Uint8Array(64).fill(7);
  // A value of State is in the line twice; a value of an unknown column family once.
  it.each(["State", "other"])("of 16 MiB in %s comes back", async (column) => {
    const value = new Uint8Array(LARGEST_ROW - key.length);
    for (let at = 0; at < value.length; at += 65_537) value[at] = at;
    const store = await storeWith(column, key, value);
    const source = () => exportStore(store, { revealSecrets: true, columns: [column] });
    const path = join(folder.path, "db");
    expect(await importExport(source, path)).toMatchObject({ rows: 1 });
    await using engine = await openRocksEngine(path);
    const found = await engine.get(column, key);
    expect(found !== undefined && Buffer.from(found).equals(value)).toBe(true);
  });

  it("of one byte more is refused by export, which names it", async () => {
    const store = await storeWith("other", key, new Uint8Array(LARGEST_ROW - key.length + 1));
    const read = async () => {
      for await (const _ of exportStore(store));
    };
    await expect(read()).rejects.toThrow(
      expect.objectContaining({
        code: "EXPORT_TOO_LARGE",
        message: expect.stringMatching(/the row "other" (07){64} has 16777217 bytes.*backup/),
      }),
    );
  });
});

const header = (columns: readonly string[], more: object = {}) =>
  JSON.stringify({
    export: "merostore",
    version: 1,
    revision: "core-0.10",
    columns,
    time: "2026-01-01T00:00:00.000Z",
    redacted: false,
    ...more,
  });

describe("column families", () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `c${index}`);

  it(`are ${MOST_COLUMNS} beside default, in an export and in what is read`, async () => {
    const store = await storeOn(openMemoryEngine({ columns: names(MOST_COLUMNS) }), { schema: core010 });
    const path = join(folder.path, "db");
    expect(await importExport(() => exportStore(store, { revealSecrets: true }), path)).toMatchObject({
      rows: 0,
    });
    await using engine = await openRocksEngine(path);
    expect(engine.columns).toHaveLength(MOST_COLUMNS + 1);

    const more = names(MOST_COLUMNS + 1);
    const larger = await storeOn(openMemoryEngine({ columns: more }), { schema: core010 });
    expect(() => exportStore(larger)).toThrow(expect.objectContaining({ code: "EXPORT_TOO_LARGE" }));
    await expectRefusal(sealed(header(more), []), /line 1: it names 257 column families/);
  });

  it("whose names take more than half a megabyte are refused by export", async () => {
    const store = await storeOn(openMemoryEngine({ columns: ["x".repeat(600_000)] }), { schema: core010 });
    expect(() => exportStore(store)).toThrow(expect.objectContaining({ code: "EXPORT_TOO_LARGE" }));
  });

  it.each([
    ["a zero byte, at which RocksDB would cut it", ["a\0b", "a\0c"]],
    ["half a character", ["\ud800"]],
  ])("with %s in their name are refused", async (_, columns) => {
    await expectRefusal(sealed(header(columns), []), /line 1: .*`columns`/);
  });
});

describe("a first line", () => {
  it.each([
    ["a text", "all"],
    ["null", null],
    ["an id of another size", { context: "00" }],
    ["column families that are none", { columns: [1] }],
  ])("with %s as its selection is refused", async (_, selection) => {
    await expectRefusal(sealed(header(["Meta"], { selection }), []), /line 1: `selection`/);
  });
});

it("pieces that are not bytes are refused", async () => {
  const pieces = async function* () {
    yield "text" as unknown as Uint8Array;
  };
  await expect(readExport(pieces())).rejects.toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
});

it("pieces with reused memory return the same rows", async () => {
  const row = (key: string) =>
    JSON.stringify({ column: "Meta", kind: null, key, parts: null, value: "0102" });
  const text = sealed(header(["Meta"]), ["00", "01", "02"].map(row));
  const bytes = Buffer.from(text);
  for (const size of [1, 7, bytes.length]) {
    const pieces = async function* () {
      const memory = Buffer.alloc(size);
      for (let at = 0; at < bytes.length; at += size)
        yield memory.subarray(0, bytes.copy(memory, 0, at, at + size));
    };
    const found: string[] = [];
    const reading = await readExport(pieces());
    const kept = [];
    for await (const rows of reading.rows()) kept.push(...rows);
    for (const { key, value } of kept) found.push(Buffer.concat([key, value as Uint8Array]).toString("hex"));
    expect(found).toEqual(["000102", "010102", "020102"]);
  }
});

/** Expects that a text is refused as an export. */
async function expectRefusal(text: string, says: RegExp): Promise<void> {
  const read = async () => {
    const reading = await readExport(sourceOf(text)());
    for await (const _ of reading.rows());
  };
  const error = await read().catch((reason: unknown) => reason);
  expect(isMerostoreError(error, "EXPORT_INVALID"), String(error)).toBe(true);
  expect((error as Error).message).toMatch(says);
}
