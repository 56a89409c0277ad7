/** Opens the database in a folder for writing, from its files alone. Nobody else may write. */

import { statSync } from "node:fs";
import { join } from "node:path";
import { folderFiles, WRITER_LOCK } from "../../../disk/folder.js";
import { asOnlyWriter } from "../../../disk/only-writer.js";
import { realPath } from "../../../disk/outside.js";
import { withMessage } from "../../../disk/sync-folder.js";
import { WritableFolder } from "../../../disk/writable-folder.js";
import { isLockedByRocksDB, listsLocks, lockedError, takeWriterLock } from "../../../disk/writer-lock.js";
import { invalidArgument, MerostoreError } from "../../../errors.js";
import { readCatalog } from "../../../lsm/catalog/catalog.js";
import type { FilesEngine } from "../files-engine.js";
import type { TableOptions } from "./family-forms.js";
import { openWritten } from "./open-written.js";

/** Promises and consents of the caller of {@link openForWriting}. */
interface WriteAccess {
  readonly nodeIsStopped: boolean;
  readonly acceptLogLoss: boolean | "unfinished";
}

/**
 * Opens a database for writing, as {@link openWritten} does.
 *
 * @throws MerostoreError DATABASE_LOCKED, LOG_DAMAGED, LOG_MISSING, DATABASE_DAMAGED, FORMAT_UNSUPPORTED,
 *   ENGINE_FAILED, INVALID_ARGUMENT
 */
export async function openForWriting(
  path: string,
  options: TableOptions,
  { nodeIsStopped, acceptLogLoss }: WriteAccess,
): Promise<FilesEngine> {
  if (!nodeIsStopped && !listsLocks())
    throw invalidArgument(
      "this system does not tell whether a node has the database open: stop it, and say so with nodeIsStopped",
    );
  const folder = realPath(path);
  const locked = () => lockedError(path);
  return asOnlyWriter(folder, locked, async (leave) => {
    if (isLockedByRocksDB(folder)) throw locked();
    const unlock = await withMessage(`${path} cannot be opened for writing`, async () =>
      takeWriterLock(folder),
    );
    if (unlock === undefined)
      throw new MerostoreError(
        "DATABASE_LOCKED",
        `${path} is locked by another process that writes without RocksDB, as ${WRITER_LOCK} in it says: close it there. If that process is of another system or container, and has ended, remove the file`,
      );
    const release = () => {
      unlock();
      leave();
    };
    try {
      const catalog = await readCatalog(folderFiles(folder, path));
      const mode = statSync(join(folder, "CURRENT")).mode & 0o666;
      const access = { mode, logsElsewhere: catalog.options?.infoLogFolder !== undefined };
      const files = new WritableFolder(folder, path, access);
      return await openWritten(catalog, files, options, acceptLogLoss, release);
    } catch (error) {
      release();
      throw error;
    }
  });
}
