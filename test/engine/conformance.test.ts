import { join } from "node:path";
import { describe, it } from "vitest";
import { type EngineFactory, engineConformance } from "../../src/engine/conformance/index.js";
import type { Engine } from "../../src/engine/index.js";
import { openMemoryEngine, openRocksEngine } from "../../src/engine/index.js";
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
    const engine = await openRocksEngine(path, { create: { columns } });
    await engine.write(operations);
    paths.set(engine, path);
    return engine;
  },
  reopen: (closed) => openRocksEngine(paths.get(closed) as string),
  cleanup: async () => removeTemporary(),
};

const rocksdbReadOnly: EngineFactory = {
  writable: false,
  async open(columns, operations) {
    const path = join(temporaryFolder(), "db");
    const writer = await openRocksEngine(path, { create: { columns } });
    await writer.write(operations);
    await writer.close();
    return openRocksEngine(path, { readOnly: true });
  },
  cleanup: async () => removeTemporary(),
};

engineConformance("memory", memory, { describe, it });
engineConformance("rocksdb", rocksdb, { describe, it });
engineConformance("rocksdb, read-only", rocksdbReadOnly, { describe, it });
