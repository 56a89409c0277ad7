/** Writing where a browser keeps files: removing or changing a file ends reads of its former content. */
import { expect, it } from "vitest";
import type { Engine } from "../../../src/engine/engine.js";
import { openOriginFolder } from "../../../src/engines/files/index.js";
import { writeDatabase } from "../../../src/engines/files/write/new-database.js";
import { openWritten } from "../../../src/engines/files/write/open-written.js";
import { readCatalog } from "../../../src/lsm/catalog/catalog.js";
import { OriginFiles, type OriginFolder } from "../../../src/lsm/origin-files.js";
import { listOf } from "../../support/lists.js";
import { rejection } from "../../support/rejection.js";
import { MemoryFolder } from "./memory-folder.js";

const text = (written: string): Uint8Array => new Uint8Array(Buffer.from(written));

async function rowsOf(engine: Pick<Engine, "scan">): Promise<string[]> {
  return (await listOf(engine.scan("a"))).map(({ key, value }) => `${Buffer.from(key)} ${value.length}`);
}

async function open(folder: OriginFolder): Promise<Engine> {
  const files = new OriginFiles(folder, "here");
  return openWritten(await readCatalog(files), files, {}, false, () => undefined);
}

it("keeps what snapshots read until they are closed, and removes it then", async () => {
  const folder = new MemoryFolder();
  await writeDatabase(new OriginFiles(folder, "here"), ["default", "a"]);
  const engine = await open(folder);
  const put = (number: number): Promise<void> =>
    engine.write([{ type: "put", column: "a", key: text(`row ${number}`), value: new Uint8Array(number) }]);
  const expected: string[] = [];
  for (let number = 0; number < 4; number++) {
    await put(number);
    await engine.flush();
    expected.push(`row ${number} ${number}`);
  }
  const snapshot = await engine.snapshot();
  for (let number = 4; number < 6; number++) {
    await put(number);
    await engine.flush();
  }
  expect(await rowsOf(snapshot)).toEqual(expected);
  const tables = (): string[] => [...folder.files.keys()].filter((name) => name.endsWith(".sst"));
  expect(tables()).toHaveLength(6);
  await snapshot.close();
  expect(tables()).toHaveLength(2); // a compacted table, and a table that was flushed later
  const rows = await rowsOf(engine);
  expect(rows).toHaveLength(6);
  expect(engine.capabilities.changes).toBeUndefined();
  await engine.close();
  expect([...folder.files.values()].filter(({ isOpen }) => isOpen)).toEqual([]);
  const again = await open(folder);
  expect(await rowsOf(again)).toEqual(rows);
  await again.close();
});

it("names what cannot be written", async () => {
  const folder = new MemoryFolder();
  await writeDatabase(new OriginFiles(folder, "here"), ["default", "a"]);
  await expect(writeDatabase(new OriginFiles(folder, "here"), ["default"])).rejects.toMatchObject({
    code: "ENGINE_FAILED",
    message: "here/LOCK cannot be created: it is there already",
  });
  expect(folder.files.has("LOCK")).toBe(true);
});

/** Refuses these actions on CURRENT from now on, up to a number of times. */
function refuseCurrent(
  folder: MemoryFolder,
  refused: readonly string[],
  times = Number.POSITIVE_INFINITY,
): void {
  let count = 0;
  folder.refuse = (doing, name) => {
    if (name === "CURRENT" && refused.includes(doing) && count++ < times) throw new Error(`no ${doing}`);
  };
}

const put = (engine: Engine, key: string): Promise<void> =>
  engine.write([{ type: "put", column: "a", key: text(key), value: text("v") }], { sync: true });

const currentOf = (folder: MemoryFolder): string =>
  Buffer.from(folder.files.get("CURRENT")?.bytes ?? []).toString();

