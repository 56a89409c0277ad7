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

/** An engine on a new database in a folder. */
function writing(
  create: (path: string, columns: readonly string[]) => Promise<Engine>,
  reopen: (path: string) => Promise<Engine>,
): EngineFactory {
  return {
    writable: true,
    async open(columns, operations) {
      const path = join(temporaryFolder(), "db");
      const engine = await create(path, columns);
      await engine.write(operations);
      paths.set(engine, path);
      return engine;
    },
    reopen: (closed) => reopen(paths.get(closed) as string),
    cleanup: async () => removeTemporary(),
  };
}

const rocksdb = writing(
  (path, columns) => openRocksEngine(path, { create: true, columns }),
  (path) => openRocksEngine(path, { writable: true }),
);
const filesWriting = writing(
  (path, columns) => openFilesEngine(path, { create: true, columns }),
  (path) => openFilesEngine(path, { writable: true }),
);
const leveldb: EngineFactory = {
  ...writing(
    (path) => openLevelEngine(path, { create: true }),
    (path) => openLevelEngine(path, { writable: true }),
  ),
  columns: "one",
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
