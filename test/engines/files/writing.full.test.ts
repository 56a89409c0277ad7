/** Writing without RocksDB: RocksDB reads the rows, and another process that has the database open is noticed. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statfsSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { WRITER_LOCK } from "../../../src/disk/folder.js";
import {
  type Engine,
  openEngine,
  openFilesEngine,
  openRocksEngine,
  readStoredTables,
  type WriteOperation,
} from "../../../src/engines/index.js";
import { GroupDefaultCaps } from "../../../src/keys/index.js";
import { crc32c, maskCrc } from "../../../src/lsm/format/crc32c.js";
import { openStore } from "../../../src/store/index.js";
import { logsOf, optionsOf, tablesOf } from "../../support/files.js";
import { copyOfDatabase } from "../../support/fixtures.js";
import { rejection } from "../../support/rejection.js";
import { rowTexts } from "../../support/transfer.js";
import {
  cleanUpAfterEach,
  fixture,
  plainFixtureNames,
  temporaryCopy,
  temporaryFolder,
} from "../temporary.js";

cleanUpAfterEach();

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));

async function shownBy(open: () => Promise<Engine>): Promise<string[]> {
  await using engine = await open();
  expect(engine.warnings).toEqual([]);
  return await rowTexts(engine);
}

/** Batches in two families, in no order, with values of 0 to 40,000 bytes. */
function batches(column: string): WriteOperation[][] {
  const operations = Array.from({ length: 1_500 }, (_, at): WriteOperation => {
    const key = bytes(`key-${(at * 7919) % 1_500}`);
    const length = at % 300 === 0 ? 40_000 : at % 190;
    return {
      type: "put",
      column: at % 3 === 0 ? "default" : column,
      key,
      value: new Uint8Array(length).fill(at),
    };
  });
  return Array.from({ length: 30 }, (_, at) => operations.slice(50 * at, 50 * at + 50));
}

