/** The engines that a repository on disk can have. Each is loaded when the first database is opened. */
import type { Engine } from "../../engine/engine.js";

/** Engines of repositories on disk. */
export type FolderEngineName = "leveldb" | "rocksdb";

/** How databases of one engine are called, made and opened. */
export interface FolderEngine {
  /** What it is called in errors. */
  readonly title: string;
  /** The folder of the database within that of its page. */
  readonly leaf: string;
  /** The folder of the database that says when pages were used, within that of the repository. */
  readonly usage: string;
  /** Makes an empty database in a folder that is missing. */
  create(path: string): Promise<Engine>;
  /**
   * Opens a database. A log may end in a write that was under way when its process ended: nobody was told that it
   * succeeded. Every other damage is an error.
   *
   * @param acceptDamage whether to open in spite of damage in a log
   */
  open(path: string, acceptDamage?: boolean): Promise<Engine>;
}

/** By their names. */
export const folderEngines: Readonly<Record<FolderEngineName, FolderEngine>> = {
  leveldb: {
    title: "LevelDB",
    leaf: "leveldb",
    usage: "page_usage_db",
    async create(path) {
      const { openLevelEngine } = await import("../../engines/level/index.js");
      return openLevelEngine(path, { create: true });
    },
    async open(path, acceptDamage = false) {
      const { openLevelEngine } = await import("../../engines/level/index.js");
      return openLevelEngine(path, { writable: true, acceptLogLoss: acceptDamage || "unfinished" });
    },
  },
  rocksdb: {
    title: "RocksDB",
    leaf: "rocksdb",
    usage: "page_usage_db.rocksdb",
    async create(path) {
      const { openRocksEngine } = await import("../../engines/rocksdb/index.js");
      return openRocksEngine(path, { create: { columns: [] } });
    },
    async open(path, acceptDamage = false) {
      const { openRocksEngine } = await import("../../engines/rocksdb/index.js");
      return openRocksEngine(path, { writable: true, acceptLogLoss: acceptDamage || "unfinished" });
    },
  },
};
