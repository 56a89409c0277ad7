/** Opening a LevelDB database: every check that must come before, and every failure by its name. */

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
  /** Open an existing database for reading and writing. LevelDB cannot open one only for reading. */
  readonly writable?: boolean | undefined;
  /** Create a database in a folder that is missing or empty, or in which a creation was interrupted, and open it. */
  readonly create?: boolean | undefined;
  /**
   * Open although a write-ahead log ends in a record that is cut or damaged, which LevelDB then drops for good; `warnings`
   * of the engine says what. Without it the error is LOG_DAMAGED. After a power failure a batch that was written without
   * `sync` looks like that; so does one that was under way when its process was killed. `unfinished` accepts that one only:
   * the newest log ends within its last record, of which it holds the beginning, or parts of which never reached the disk,
   * and every record before it is whole. True also opens a database whose logs are missing, without the rows that are only in
   * them; otherwise the error is LOG_MISSING.
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
 * Opens the LevelDB database in a folder, or creates one. It has the one column family `default`, whose keys and values are
 * those of LevelDB byte for byte, in bytewise order.
 *
 * LevelDB cannot open a database only for reading: the process that opens it holds it alone, and LevelDB changes files while it
 * opens, though not a row. So `writable: true` must be given, or `create: true`. A folder with damage in the files that say what there is, or in a log, is not opened and stays as it is;
 * nothing is repaired. Damage within a table file is another matter, because the package does not let LevelDB verify
 * checksums: what cannot be read at all is DATABASE_DAMAGED when it is asked for (of a scan, only at its end), and a changed
 * byte may go unnoticed and give a wrong row or none.
 *
 * @param location the folder that holds CURRENT: a path or a `file:` URL
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
  if (!create) return openAlone(await load(), { path, folder }, { create, acceptLogLoss });
  if (!(await isUnfinishedCreation(folder))) checkFree(folder, path);
  const Level = await load();
  await makeDatabaseFolder(folder);
  return openAlone(Level, { path, folder }, { create, acceptLogLoss });
}

/** A folder, with links resolved, and its path as the caller named it. */
interface LevelFolder {
  readonly folder: string;
  readonly path: string;
}

/** The files that LevelDB writes before CURRENT, which makes a folder a database: no row can be in these. */
const BEFORE_CURRENT = /^(?:LOCK|LOG|LOG\.old|MANIFEST-000001|000001\.dbtmp)$/;

/** Returns whether a folder holds nothing but what the creation of a database leaves when it is interrupted. */
async function isUnfinishedCreation(path: string): Promise<boolean> {
  if (contentOf(path) !== "other") return false;
  if (!(await readdir(path)).every((name) => BEFORE_CURRENT.test(name))) return false;
  checkRegular(path);
  return true;
}

/** LevelDB itself must not refuse: by looking at the lock file it would give up the lock of the first writer. */
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
  // LevelDB syncs what CURRENT holds, and not that it has been put in the place of the one before.
  await syncFolder(folder).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  return database;
}