describe("Rows that are written by the files alone", () => {
  it.each([...plainFixtureNames(), "formats/levels-4", "formats/logs"])(
    "are read by RocksDB, which goes on with them: %s",
    async (name) => {
      const path = temporaryCopy(fixture(name));
      const engine = await openFilesEngine(path, { writable: true });
      const column = engine.columns.at(-1) as string;
      for (const [at, batch] of batches(column).entries()) await engine.write(batch, { sync: at % 10 === 0 });
      await engine.write([
        { type: "deleteRange", column, gte: bytes("key-1"), lt: bytes("key-2") },
        { type: "put", column, key: bytes("key-15"), value: bytes("again") },
        { type: "delete", column, key: bytes("key-301") },
      ]);
      const inLog = await rowTexts(engine);
      await engine.close();
      expect(await shownBy(() => openFilesEngine(path))).toEqual(inLog);
      const copy = temporaryCopy(path);
      expect(await shownBy(() => openRocksEngine(copy, { writable: true }))).toEqual(inLog);

      const again = await openFilesEngine(path, { writable: true });
      await again.flush();
      expect(await rowTexts(again)).toEqual(inLog);
      for (const family of again.columns) expect((await again.unflushed(family)).entries).toBe(0);
      await again.write([{ type: "deleteRange", column, gte: bytes("key-3"), lt: bytes("key-4") }]);
      await again.flush();
      await again.write([{ type: "put", column, key: bytes("key-35"), value: bytes("last") }]);
      const flushed = await rowTexts(again);
      await again.close();
      expect(await shownBy(() => openFilesEngine(path))).toEqual(flushed);
      await using rocks = await openRocksEngine(path, { writable: true });
      expect(await rowTexts(rocks)).toEqual(flushed);
      await rocks.write([{ type: "delete", column, key: bytes("key-35") }]);
      await rocks.flush();
    },
  );

  it("go into tables of format version 6 where the database has such tables", async () => {
    const path = join(temporaryFolder(), "db");
    const rocks = await openRocksEngine(path, { create: true, columns: ["a"] });
    for (const batch of batches("a")) await rocks.write(batch);
    await rocks.flush();
    expect((await readStoredTables(path)).map(({ formatVersion }) => formatVersion)).toContain(6);
    await rocks.close();
    const engine = await openFilesEngine(path, { writable: true });
    for (let flush = 0; flush < 6; flush++) {
      for (const batch of batches("a").slice(flush)) await engine.write(batch);
      if (flush === 3)
        await engine.write([{ type: "deleteRange", column: "a", gte: bytes("key-1"), lt: bytes("key-2") }]);
      await engine.flush();
    }
    const rows = await rowTexts(engine);
    await engine.close();
    const tables = await readStoredTables(path);
    expect(tables.length).toBeGreaterThan(1);
    expect(new Set(tables.map(({ formatVersion }) => formatVersion))).toEqual(new Set([6]));
    expect(await shownBy(() => openFilesEngine(path))).toEqual(rows);
    expect(await shownBy(() => openRocksEngine(path, { writable: true }))).toEqual(rows);
  });

  it("are typed, also in a compressed database, which RocksDB here cannot write", async () => {
    using copy = copyOfDatabase("core-0.11/node-a-compressed");
    const key = new GroupDefaultCaps({ groupId: new Uint8Array(32).fill(7) });
    await expect(openStore(copy.path, { writable: true, engine: "rocksdb" })).rejects.toMatchObject({
      code: "WRITING_UNSUPPORTED",
    });
    await using store = await openStore(copy.path, { writable: true });
    await store.put(key, { capabilities: 5 });
    const before = (await readStoredTables(copy.path)).map(({ file }) => file);
    for (let group = 0; group < 200; group++)
      await store.put(new GroupDefaultCaps({ groupId: new Uint8Array(32).fill(group) }), { capabilities: 5 });
    await store.flush();
    const added = (await readStoredTables(copy.path)).filter(
      ({ file, column }) => column === "Group" && !before.includes(file),
    );
    expect(added.map(({ compression }) => compression)).toEqual([["LZ4"]]);
    expect(added[0]?.storedBytes).toBeLessThan(added[0]?.plainBytes ?? 0);
    expect(await store.get(key)).toEqual({ capabilities: 5 });
    await using reader = await openStore(copy.path);
    expect(await reader.get(key)).toEqual({ capabilities: 5 });
  });

  it("are not visible to snapshots and scans that began before", async () => {
    const path = temporaryCopy(fixture("core-0.11/node-a"));
    await using engine = await openFilesEngine(path, { writable: true });
    const before = await rowTexts(engine);
    await using snapshot = await engine.snapshot();
    await engine.write([{ type: "put", column: "Meta", key: bytes("a"), value: bytes("1") }]);
    await engine.flush();
    expect(await snapshot.get("Meta", bytes("a"))).toBeUndefined();
    expect(await rowTexts(snapshot)).toEqual(before);
  });
});

/** Programs that hold a database, to be ended after each test. */
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** Another process that has the database open for writing, with an engine. */
async function otherWriter(path: string, engine: "rocksdb" | "files"): Promise<ChildProcess> {
  const module = new URL("../../../dist/engines/index.js", import.meta.url).href;
  const program = `
    const { openEngine } = await import(${JSON.stringify(module)});
    const engine = await openEngine(process.argv[1], { writable: true, engine: process.argv[2] });
    process.stdout.write("open");
    process.stdin.on("end", () => engine.close()).resume();`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program, path, engine]);
  children.push(child);
  await once(child.stdout, "data");
  return child;
}

