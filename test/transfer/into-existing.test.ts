/** Rows of an export added to an existing database, and targets that are refused. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRocksEngine } from "../../src/engines/index.js";
import type { Progress } from "../../src/progress.js";
import { core010, core011 } from "../../src/schemas/index.js";
import { importExport } from "../../src/transfer/index.js";
import { filesOf } from "../support/files.js";
import { copyOfDatabase, fixturePath, fixtureRows } from "../support/fixtures.js";
import { folderOfEachTest } from "../support/folder-of-each-test.js";
import {
  changeDatabase,
  deleteIdentities,
  exportText,
  makeDatabase,
  partsOf,
  rowsAt,
  sealed,
  sourceOf,
} from "../support/transfer.js";

const folder = folderOfEachTest();

const nodeA = fixturePath("core-0.10/node-a", "db");
const nodeB = fixturePath("core-0.10/node-b", "db");

describe("into an existing database", () => {
  it("rows are added, over those with the same keys; the others stay", async () => {
    using copy = copyOfDatabase("core-0.10/node-b");
    await deleteIdentities(copy.path);
    const before = await rowsAt(copy.path);
    const added = await rowsAt(nodeA);
    const imported = await importExport(sourceOf(await exportText(nodeA)), copy.path, { intoExisting: true });
    expect(imported).toEqual({ rows: added.length, withoutValue: 0 });
    const keyOf = (row: string) => row.slice(0, row.lastIndexOf(" "));
    const keys = new Set(added.map(keyOf));
    const kept = before.filter((row) => !keys.has(keyOf(row)));
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length).toBeLessThan(before.length);
    expect(await rowsAt(copy.path)).toEqual([...kept, ...added].sort());
  });

  it("a partial export is added too, and importing it again changes nothing", async () => {
    using copy = copyOfDatabase("core-0.10/node-b");
    const text = await exportText(nodeA, { columns: ["Alias"] });
    const once = await importExport(sourceOf(text), copy.path, { intoExisting: true });
    expect(once).toEqual({ rows: 4, withoutValue: 0, selection: { columns: ["Alias"] } });
    const rows = await rowsAt(copy.path);
    expect(rows.length).toBe(371 + 4);
    await importExport(sourceOf(text), copy.path, { intoExisting: true });
    expect(await rowsAt(copy.path)).toEqual(rows);
  });

  it("the key pair of another node in the same namespace is refused", async () => {
    using copy = copyOfDatabase("core-0.10/node-b");
    const before = filesOf(copy.path);
    const text = await exportText(nodeA);
    for (const dryRun of [true, false])
      await expect(importExport(sourceOf(text), copy.path, { intoExisting: true, dryRun })).rejects.toThrow(
        /its row NamespaceIdentity would replace.*delete DB NamespaceIdentity namespaceId=ID/,
      );
    expect(filesOf(copy.path)).toEqual(before);
  });

  it("the key pair of another node is refused before anything is written, its other rows are not", async () => {
    using copy = copyOfDatabase("core-0.11/node-a");
    const before = await rowsAt(copy.path);
    const text = await exportText(fixturePath("core-0.11/node-b", "db"));
    for (const dryRun of [true, false])
      await expect(importExport(sourceOf(text), copy.path, { intoExisting: true, dryRun })).rejects.toThrow(
        /of another node: its row NodeIdentity would replace the private key.*delete DB NodeIdentity/,
      );
    expect(await rowsAt(copy.path)).toEqual(before);
    const own = await exportText(copy.path);
    expect(await importExport(sourceOf(own), copy.path, { intoExisting: true })).toMatchObject({
      rows: 1011,
    });
    const state = await exportText(fixturePath("core-0.11/node-b", "db"), { columns: ["State"] });
    expect(await importExport(sourceOf(state), copy.path, { intoExisting: true })).toMatchObject({
      rows: 311,
    });
    await using engine = await openRocksEngine(copy.path, { writable: true });
    await engine.write([{ type: "delete", column: "Group", key: Uint8Array.of(0x48) }]);
    await engine.close();
    expect(await importExport(sourceOf(text), copy.path, { intoExisting: true })).toMatchObject({
      rows: 577,
    });
  });

  it("a database without rows accepts any revision", async () => {
    const path = join(folder.path, "db");
    await makeDatabase(path, core010.columns, []);
    await importExport(sourceOf(await exportText(nodeB)), path, { intoExisting: true });
    expect(await rowsAt(path)).toEqual(await rowsAt(nodeB));
  });

  it("column families that it lacks do not matter while the export has no rows of them", async () => {
    const rows = fixtureRows("core-0.11/node-b").filter(({ column }) => column === "Meta");
    const path = join(folder.path, "db");
    await makeDatabase(path, ["Meta"], []);
    const text = await exportText(fixturePath("core-0.11/node-b", "db"), { columns: ["Meta"] });
    expect(await importExport(sourceOf(text), path, { intoExisting: true, schema: core011 })).toMatchObject({
      rows: rows.length,
    });
  });

  it("progress counts every row twice: checked, then written", async () => {
    using copy = copyOfDatabase("core-0.10/node-b");
    await deleteIdentities(copy.path);
    const seen: number[] = [];
    const onProgress = ({ done }: Progress) => void seen.push(done);
    await importExport(sourceOf(await exportText(nodeA)), copy.path, { intoExisting: true, onProgress });
    expect(seen.at(-1)).toBe(2 * 495);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  });
});

describe("an existing database does not change, byte for byte,", () => {
  async function expectUntouched(
    text: string,
    code: string,
    says: RegExp,
    prepare?: (path: string) => Promise<void>,
  ) {
    using copy = copyOfDatabase("core-0.10/node-b");
    await prepare?.(copy.path);
    const before = filesOf(copy.path);
    await expect(importExport(sourceOf(text), copy.path, { intoExisting: true })).rejects.toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(says) }),
    );
    expect(filesOf(copy.path)).toEqual(before);
  }

  it("if the export is invalid, also at its end", async () => {
    const text = await exportText(nodeA);
    await expectUntouched(text.slice(0, -1), "EXPORT_INVALID", /no end/);
    await expectUntouched(
      `${partsOf(text).head}\n${partsOf(text).rows.join("\n")}\n`,
      "EXPORT_INVALID",
      /truncated/,
    );
    await expectUntouched(text.replace(/"sha256":"./, '"sha256":"x'), "EXPORT_INVALID", /hash/);
    await expectUntouched("", "EXPORT_INVALID", /empty/);
  });

  it("when the export is of another revision", async () => {
    const says = /is a database of core-0\.10, and the export is of core-0\.11.*--revision/;
    await expectUntouched(await exportText(fixturePath("core-0.11/node-b", "db")), "INVALID_ARGUMENT", says);
  });

  it("when it lacks a column family that the export has rows of", async () => {
    const { head, rows } = partsOf(await exportText(nodeB));
    const added = JSON.stringify({ column: "Mystery", kind: null, key: "00", parts: null, value: "01" });
    const text = sealed(head.replace('"Generic"', '"Generic","Mystery"'), [
      ...rows.filter((row) => !row.startsWith('{"column":"Group"')),
      added,
    ]);
    await expectUntouched(
      text,
      "UNKNOWN_COLUMN_FAMILY",
      /has no column family "Mystery", of which the export has rows/,
    );
  });

  it("when its node runs", async () => {
    using copy = copyOfDatabase("core-0.10/node-b");
    const identities = await deleteIdentities(copy.path);
    await using _node = await openRocksEngine(copy.path, { writable: true });
    const text = await exportText(nodeA);
    await expect(importExport(sourceOf(text), copy.path, { intoExisting: true })).rejects.toThrow(
      expect.objectContaining({ code: "DATABASE_LOCKED" }),
    );
    expect((await rowsAt(copy.path)).length).toBe(371 - identities);
  });

  it("rows of another revision are added if the revision is named", async () => {
    using copy = copyOfDatabase("core-0.10/node-b");
    await changeDatabase(copy.path, []);
    const text = await exportText(fixturePath("core-0.11/node-b", "db"), { columns: ["Blobs"] });
    await importExport(sourceOf(text), copy.path, { intoExisting: true, schema: core011 });
    expect((await rowsAt(copy.path)).length).toBeGreaterThan(371);
  });
});

describe("invalid targets", () => {
  async function expectLeft(path: string, code: string, options = {}): Promise<void> {
    const before = readdirSync(folder.path);
    const text = await exportText(nodeB);
    await expect(importExport(sourceOf(text), path, options)).rejects.toThrow(
      expect.objectContaining({ code }),
    );
    expect(readdirSync(folder.path)).toEqual(before);
  }

  it("for a new database: an existing one, a folder in use, a file, a folder below a file", async () => {
    const path = join(folder.path, "db");
    await makeDatabase(path, core010.columns, []);
    const rows = await rowsAt(path);
    await expectLeft(path, "DATABASE_EXISTS");
    expect(await rowsAt(path)).toEqual(rows);

    const used = join(folder.path, "used");
    mkdirSync(used);
    writeFileSync(join(used, "notes"), "text");
    await expectLeft(used, "NOT_A_DATABASE");
    expect(readdirSync(used)).toEqual(["notes"]);
    await expectLeft(join(used, "notes"), "NOT_A_DATABASE");
    await expectLeft(join(used, "notes", "db"), "NOT_A_DATABASE");
  });

  it("for rows to add: nothing, an empty folder, a file", async () => {
    await expectLeft(join(folder.path, "none"), "DATABASE_NOT_FOUND", { intoExisting: true });
    await expectLeft(folder.path, "NOT_A_DATABASE", { intoExisting: true });
    writeFileSync(join(folder.path, "file"), "text");
    await expectLeft(join(folder.path, "file"), "NOT_A_DATABASE", { intoExisting: true });
  });

  it("a folder that was filled while rows were read does not change", async () => {
    const path = join(folder.path, "db");
    const bytes = new TextEncoder().encode(await exportText(nodeB));
    async function* source() {
      yield bytes.subarray(0, 1000);
      mkdirSync(path);
      writeFileSync(join(path, "notes"), "text");
      yield bytes.subarray(1000);
    }
    await expect(importExport(source, path)).rejects.toThrow(
      expect.objectContaining({ code: "NOT_A_DATABASE" }),
    );
    expect(readdirSync(folder.path)).toEqual(["db"]);
    expect(readdirSync(path)).toEqual(["notes"]);
  });

  it("a folder in which none can be created is named", async () => {
    const path = join("/sys", "merostore", "db");
    await expect(importExport(sourceOf(await exportText(nodeB)), path)).rejects.toThrow(
      expect.objectContaining({
        code: "PERMISSION_DENIED",
        message: expect.stringContaining("no folder can be created in /sys/merostore"),
      }),
    );
  });
});

it("the file is always closed", async () => {
  let closed = 0;
  const text = new TextEncoder().encode(await exportText(nodeB));
  const counting = (bytes: Uint8Array) =>
    async function* () {
      try {
        for (let at = 0; at < bytes.length; at += 5000) yield bytes.subarray(at, at + 5000);
      } finally {
        closed++;
      }
    };
  await importExport(counting(text), join(folder.path, "db"));
  expect(closed).toBe(1);
  const spoilt = text.slice().fill(0, 9000, 9001);
  for (const bytes of [text.subarray(1), text.subarray(0, -100), spoilt])
    await importExport(counting(bytes), join(folder.path, "none")).catch(() => closed++);
  expect(closed).toBe(1 + 3 * 2);
  await importExport(counting(text), join(folder.path, "db"), { intoExisting: true });
  expect(closed).toBe(9);
});
