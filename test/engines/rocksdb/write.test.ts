import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRocksEngine } from "../../../src/engines/index.js";
import { readLog } from "../../../src/lsm/format/log-records.js";
import { logsOf, tablesOf } from "../../support/files.js";
import { cleanUpAfterEach, temporaryFolder } from "../temporary.js";
import { bytes, countRows } from "./helpers.js";

cleanUpAfterEach();

describe("writing to RocksDB", () => {
  it("makes one record of the write-ahead log of one batch, whatever column families it spans", async () => {
    const path = join(temporaryFolder(), "db");
    await using engine = await openRocksEngine(path, { create: true, columns: ["a", "b", "c"] });
    const records = () => logsOf(path).flatMap((name) => readLog(readFileSync(join(path, name))).records);
    await engine.write([
      { type: "put", column: "a", key: bytes(1), value: bytes(1) },
      { type: "put", column: "b", key: bytes(1), value: bytes(2) },
      { type: "delete", column: "c", key: bytes(1) },
      { type: "deleteRange", column: "default", gte: bytes(1), lt: bytes(2) },
      { type: "deleteRange", column: "a", gte: bytes(9), lt: bytes(3) },
      { type: "put", column: "a", key: bytes(2), value: new Uint8Array(100_000) },
    ]);
    expect(records()).toHaveLength(1);
    expect(records()[0]?.payload[8]).toBe(5); // the count of its operations; the inverted range is not among them
    await engine.write([{ type: "put", column: "b", key: bytes(2), value: bytes(2) }]);
    expect(records()).toHaveLength(2);
  });

  it("writes nothing for a batch of nothing but inverted ranges", async () => {
    const path = join(temporaryFolder(), "db");
    await using engine = await openRocksEngine(path, { create: true, columns: [] });
    await engine.write([{ type: "deleteRange", column: "default", gte: bytes(9), lt: bytes(3) }]);
    expect(logsOf(path).map((name) => readFileSync(join(path, name)).length)).toEqual([0]);
  });

  it("puts everything into table files when it is flushed", async () => {
    const path = join(temporaryFolder(), "db");
    await using engine = await openRocksEngine(path, { create: true, columns: ["a", "b"] });
    for (const column of ["a", "b"])
      await engine.write([{ type: "put", column, key: bytes(1), value: bytes(1) }]);
    expect(await engine.unflushed?.("a")).toMatchObject({ entries: 1 });
    await engine.flush();
    expect(await engine.unflushed?.("a")).toEqual({ entries: 0, bytes: 0 });
    expect(tablesOf(path)).toHaveLength(2);
    expect(await engine.approximateSize("a")).toBeGreaterThan(0);
    expect(await countRows(engine)).toBe(2);
  });
});

describe("closing RocksDB", () => {
  it("works with scans that were abandoned in every state, and releases the lock", async () => {
    const path = join(temporaryFolder(), "db");
    const engine = await openRocksEngine(path, { create: true, columns: ["a"] });
    const rows = Array.from({ length: 5000 }, (_, at) => bytes(at >> 8, at & 0xff));
    await engine.write(rows.map((key) => ({ type: "put", column: "a", key, value: key })));
    const snapshot = await engine.snapshot();
    for (const reader of [engine, snapshot]) {
      reader.scan("a").chunks();
      void reader
        .scan("a")
        .chunks()
        .next()
        .catch(() => undefined);
      await reader.scan("a").chunks().next();
      const left = reader.scan("a").chunks();
      await left.next();
      await left.return?.();
      const ahead = reader.scan("a").chunks();
      await ahead.next();
      void ahead.next().catch(() => undefined);
    }
    await engine.close();
    await using again = await openRocksEngine(path, { writable: true });
    expect((await again.scan("a").toArray()).map(({ key }) => key)).toEqual(rows);
  });
});
