/** The engines that a repository on disk can have. Each is loaded when the first database is opened. */
import type { Engine } from "merostore/engine";

/** Engines of repositories on disk. */
export type FolderEngineName = "leveldb" | "rocksdb";

/** The names of the databases of one engine, and the functions that create and open them. */
export interface FolderEngine {
  /** The name of the engine in errors. */
  readonly title: string;
  /** The folder of a database within the folder of its page. */
  readonly leaf: string;
  /** The folder of the usage database within the folder of the repository. */
  readonly usage: string;
  /** The most databases with open files: together some 700 files, as many systems permit 1,024. */
  readonly mostOpen: number;
  /** Creates an empty database in a missing folder. */
  create(path: string): Promise<Engine>;
  /**
   * Opens a database. The last write of a log may be incomplete because the process ended during it: that write has not
   * succeeded. All other damage is an error.
   *
   * @param acceptDamage whether to open a database with other damage in a log too
   */
  open(path: string, acceptDamage?: boolean): Promise<Engine>;
}

/** The engines by their names. */
export const folderEngines: Readonly<Record<FolderEngineName, FolderEngine>> = {
  leveldb: {
    title: "LevelDB",
    leaf: "leveldb",
    usage: "page_usage_db",
    mostOpen: 128,
    async create(path) {
      const { openLevelEngine } = await import("merostore/engine");
      return openLevelEngine(path, { create: true });
    },
    async open(path, acceptDamage = false) {
      const { openLevelEngine } = await import("merostore/engine");
      return openLevelEngine(path, { writable: true, acceptLogLoss: acceptDamage || "unfinished" });
    },
  },
  rocksdb: {
    title: "RocksDB",
    leaf: "rocksdb",
    usage: "page_usage_db.rocksdb",
    mostOpen: 64,
    async create(path) {
      const { openRocksEngine } = await import("merostore/engine");
      return openRocksEngine(path, { create: true, columns: [] });
    },
    async open(path, acceptDamage = false) {
      const { openRocksEngine } = await import("merostore/engine");
      return openRocksEngine(path, { writable: true, acceptLogLoss: acceptDamage || "unfinished" });
    },
  },
};
