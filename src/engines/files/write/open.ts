/** Opening a database for writing by its files alone: every check that must come before. */

import { join } from "node:path";
import { folderFiles, WRITER_LOCK } from "../../../disk/folder.js";
import { asOnlyWriter } from "../../../disk/only-writer.js";
import { realPath } from "../../../disk/outside.js";
import { withMessage } from "../../../disk/sync-folder.js";
import { isLockedByRocksDB, listsLocks, takeWriterLock } from "../../../disk/writer-lock.js";
import { invalidArgument, MerostoreError } from "../../../errors.js";
import { type Catalog, logName, readCatalog } from "../../../lsm/catalog/catalog.js";
import { unsupported } from "../../../lsm/damage.js";
import { UnreadableFormat } from "../../../lsm/format/byte-cursor.js";
import type { FilesEngine } from "../files-engine.js";
import type { ReadOptions, State } from "../state.js";
import { cutOff } from "./log-writer.js";
import { WritingEngine } from "./writing-engine.js";
import { WrittenFolder } from "./written-folder.js";

/** Promises and consents of the caller of {@link openForWriting}. */
interface WriteAccess {
  readonly nodeIsStopped: boolean;
  /** Cut off the end of a log that was never complete. */
  readonly acceptUnfinished: boolean;
}

/** Bytes of logs with which a database that RocksDB never opened flushes by itself, like RocksDB by default. */
const OWN_LOG_BYTES = 64 * 1024 * 1024;

/**
 * Opens a database for writing. Nothing on disk changes before the first batch.
 *
 * @throws MerostoreError DATABASE_LOCKED, LOG_DAMAGED, LOG_MISSING, DATABASE_DAMAGED, FORMAT_UNSUPPORTED, ENGINE_FAILED, INVALID_ARGUMENT
 */
export async function openForWriting(
  path: string,
  options: ReadOptions,
  { nodeIsStopped, acceptUnfinished }: WriteAccess,
): Promise<FilesEngine> {
  if (!nodeIsStopped && !listsLocks())
    throw invalidArgument(
      "this system does not tell whether a node has the database open: stop it, and say so with nodeIsStopped",
    );
  const folder = realPath(path);
  const locked = () =>
    new MerostoreError(
      "DATABASE_LOCKED",
      `${path} is locked by another process (a running node?) or by this program: stop it before you write; reading works beside it`,
    );
  return asOnlyWriter(folder, locked, async (leave) => {
    if (isLockedByRocksDB(folder)) throw locked();
    const unlock = await withMessage(`${path} cannot be opened for writing`, async () =>
      takeWriterLock(folder),
    );
    if (unlock === undefined)
      throw new MerostoreError(
        "DATABASE_LOCKED",
        `${path} is locked by another process that writes without RocksDB, as ${WRITER_LOCK} in it says. If that process is of another system or container, and has ended, remove the file`,
      );
    const release = () => {
      unlock();
      leave();
    };
    try {
      const catalog = await catalogOf(path, folder);
      const written = await WrittenFolder.open(folder, catalog, options, release);
      const flushBytes = catalog.optionsName === undefined ? OWN_LOG_BYTES : Number.POSITIVE_INFINITY;
      return new WritingEngine(written, await stateOf(written, folder, acceptUnfinished), flushBytes);
    } catch (error) {
      release();
      throw error;
    }
  });
}

/** Reads the state. RocksDB ends the replay at damage: it would not read a log of ours behind it. */
async function stateOf(written: WrittenFolder, folder: string, acceptUnfinished: boolean): Promise<State> {
  const state = await written.read();
  const { loss } = state;
  if (loss === undefined) return state;
  state.release();
  if (!loss.unfinished)
    throw new MerostoreError(
      "LOG_DAMAGED",
      `${loss.sentence}. A write after it would be lost: make that one, or open the database once with RocksDB, which drops the rest`,
    );
  if (!acceptUnfinished)
    throw new MerostoreError(
      "LOG_DAMAGED",
      `${loss.sentence}. To write, that part must be cut off: accept the loss (acceptLogLoss: "unfinished")`,
    );
  await cutOff(join(folder, logName(loss.log)), loss.offset);
  return written.read();
}

/** @throws MerostoreError FORMAT_UNSUPPORTED, DATABASE_DAMAGED for a database that no log of ours may be added to */
async function catalogOf(path: string, folder: string): Promise<Catalog> {
  const catalog = await readCatalog(folderFiles(folder, path));
  checkWritable(catalog);
  return catalog;
}

function checkWritable({ files, manifest, manifestName, manifestEnd, manifestLength }: Catalog): void {
  const where = files.where(manifestName);
  if (manifest.tracksLogs)
    throw unsupported(
      where,
      new UnreadableFormat(
        "it lists write-ahead logs (track_and_verify_wals_in_manifest)",
        "Only RocksDB can add one: write with the program that wrote the database",
      ),
    );
  if (manifestEnd < manifestLength)
    throw new MerostoreError(
      "DATABASE_DAMAGED",
      `the end of ${where} was never synced. Open and close the database once with RocksDB, which begins a new MANIFEST`,
    );
}
