import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openLevelEngine } from "../../../src/engines/level/index.js";
import { readLog } from "../../../src/lsm/format/log-records.js";
import { logsOf } from "../../support/files.js";
import { listOf } from "../../support/lists.js";
import { rejection } from "../../support/rejection.js";
import { bytes } from "../rocksdb/helpers.js";
import { cleanUpAfterEach, temporaryCopy, temporaryFolder } from "../temporary.js";
import { key, makeDatabase, plainLevel, put, rowsOf } from "./helpers.js";

cleanUpAfterEach();

/** Keys and values of every kind: empty, no UTF-8, zeros, a prefix of another, long. In the order of the keys. */
const ROWS: [Uint8Array, Uint8Array][] = [
  [bytes(), bytes(1)],
  [bytes(0), bytes()],
  [bytes(0, 0), bytes(0)],
  [bytes(0x21, 0x61, 0x21), bytes(0xc3, 0x28)],
  [bytes(0xc3, 0x28), bytes(0xff, 0xfe, 0)],
  [bytes(0xff), new Uint8Array(70_000).fill(7)],
  [new Uint8Array(300).fill(0xff), bytes(2)],
];

/** The number of operations of each record in all logs of a folder. */
function recordsIn(path: string): number[] {
  const records = logsOf(path).flatMap((name) => readLog(readFileSync(join(path, name))).records);
  return records.map(({ payload }) => new DataView(payload.buffer, payload.byteOffset).getUint32(8, true));
}

describe("rows in LevelDB", () => {
  it("are byte for byte the written ones, also for classic-level", async () => {
    const path = join(temporaryFolder(), "db");
    const engine = await openLevelEngine(path, { create: true });
    await engine.write(ROWS.map(([rowKey, value]) => put(rowKey, value)));
    await engine.close();
    expect(await rowsOf(path)).toEqual(ROWS);
  });

  it("that classic-level wrote are read unchanged", async () => {
    const path = join(temporaryFolder(), "db");
    const level = plainLevel(path);
    for (const [rowKey, value] of ROWS) await level.put(rowKey, value);
    await level.close();
    await using engine = await openLevelEngine(path, { writable: true });
    const found = (await listOf(engine.scan("default").chunks())).flat();
    expect(found.map((row) => [row.key, row.value])).toEqual(ROWS);
    for (const [rowKey, value] of ROWS) expect(await engine.get("default", rowKey)).toEqual(value);
    const keys = ROWS.map(([rowKey]) => rowKey);
    expect(await engine.getMany("default", keys)).toEqual(ROWS.map(([, value]) => value));
    for (const { value } of found) expect(value.constructor).toBe(Uint8Array);
  });

  it("are returned in chunks of a bounded size", async () => {
    const path = join(temporaryFolder(), "db");
    await using engine = await openLevelEngine(path, { create: true });
    const value = new Uint8Array(300_000);
    await engine.write(Array.from({ length: 40 }, (_, at) => put(key(at), value)));
    const sizes = (await listOf(engine.scan("default").chunks())).map((rows) => rows.length);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(40);
    expect(Math.max(...sizes)).toBeLessThan(10);
  });
});

describe("writing to LevelDB", () => {
  it("makes one record of the log of one batch, whatever it deletes", async () => {
    const path = await makeDatabase();
    const engine = await openLevelEngine(path, { writable: true });
    const range = { type: "deleteRange", column: "default", gte: key(100), lt: key(250) } as const;
    await engine.write([
      put(key(120), bytes(1)),
      put(key(400), bytes(2)),
      range,
      put(key(130), bytes(3)),
      { ...range, gte: key(9), lt: key(3) },
    ]);
    // 150 rows were in the range; the put at 120 is deleted as one of them.
    expect(recordsIn(path)).toEqual([1 + 150 + 1]);
    await engine.close();
    const rest = (await rowsOf(path)).map(([rowKey]) => ((rowKey[0] as number) << 8) | (rowKey[1] as number));
    const wanted = Array.from({ length: 300 }, (_, at) => at).filter((at) => at < 100 || at >= 250);
    expect(rest).toEqual([...wanted.slice(0, 100), 130, ...wanted.slice(100), 400]);
  });

  it("deletes what the same batch put into the range before, and is on disk completely or not at all", async () => {
    const path = join(temporaryFolder(), "db");
    const engine = await openLevelEngine(path, { create: true });
    await engine.write([put(key(1), bytes(1)), put(key(2), bytes(2))]);
    await engine.write([
      put(key(3), bytes(3)),
      { type: "deleteRange", column: "default", gte: key(0), lt: key(9) },
      put(key(4), bytes(4)),
    ]);
    const copy = temporaryCopy(path); // the files that a killed writer leaves
    await engine.close();
    expect(await rowsOf(copy)).toEqual([[key(4), bytes(4)]]);
    const { records } = readLog(readFileSync(join(path, "000003.log")));
    expect(records).toHaveLength(2);
  });

  it("writes nothing for a batch of nothing but ranges without rows", async () => {
    const path = join(temporaryFolder(), "db");
    await using engine = await openLevelEngine(path, { create: true });
    const range = { type: "deleteRange", column: "default" } as const;
    await engine.write([
      { ...range, gte: key(1), lt: key(5) },
      { ...range, gte: key(5), lt: key(1) },
    ]);
    expect(recordsIn(path)).toEqual([]);
  });

  it("syncs on request, and reports this capability", async () => {
    const path = join(temporaryFolder(), "db");
    const engine = await openLevelEngine(path, { create: true });
    expect(engine.capabilities).toEqual({
      engine: "leveldb",
      writable: true,
      persistent: true,
      syncedWrites: true,
    });
    await engine.write([put(key(1), bytes(1))], { sync: true });
    await Promise.all([2, 3, 4].map((at) => engine.write([put(key(at), bytes(at))], { sync: at % 2 === 0 })));
    const copy = temporaryCopy(path);
    await engine.close();
    expect(await rowsOf(copy)).toEqual([1, 2, 3, 4].map((at) => [key(at), bytes(at)]));
  });

  it("writes everything into tables when it is flushed, and reports if it cannot", async () => {
    const path = await makeDatabase();
    const engine = await openLevelEngine(path, { writable: true });
    const before = await engine.approximateSize("default");
    await engine.write(
      Array.from({ length: 1000 }, (_, at) =>
        put(
          key(1000 + at),
          new Uint8Array(100).map((_, i) => at * i),
        ),
      ),
    );
    expect(recordsIn(path)).toHaveLength(1);
    await engine.flush();
    expect(recordsIn(path)).toHaveLength(0);
    expect(await engine.approximateSize("default")).toBeGreaterThan(before);
    await engine.write([put(key(1), bytes(1))]);
    rmSync(path, { recursive: true });
    await rejection(engine.flush(), "ENGINE_FAILED");
    await rejection(engine.close(), "ENGINE_FAILED"); // the last row is not on disk
    await (await openLevelEngine(path, { create: true })).close(); // the lock is free
  });
});
