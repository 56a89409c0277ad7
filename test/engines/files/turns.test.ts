/** Long reads, flushes and loads leave the event loop its turns. A fake clock makes all work take long. */
import { expect, it } from "vitest";
import { fromHex } from "../../../src/bytes/hex.js";
import { writeDatabase } from "../../../src/engines/files/write/new-database.js";
import { openWritten } from "../../../src/engines/files/write/open-written.js";
import { openEngine } from "../../../src/engines/index.js";
import { readCatalog } from "../../../src/lsm/catalog/catalog.js";
import { TableEncoder } from "../../../src/lsm/format/encode-table.js";
import { OriginFiles } from "../../../src/lsm/origin-files.js";
import { Pause } from "../../../src/pause.js";
import { fixturePath, fixtureRows } from "../../support/fixtures.js";
import { turnsDuring } from "../../support/turns.js";
import { MemoryFolder } from "./memory-folder.js";

it.each(["core-0.11/tables", "core-0.11/log"])("of %s: a lookup of many keys, and a scan", async (name) => {
  await using engine = await openEngine(fixturePath(name, "db"), { engine: "files" });
  const keys = fixtureRows(name).flatMap(({ column, key }) => (column === "Group" ? [fromHex(key)] : []));
  const many = Array.from({ length: 6_400 }, (_, at) => keys[at % keys.length] as Uint8Array);
  await engine.getMany("Group", keys);
  expect(await turnsDuring(() => engine.getMany("Group", many))).toBeGreaterThan(20);

  const scans = async (): Promise<void> => {
    for (let count = 0; count < 50; count++)
      for await (const chunk of engine.scan("Group").chunks()) expect(chunk.length).toBeGreaterThan(0);
  };
  await scans();
  expect(await turnsDuring(scans)).toBeGreaterThan(20);
});

it("of the end of a table with many keys", async () => {
  const checksum = { type: 0, of: () => 0 };
  const table = new TableEncoder(
    { id: 0, name: "default" },
    { version: 5, lz4: false, bloomBits: 10 },
    checksum,
  );
  const value = new Uint8Array();
  for (let at = 0; at < 100_000; at++)
    table.add({ key: Uint8Array.of(at >> 16, at >> 8, at), sequence: 1, type: 1, value });
  const pause = new Pause();
  expect(await turnsDuring(() => table.finish([], () => pause.ifLong()))).toBeGreaterThan(20);
});

it("of a database in a browser, whose writes do not wait: a flush, a compaction and a load", async () => {
  const files = new OriginFiles(new MemoryFolder(), "here");
  await writeDatabase(files, ["default", "a"]);
  await using engine = await openWritten(await readCatalog(files), files, {}, false, () => undefined);
  const rows = Array.from({ length: 100 }, (_, at) => ({ key: Uint8Array.of(at), value: Uint8Array.of(1) }));
  for (let flushes = 0; flushes < 6; flushes++) {
    await engine.write(rows.map((row) => ({ type: "put", column: "a", ...row })));
    expect(await turnsDuring(() => engine.flush())).toBeGreaterThan(90);
  }
  async function* piece() {
    yield rows;
  }
  expect(await turnsDuring(async () => engine.load?.("a", piece()))).toBeGreaterThan(90);
});