describe("A database that is written by the files alone", () => {
  const open = (path: string) => openFilesEngine(path, { writable: true });
  const locked = { code: "DATABASE_LOCKED" };
  const row = (name: string): WriteOperation[] => [
    { type: "put", column: "Meta", key: bytes(name), value: bytes("value") },
  ];

  it.each(["rocksdb", "files"] as const)(
    "is refused while another process has it open with %s",
    async (engine) => {
      const path = temporaryCopy(fixture("core-0.11/node-a"));
      const other = await otherWriter(path, engine);
      const before = readdirSync(path).sort();
      await expect(open(path)).rejects.toMatchObject(locked);
      if (engine === "files")
        await expect(openRocksEngine(path, { writable: true })).rejects.toMatchObject(locked);
      expect(readdirSync(path).sort()).toEqual(before);
      other.stdin?.end();
      await once(other, "exit");
      await (await open(path)).close();
      expect(readdirSync(path)).not.toContain(WRITER_LOCK);
    },
  );

  it("is opened after its writer was killed, which leaves a lock", async () => {
    const path = temporaryCopy(fixture("core-0.11/node-a"));
    const other = await otherWriter(path, "files");
    other.kill("SIGKILL");
    await once(other, "exit");
    expect(existsSync(join(path, WRITER_LOCK))).toBe(true);
    await (await open(path)).close();
    await (await openRocksEngine(path, { writable: true })).close();
  });

  it("is opened after the system was started again, on a file system of one system", async () => {
    const path = temporaryCopy(fixture("core-0.11/node-a"));
    const other = await otherWriter(path, "files");
    const lock = JSON.parse(readFileSync(join(path, WRITER_LOCK), "utf8")) as Record<string, unknown>;
    other.kill("SIGKILL");
    await once(other, "exit");
    const write = (changed: object) =>
      writeFileSync(join(path, WRITER_LOCK), JSON.stringify({ ...lock, ...changed }));
    write({ place: "00000000" }); // in another container, of this boot
    await expect(open(path)).rejects.toMatchObject(locked);
    write({ place: "00000000", boot: undefined });
    await expect(open(path)).rejects.toMatchObject(locked);
    write({ place: "00000000", boot: "00000000" });
    // Another machine may share a file system of another kind.
    const isOfOne = [0xef53, 0x58465342, 0x9123683e, 0xf2f52010].includes(statfsSync(path).type);
    if (isOfOne) await (await open(path)).close();
    else await expect(open(path)).rejects.toMatchObject(locked);
  });

  it("is not written once a node has opened it after nothing happened for a long time", async () => {
    const path = temporaryCopy(fixture("core-0.11/node-a"));
    const engine = await open(path);
    await engine.write(row("first"));
    const long = new Date(1_000 * Math.floor(Date.now() / 1_000 - 3_600)); // whole seconds are exact
    utimesSync(path, long, long);
    await engine.write(row("second"));
    await engine.write(row("third"));
    const lock = readFileSync(join(path, WRITER_LOCK));
    writeFileSync(join(path, WRITER_LOCK), ""); // a node does not know the lock of this package
    expect(statSync(path).mtimeMs).toBe(long.getTime());
    const node = await otherWriter(path, "rocksdb");
    writeFileSync(join(path, WRITER_LOCK), lock);
    await expect(engine.write(row("fourth"))).rejects.toMatchObject(locked);
    node.stdin?.end();
    await once(node, "exit");
    await engine.close();
    await using reader = await openFilesEngine(path);
    expect(await reader.get("Meta", bytes("third"))).toEqual(bytes("value"));
  });

  it("is not written once a node has opened it, and keeps what was acknowledged", async () => {
    const path = temporaryCopy(fixture("core-0.11/node-a"));
    const engine = await open(path);
    await engine.write(row("before"), { sync: true });
    // A node does not know the lock of this package.
    const lock = readFileSync(join(path, WRITER_LOCK));
    writeFileSync(join(path, WRITER_LOCK), JSON.stringify({ place: "", pid: 0, start: 0 }));
    truncateSync(join(path, WRITER_LOCK), 0);
    const node = await otherWriter(path, "rocksdb");
    writeFileSync(join(path, WRITER_LOCK), lock);
    await expect(engine.write(row("during"))).rejects.toMatchObject(locked);
    node.stdin?.end();
    await once(node, "exit");
    await expect(engine.write(row("after"))).rejects.toMatchObject(locked);
    await expect(engine.flush()).rejects.toMatchObject(locked);
    await engine.close();
    await using reader = await openFilesEngine(path);
    expect(await reader.get("Meta", bytes("before"))).toEqual(bytes("value"));
    for (const name of ["during", "after"]) expect(await reader.get("Meta", bytes(name))).toBeUndefined();
  });

  it("is refused with a damaged log; the rest, or the end of one that was never complete, goes if that is accepted", async () => {
    const path = temporaryCopy(fixture("core-0.11/node-b"));
    const log = join(path, logsOf(path)[0] as string);
    const whole = readFileSync(log);
    const expected = await shownBy(() => openFilesEngine(path));
    appendFileSync(log, whole.subarray(0, 20)); // the beginning of a record
    await rejection(open(path), "LOG_DAMAGED", /acceptLogLoss/);
    expect(readFileSync(log).length).toBe(whole.length + 20);
    const engine = await openFilesEngine(path, { writable: true, acceptLogLoss: "unfinished" });
    await engine.write(row("new"));
    await engine.close();
    expect(readFileSync(log)).toEqual(whole);
    expect((await shownBy(() => openRocksEngine(path, { writable: true }))).length).toBe(expected.length + 1);

    const other = temporaryCopy(fixture("core-0.11/node-b"));
    const flipped = Uint8Array.from(whole);
    flipped[1_000] = (flipped[1_000] as number) ^ 1;
    writeFileSync(join(other, log.slice(path.length + 1)), flipped);
    await expect(
      openFilesEngine(other, { writable: true, acceptLogLoss: "unfinished" }),
    ).rejects.toMatchObject({ code: "LOG_DAMAGED" });
    const reading = await openFilesEngine(other, { acceptLogLoss: true });
    const shown = await rowTexts(reading);
    await reading.close();
    const cut = await openFilesEngine(other, { writable: true, acceptLogLoss: true });
    expect(await rowTexts(cut)).toEqual(shown);
    await cut.write(row("new"));
    const rows = await rowTexts(cut);
    await cut.close();
    expect(rows).toHaveLength(shown.length + 1);
    expect(await shownBy(() => openRocksEngine(other, { writable: true }))).toEqual(rows);
  });

  it("may have a log that holds only the rest of an older one: RocksDB reads what follows it", async () => {
    const path = temporaryCopy(fixture("core-0.11/tables"));
    const log = join(path, logsOf(path)[0] as string);
    const record = Buffer.alloc(11 + 12); // a record of the recyclable kind, of log 1
    record.writeUInt16LE(12, 4);
    record[6] = 5;
    record.writeUInt32LE(1, 7);
    record.writeUInt32LE(maskCrc(crc32c(record, 6)), 0);
    writeFileSync(log, record);
    const engine = await open(path);
    expect(readFileSync(log)).toHaveLength(record.length);
    await engine.write(row("new"));
    expect(readFileSync(log)).toHaveLength(0); // without this, RocksDB 9 ends the replay there
    const rows = await rowTexts(engine);
    await engine.close();
    expect(await shownBy(() => openRocksEngine(path, { writable: true }))).toEqual(rows);
  });

  it("flushes before the logs have more bytes than the database is set to", async () => {
    const path = temporaryCopy(fixture("core-0.11/tables"));
    const setting = "max_total_wal_size=100000";
    const text = readFileSync(optionsOf(path), "utf8").replace(/max_total_wal_size=\d+/, setting);
    expect(text).toContain(setting);
    writeFileSync(optionsOf(path), text);
    await using engine = await open(path);
    const large = (size: number): WriteOperation[] => [
      { type: "put", column: "Meta", key: bytes(`${size}`), value: new Uint8Array(size) },
    ];
    const before = tablesOf(path);
    await engine.write(large(40_000));
    await engine.write(large(30_000));
    expect(tablesOf(path)).toEqual(before);
    await engine.write(large(50_000));
    expect(tablesOf(path).length).toBeGreaterThan(before.length);
    const bytesOfLogs = logsOf(path).reduce((sum, name) => sum + statSync(join(path, name)).size, 0);
    expect(bytesOfLogs).toBeLessThan(100_000);
    expect(engine.warnings).toEqual([]);
    for (const size of [40_000, 30_000, 50_000])
      expect(await engine.get("Meta", bytes(`${size}`))).toHaveLength(size);
  });

  it("is created without RocksDB, which opens it", async () => {
    const path = join(temporaryFolder(), "new", "db");
    const engine = await openEngine(path, { create: true, columns: ["a", "Zoë"], engine: "files" });
    expect(engine.capabilities).toMatchObject({ engine: "files", writable: true, syncedWrites: true });
    expect(engine.columns).toEqual(["default", "a", "Zoë"]);
    for (const batch of batches("Zoë")) await engine.write(batch);
    const rows = await rowTexts(engine);
    await engine.close();
    const copy = temporaryCopy(path);
    expect(await shownBy(() => openRocksEngine(copy))).toEqual(rows);
    expect(await shownBy(() => openRocksEngine(copy, { writable: true }))).toEqual(rows);
    const again = await openEngine(path, { writable: true, engine: "files" });
    await again.flush();
    await again.close();
    expect(await shownBy(() => openRocksEngine(path, { writable: true }))).toEqual(rows);
    await expect(openEngine(path, { create: true, columns: ["a"], engine: "files" })).rejects.toMatchObject({
      code: "DATABASE_EXISTS",
    });
  });
});
