/** Opening a folder with the engine that suits: RocksDB's files read in TypeScript, or RocksDB itself. */

import { isMerostoreError, MerostoreError } from "../errors.js";
import { invalid } from "./arguments.js";
import type { Engine } from "./engine.js";
import { UnreadableFormat } from "./files/format/byte-cursor.js";
import type { ReadOptions } from "./files/index.js";
import { openFilesEngine } from "./files/open-folder.js";
import { openRocksEngine, type RocksEngineOptions } from "./rocksdb/index.js";

/** The engines that open a folder. */
export const folderEngines = ["files", "rocksdb"] as const;

/** How {@link openEngine} opens a database. Without options: an existing one, for reading and writing. */
export interface EngineOptions extends RocksEngineOptions, Pick<ReadOptions, "checksums" | "cacheBytes"> {
  /**
   * `files` reads RocksDB's own files, several times as fast as `rocksdb`, and cannot write; `rocksdb` is RocksDB
   * itself. Without it `files` is taken for reading, unless a file needs more than it knows.
   */
  readonly engine?: (typeof folderEngines)[number] | undefined;
}

/**
 * Opens the database in a folder; which engine it has, and why it is not `files`, is in its `capabilities`.
 *
 * @throws MerostoreError as {@link openFilesEngine} and {@link openRocksEngine}; FORMAT_UNSUPPORTED when neither can
 */
export async function openEngine(path: string, options: EngineOptions = {}): Promise<Engine> {
  const { engine, readOnly = false, checksums, cacheBytes, create, acceptLogLoss } = options;
  if (engine !== undefined && !folderEngines.includes(engine))
    throw invalid(`the engine must be one of ${folderEngines.join(", ")}`);
  if (engine === "rocksdb" || !readOnly) {
    if (engine === "files") throw invalid("the engine files cannot write: open read-only, or take rocksdb");
    return openRocksEngine(path, { readOnly, create, acceptLogLoss });
  }
  if (create !== undefined)
    throw invalid("a database cannot be created and opened read-only at once: leave out one of them");
  try {
    return await openFilesEngine(path, { checksums, cacheBytes });
  } catch (error) {
    const askRocks =
      isMerostoreError(error, "FORMAT_UNSUPPORTED") && !(error.cause instanceof UnreadableFormat);
    if (engine === "files" || !askRocks) throw error;
    return openInstead(path, error);
  }
}

/** Opens with RocksDB what is beyond the other engine. */
async function openInstead(path: string, reason: MerostoreError): Promise<Engine> {
  try {
    return await openRocksEngine(path, { readOnly: true, reason: reason.message });
  } catch (error) {
    if (!isMerostoreError(error)) throw error;
    throw new MerostoreError(
      error.code,
      `${error.message} (RocksDB was asked because of ${reason.message})`,
      {
        cause: error,
      },
    );
  }
}
