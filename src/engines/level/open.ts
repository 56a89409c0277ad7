/** Opens a LevelDB database after all checks, and gives each failure a code. */

import { readdir } from "node:fs/promises";
import { cutManifest } from "../../disk/cut-manifest.js";
import { checkDatabase, checkFree, checkRegular, contentOf, folderFiles } from "../../disk/folder.js";
import { locationText, type PathOrUrl } from "../../disk/location.js";
import { makeDatabaseFolder } from "../../disk/new-folder.js";
import { asOnlyWriter } from "../../disk/only-writer.js";
import { realPath } from "../../disk/outside.js";
import { syncFolder } from "../../disk/sync-folder.js";
import type { Engine } from "../../engine/engine.js";
import { invalidArgument, isMerostoreError, type Warning } from "../../errors.js";
import { endsUnsynced } from "../../lsm/catalog/catalog.js";
import { retryWhileWritten } from "../../lsm/catalog/retry.js";
import { checkOptions, isFlag, isOneOf, type OptionChecks } from "../../options.js";
import { type LevelConstructor, type LevelDatabase, loadBinding } from "./binding.js";
import { checkFiles } from "./check-files.js";
import { isLocked, levelError, lockedError } from "./classify.js";
import { LevelEngine } from "./level-engine.js";

/** Options of {@link openLevelEngine}: `writable` or `create` is needed. */
export interface LevelEngineOptions {
  /** Open an existing database for reading and writing. LevelDB has no opening for reading only. */
  readonly writable?: boolean | undefined;
  /** Create a database in a folder that is missing or empty, or in which a creation was interrupted, and open it. */
  readonly create?: boolean | undefined;
  /**
   * Open although a write-ahead log ends in a cut or damaged record, which LevelDB then drops for good; `warnings` of
   * the engine names the loss. Without it the error is LOG_DAMAGED. A batch without `sync` can look like that after a
   * power failure, and so can a batch whose process was killed during the write. `unfinished` accepts only this: the
   * newest log ends within its last record, or parts of that record never reached the disk, and every record before it
   * is whole. True also opens a database with missing logs, without the rows that only they have; otherwise the error
   * is LOG_MISSING.
   */
  readonly acceptLogLoss?: boolean | "unfinished" | undefined;
}

const levelOptions: OptionChecks<LevelEngineOptions> = {
  writable: isFlag,
  create: isFlag,
  acceptLogLoss: isOneOf([true, false, "unfinished"]),
};

/** Loads the native package; replaced in tests. */
export type BindingLoader = () => Promise<LevelConstructor>;

/**
 * Opens the LevelDB database in a folder, or creates one. Its only column family is `default`, with the keys and values
 * of LevelDB byte for byte, in bytewise order.
 *
 * LevelDB has no opening for reading only. The process that opens the database has it alone, and opening changes files,
 * though no rows. So `writable: true` or `create: true` is required. If CURRENT, a MANIFEST or a log is damaged, the
 * folder is not opened and stays as it is; nothing is repaired. Damage inside a table file is not detected at the
 * opening, because the package does not let LevelDB verify checksums. An unreadable row gives DATABASE_DAMAGED when it
 * is read (by a scan only at its end). A changed byte may go unnoticed, and give a wrong row or none.
 *
 * @param location the folder with CURRENT: a path or a `file:` URL
 * @throws MerostoreError DATABASE_NOT_FOUND, NOT_A_DATABASE, DATABASE_EXISTS, DATABASE_LOCKED, DATABASE_DAMAGED,
 *   LOG_DAMAGED, LOG_MISSING, NATIVE_LOAD_FAILED, PERMISSION_DENIED, ENGINE_FAILED, INVALID_ARGUMENT
 * @example
 *     await using engine = await openLevelEngine("pages/1", { create: true });
 *     await engine.write([{ type: "put", column: "default", key, value }], { sync: true });
 */
export function openLevelEngine(location: PathOrUrl, options: LevelEngineOptions): Promise<Engine> {
  return openWith(loadBinding, location, options);
}

/** {@link openLevelEngine} with another way of loading the native package. */
export async function openWith(
  load: BindingLoader,
  location: PathOrUrl,
  options: LevelEngineOptions,
): Promise<Engine> {
  checkOptions("openLevelEngine", options, levelOptions);
  const { create = false, writable = create, acceptLogLoss = false } = options ?? {};
  if (!writable)
    throw invalidArgument(
      "LevelDB changes files whenever it opens a database: pass writable: true, or create: true",
    );
  const path = locationText(location);
  if (!create) checkDatabase(path, "LevelDB");
  const folder = realPath(path);
  if (create && !(await isUnfinishedCreation(folder))) checkFree(folder, path);
  const Level = await load();
  if (create) await makeDatabaseFolder(folder);
  return openAlone(Level, { path, folder }, { create, acceptLogLoss });
}

/** A folder, with links resolved, and its path as the caller named it. */
interface LevelFolder {
  readonly folder: string;
  readonly path: string;
}

/** The files that LevelDB writes before CURRENT. A folder without CURRENT is no database, so they have no rows. */
const BEFORE_CURRENT = /^(?:LOCK|LOG|LOG\.old|MANIFEST-000001|000001\.dbtmp)$/;

/** Returns whether a folder has only the files of an interrupted creation of a database. */
async function isUnfinishedCreation(path: string): Promise<boolean> {
  if (contentOf(path) !== "other") return false;
  if (!(await readdir(path)).every((name) => BEFORE_CURRENT.test(name))) return false;
  checkRegular(path);
  return true;
}

/**
 * Opens the database if this process does not have it open. LevelDB must not make this check: by looking at the lock
 * file it would release the lock of the first writer.
 */
function openAlone(
  Level: LevelConstructor,
  { path, folder }: LevelFolder,
  { create, acceptLogLoss }: { readonly create: boolean; readonly acceptLogLoss: boolean | "unfinished" },
): Promise<Engine> {
  const locked = () => lockedError(path);
  return asOnlyWriter(folder, locked, async (release) => {
    const openNative = async (warnings: readonly Warning[]) => {
      const database = await openDatabase(Level, { path, folder, create });
      return new LevelEngine({ database, path: folder, warnings, release });
    };
    if (create) return openNative([]);
    const files = folderFiles(folder, path);
    const isFinal = (error: unknown) => isMerostoreError(error, "DATABASE_LOCKED");
    return retryWhileWritten(
      files,
      async () => {
        const { catalog, warnings } = await checkFiles(files, acceptLogLoss);
        try {
          return await openNative(warnings);
        } catch (error) {
          if (!isMerostoreError(error, "DATABASE_DAMAGED") || !endsUnsynced(catalog)) throw error;
          return openNative([...warnings, await cutManifest(folder, catalog)]);
        }
      },
      isFinal,
    );
  });
}

async function openDatabase(
  Level: LevelConstructor,
  { path, folder, create }: LevelFolder & { readonly create: boolean },
): Promise<LevelDatabase> {
  const database = new Level(folder, {
    keyEncoding: "view",
    valueEncoding: "view",
    createIfMissing: create,
    errorIfExists: create,
  });
  await database.open().catch((error: unknown) => {
    throw isLocked(error) ? lockedError(path, error) : levelError(error, "opening", path);
  });
  // LevelDB syncs the content of CURRENT, but not the rename that replaces the old file.
  await syncFolder(folder).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  return database;
}
