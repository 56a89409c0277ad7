/** The engine of a store, and its effects. */
import { describe, expect, it } from "vitest";
import { fromHex } from "../../src/bytes/hex.js";
import { openFilesEngine, openMemoryEngine } from "../../src/engines/index.js";
import { GroupDefaultCaps } from "../../src/keys/index.js";
import { core011 } from "../../src/schemas/index.js";
import { openStore, storeOn } from "../../src/store/index.js";
import { copyOfDatabase, fixturePath } from "../support/fixtures.js";
import { rejection } from "../support/rejection.js";

const node = fixturePath("core-0.11", "node-a", "db");
const key = new GroupDefaultCaps({ groupId: fromHex("5a".repeat(32)) });

describe("a store", () => {
  it("uses the engine files for reading and for writing, and RocksDB on request", async () => {
    await using reading = await openStore(node);
    expect(reading.raw.capabilities.engine).toBe("files");
    using copy = copyOfDatabase("core-0.11/node-a");
    for (const engine of [undefined, "files", "rocksdb"] as const) {
      await using writing = await openStore(copy.path, { writable: true, engine });
      expect(writing.raw.capabilities).toMatchObject({ engine: engine ?? "files", writable: true });
    }
  });

  it("refuses unknown engines, and options of folders for an engine", async () => {
    await rejection(openStore(node, { engine: "leveldb" as "files" }), "INVALID_ARGUMENT");
    await using engine = openMemoryEngine({ columns: [] });
    await rejection(openStore(engine, { engine: "files" }), "INVALID_ARGUMENT");
    await rejection(openStore(engine, { checksums: false }), "INVALID_ARGUMENT");
    await rejection(openStore(engine, { cacheBytes: 0 }), "INVALID_ARGUMENT");
    await rejection(storeOn("nowhere" as unknown as typeof engine), "INVALID_ARGUMENT");
  });

  it("shows writes of others after refresh, and not before", async () => {
    using copy = copyOfDatabase("core-0.11/node-a");
    await using writing = await openStore(copy.path, { schema: core011, writable: true });
    await using reading = await openStore(copy.path, { schema: core011 });
    await using snapshot = await reading.snapshot();
    await writing.put(key, { capabilities: 4 });
    expect(await reading.get(key)).toBeUndefined();
    await reading.refresh();
    expect(await reading.get(key)).toEqual({ capabilities: 4 });
    expect(await snapshot.get(key)).toBeUndefined();
    await writing.refresh(); // it sees what it writes
    expect(await writing.get(key)).toEqual({ capabilities: 4 });
  });

  it("reports if its engine cannot refresh", async () => {
    await using store = await openStore(node, { engine: "rocksdb" });
    await rejection(store.refresh(), "INVALID_ARGUMENT");
  });

  it("works on an engine that is already open", async () => {
    await using store = await storeOn(await openFilesEngine(node));
    expect(store.schema.name).toBe("core-0.11");
    expect(store.detection?.reason).toContain("decode only in this revision");
  });
});