it.each([
  { what: "cannot be synced once", refused: ["sync"], times: 1, goesOn: true },
  { what: "cannot be opened", refused: ["open"], times: 1, goesOn: true },
  { what: "cannot be synced any more", refused: ["sync"], times: 9, goesOn: false },
])("loses no batch when CURRENT $what", async ({ refused, times, goesOn }) => {
  const folder = new MemoryFolder();
  await writeDatabase(new OriginFiles(folder, "here"), ["default", "a"]);
  const engine = await open(folder);
  await put(engine, "before");
  const names = [...folder.files.keys()];
  refuseCurrent(folder, refused, times);
  await rejection(engine.flush(), "ENGINE_FAILED", /CURRENT cannot be/);
  folder.refuse = () => undefined;
  const expected = ["before 1"];
  if (goesOn) {
    expect([...folder.files.keys()]).toEqual(names);
    expect(currentOf(folder)).toBe("MANIFEST-000002\n");
    await put(engine, "later");
    expected.push("later 1");
  } else await expect(put(engine, "later")).rejects.toMatchObject({ code: "ENGINE_FAILED" });
  await engine.close();
  // The disk may have either text of CURRENT: the database is whole with both.
  const manifests = goesOn
    ? [currentOf(folder)]
    : [...folder.files.keys()].filter((name) => /^MANIFEST/.test(name));
  for (const manifest of manifests) {
    const current = folder.files.get("CURRENT");
    if (current !== undefined) current.bytes = text(`${manifest.trim()}\n`);
    const again = await open(folder);
    expect(await rowsOf(again)).toEqual(expected);
    await again.close();
  }
});

it("ends writing when a flush fails after CURRENT was replaced", async () => {
  const folder = new MemoryFolder();
  await writeDatabase(new OriginFiles(folder, "here"), ["default", "a"]);
  const files = new OriginFiles(folder, "here");
  files.syncNames = async () => {
    if (currentOf(folder) !== "MANIFEST-000002\n") throw new Error("no names");
  };
  const engine = await openWritten(await readCatalog(files), files, {}, false, () => undefined);
  await put(engine, "before");
  await expect(engine.flush()).rejects.toThrow("no names");
  await expect(put(engine, "later")).rejects.toThrow("no names");
  await engine.close();
  const again = await open(folder);
  expect(await rowsOf(again)).toEqual(["before 1"]);
  await again.close();
});

it("takes a creation back whose CURRENT cannot be synced", async () => {
  const folder = new MemoryFolder();
  const create = (): Promise<void> => writeDatabase(new OriginFiles(folder, "here"), ["default", "a"]);
  refuseCurrent(folder, ["sync"]);
  await expect(create()).rejects.toMatchObject({ message: "here/CURRENT cannot be synced: no sync" });
  expect([...folder.files.keys()]).toEqual([]);
  refuseCurrent(folder, ["sync", "remove"]);
  await expect(create()).rejects.toMatchObject({ message: "here/CURRENT cannot be synced: no sync" });
  folder.refuse = () => undefined;
  const engine = await open(folder);
  expect(engine.columns).toEqual(["default", "a"]);
  await engine.close();
});

it("keeps the error that matters when files cannot be removed", async () => {
  const folder = new MemoryFolder();
  folder.refuse = (doing, name) => {
    if (doing === "remove" || name === "IDENTITY") throw new Error(`no ${doing} of ${name}`);
  };
  await expect(writeDatabase(new OriginFiles(folder, "here"), ["default"])).rejects.toMatchObject({
    message: "here/IDENTITY cannot be created: no open of IDENTITY",
  });
});

it("fails when the browser writes nothing, and goes on when it writes a part", async () => {
  const folder = new MemoryFolder();
  folder.most = 7;
  await writeDatabase(new OriginFiles(folder, "here"), ["default", "a"]);
  const engine = await open(folder);
  folder.most = 0;
  await rejection(put(engine, "row"), "ENGINE_FAILED", /\.log cannot be written: the browser wrote nothing$/);
  await engine.close();
});

it("needs a dedicated worker", async () => {
  await rejection(
    openOriginFolder(new MemoryFolder()),
    "INVALID_ARGUMENT",
    /only a dedicated worker of a page/,
  );
});
