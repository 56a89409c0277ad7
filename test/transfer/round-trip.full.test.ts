/** An exported and imported database is the same, whatever it holds. */
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { openMemoryEngine } from "../../src/engines/index.js";
import { core010, core011, type Schema } from "../../src/schemas/index.js";
import { storeOn } from "../../src/store/index.js";
import { exportStore, importExport } from "../../src/transfer/index.js";
import { fixturePath, fixtureRows, temporaryFolder } from "../support/fixtures.js";
import {
  changeDatabase,
  exportText,
  type HexRow,
  makeDatabase,
  partsOf,
  rowsAt,
  sourceOf,
  timeless,
} from "../support/transfer.js";

let folder = temporaryFolder();
afterEach(() => {
  folder[Symbol.dispose]();
  folder = temporaryFolder();
});

/** Exports, imports and exports again. Returns the export and the place of the new database. */
async function thereAndBack(path: string, schema?: Schema) {
  const named = schema === undefined ? {} : { schema };
  const text = await exportText(path, named);
  const back = join(folder.path, "back");
  const imported = await importExport(sourceOf(text), back, named);
  expect(timeless(await exportText(back, named))).toBe(timeless(text));
  expect(await rowsAt(back)).toEqual(await rowsAt(path));
  expect(imported).toEqual({ rows: partsOf(text).rows.length, withoutValue: 0 });
  return { text, back };
}

interface Form {
  readonly name: string;
  readonly readable: boolean;
  readonly needs?: string;
}

const forms = JSON.parse(readFileSync(fixturePath("formats", "formats.json"), "utf8")) as readonly Form[];

it("rows of unknown kinds, from every form of RocksDB's files that can be read", async () => {
  let compared = 0;
  for (const { name, readable, needs } of forms) {
    if (!readable || /bzip2|dictionary/.test(needs ?? "")) continue;
    const path = fixturePath("formats", name, "db");
    if (name === "log-damaged") {
      await expect(exportText(path, { schema: core010 })).rejects.toThrow(
        expect.objectContaining({ code: "DATABASE_DAMAGED" }),
      );
      continue;
    }
    await thereAndBack(path, core010);
    folder[Symbol.dispose]();
    folder = temporaryFolder();
    compared++;
  }
  expect(compared).toBeGreaterThan(50);
});

describe("a database made for it", () => {
  const path = () => join(folder.path, "db");
  const rows = fixtureRows("core-0.10/node-b");
  const odd: readonly HexRow[] = [
    { column: "Mystery", key: "", value: "" },
    { column: "Mystery", key: "00", value: "" },
    { column: "Mystery", key: "0000", value: "ff" },
    { column: "Mystery", key: "ff".repeat(300), value: "00".repeat(3_000_000) },
    { column: "default", key: "6b6579", value: "76616c7565" },
    { column: "State", key: "", value: "01" },
    { column: "Meta", key: "736368656d61", value: "" },
  ];

  it("with unknown column families, unknown rows, empty keys and empty values", async () => {
    await makeDatabase(path(), ["Mystery", ...core010.columns, "Another one, ‘quoted’"], [...rows, ...odd]);
    const { text } = await thereAndBack(path());
    const { columns } = JSON.parse(partsOf(text).head) as { columns: string[] };
    expect(columns).toEqual([...core010.columns, "default", "Mystery", "Another one, ‘quoted’"]);
  });

  it("with values that do not decode: they have an error, and are kept", async () => {
    await makeDatabase(path(), core010.columns, rows);
    const cut = rows.filter(({ value }, at) => at % 9 === 0 && value !== "");
    await changeDatabase(
      path(),
      cut.map((row) => ({ ...row, value: row.value.slice(0, -2) })),
    );
    const { text } = await thereAndBack(path(), core010);
    const told = partsOf(text).rows.filter((line) => "error" in (JSON.parse(line) as object));
    expect(told.length).toBeGreaterThan(10);
  });

  it("of several revisions: the first line names the revision of each family", async () => {
    const older = fixtureRows("core-0.10/tables").filter(({ column }) =>
      ["Delta", "Identity"].includes(column),
    );
    const newer = fixtureRows("core-0.11/node-a").filter(
      ({ column }) => !["Delta", "Identity"].includes(column),
    );
    await makeDatabase(path(), core011.columns, [...older, ...newer]);
    const { text } = await thereAndBack(path());
    const head = JSON.parse(partsOf(text).head) as { revision: string; families: Record<string, string> };
    expect(head.revision).toBe("mixed");
    expect(head.families).toMatchObject({ Delta: "core-0.10", Meta: "core-0.11", "Group 0x20": "core-0.11" });
  });

  it("without rows", async () => {
    await makeDatabase(path(), core011.columns, []);
    const { text } = await thereAndBack(path());
    expect(partsOf(text).rows).toEqual([]);
  });
});

describe("an import", () => {
  it("accepts an export in pieces of any size", async () => {
    const text = await exportText(fixturePath("core-0.10/node-b", "db"), { columns: ["Group", "Meta"] });
    for (const [at, bytes] of [1, 7, 1000, 10_000_000].entries()) {
      const path = join(folder.path, `${at}`);
      await importExport(sourceOf(text, bytes), path);
      expect(partsOf(await exportText(path, { columns: ["Group", "Meta"] })).tail).toBe(partsOf(text).tail);
    }
  });

  it("replaces an empty folder, and creates missing parents", async () => {
    const text = await exportText(fixturePath("core-0.10/node-b", "db"));
    const empty = join(folder.path, "empty");
    mkdirSync(empty);
    for (const path of [empty, join(folder.path, "a", "b")]) {
      await importExport(sourceOf(text), path);
      expect(await rowsAt(path)).toEqual(await rowsAt(fixturePath("core-0.10/node-b", "db")));
    }
    expect(readdirSync(folder.path).sort()).toEqual(["a", "empty"]);
    expect(readdirSync(join(folder.path, "a"))).toEqual(["b"]);
  });
});

describe("an export", () => {
  it("of a snapshot is consistent, also of an engine in memory", async () => {
    const engine = openMemoryEngine({ columns: core010.columns });
    await using store = await storeOn(engine, { schema: core010 });
    const put = (value: number) =>
      engine.write([{ type: "put", column: "State", key: new Uint8Array(64), value: Uint8Array.of(value) }]);
    await put(1);
    await using snapshot = await store.snapshot();
    await put(2);
    let text = "";
    for await (const piece of exportStore(snapshot, { revealSecrets: true }))
      text += Buffer.from(piece).toString();
    expect(partsOf(text).rows.map((line) => (JSON.parse(line) as HexRow).value)).toEqual(["01"]);
  });

  it("yields pieces of whole lines, whose size does not grow with the rows of a chunk", async () => {
    const engine = openMemoryEngine({ columns: core010.columns });
    await using store = await storeOn(engine, { schema: core010 });
    const value = new Uint8Array(300_000);
    await engine.write(
      Array.from({ length: 40 }, (_, at) => ({
        type: "put" as const,
        column: "State",
        key: new Uint8Array(64).fill(at),
        value,
      })),
    );
    let longest = 0;
    for await (const piece of exportStore(store, { revealSecrets: true })) {
      expect(piece.at(-1)).toBe(0x0a);
      longest = Math.max(longest, piece.length);
    }
    expect(longest).toBeLessThan(4_000_000);
  });
});
