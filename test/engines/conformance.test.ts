import { join } from "node:path";
import { describe, it } from "vitest";
import { type EngineFactory, engineConformance } from "../../src/engine/conformance/index.js";
import type { Engine } from "../../src/engines/index.js";
import { openFilesEngine, openMemoryEngine, openRocksEngine } from "../../src/engines/index.js";
import { openLevelEngine } from "../../src/engines/level/index.js";
import { removeTemporary, temporaryFolder } from "./temporary.js";

const memory: EngineFactory = {
  writable: true,
  async open(columns, operations) {
    const engine = openMemoryEngine({ columns });
    await engine.write(operations);
    return engine;
  },
};

const paths = new WeakMap<Engine, string>();

const rocksdb: EngineFactory = {
  writable: true,
  async open(columns, operations) {
    const path = join(temporaryFolder(), "db");
    const engine = await openRocksEngine(path, { create: true, columns });
    await engine.write(operations);
    paths.set(engine, path);
    return engine;
  },
  reopen: (closed) => openRocksEngine(paths.get(closed) as string, { writable: true }),
  cleanup: async () => removeTemporary(),
};

const filesWriting: EngineFactory = {
  writable: true,
  async open(columns, operations) {
    const path = join(temporaryFolder(), "db");
    const engine = await openFilesEngine(path, { create: true, columns });
    await engine.write(operations);
    paths.set(engine, path);
    return engine;
  },
  reopen: (closed) => openFilesEngine(paths.get(closed) as string, { writable: true }),
  cleanup: async () => removeTemporary(),
};

const leveldb: EngineFactory = {
  writable: true,
  columns: "one",
  async open(_columns, operations) {
    const path = join(temporaryFolder(), "db");
    const engine = await openLevelEngine(path, { create: true });
    await engine.write(operations);
    paths.set(engine, path);
    return engine;
  },
  reopen: (closed) => openLevelEngine(paths.get(closed) as string, { writable: true }),
  cleanup: async () => removeTemporary(),
};

/** An engine on rows that RocksDB wrote and left in its log, or flushed to tables. */
function reading(open: (path: string) => Promise<Engine>, flush: boolean): EngineFactory {
  return {
    writable: false,
    async open(columns, operations) {
      const path = join(temporaryFolder(), "db");
      const writer = await openRocksEngine(path, { create: true, columns });
      await writer.write(operations);
      if (flush) await writer.flush();
      await writer.close();
      return open(path);
    },
    cleanup: async () => removeTemporary(),
  };
}

const rocksdbReadOnly = reading((path) => openRocksEngine(path), false);

engineConformance("memory", memory, { describe, it });
engineConformance("rocksdb", rocksdb, { describe, it });
engineConformance("files, writing", filesWriting, { describe, it });
engineConformance("leveldb", leveldb, { describe, it });
engineConformance("rocksdb, read-only", rocksdbReadOnly, { describe, it });
engineConformance("files, rows in the log", reading(openFilesEngine, false), { describe, it });
engineConformance("files, rows in tables", reading(openFilesEngine, true), { describe, it });
