/** Opening a database for writing by its files alone: every check that must come before. */

import { folderFiles } from "../../../disk/folder.js";
import { asOnlyWriter } from "../../../disk/only-writer.js";
import { realPath } from "../../../disk/outside.js";
import { isLockedByRocksDB, listsLocks, takeWriterLock } from "../../../disk/writer-lock.js";
import { invalidArgument, MerostoreError } from "../../../errors.js";
import { type Catalog, readCatalog } from "../../../lsm/catalog/catalog.js";
import { unsupported } from "../../../lsm/damage.js";
import { UnreadableFormat } from "../../../lsm/format/byte-cursor.js";
import type { FilesEngine } from "../files-engine.js";
import type { ReadOptions, State } from "../state.js";
import { WritingEngine } from "./writing-engine.js";
import { WrittenFolder } from "./written-folder.js";

/**
 * Opens a database for writing. Nothing on disk changes before the first batch.
 *
 * @throws MerostoreError DATABASE_LOCKED, LOG_DAMAGED, LOG_MISSING, DATABASE_DAMAGED, FORMAT_UNSUPPORTED, ENGINE_FAILED, INVALID_ARGUMENT
 */
export async function openForWriting(
  path: string,
  nodeIsStopped: boolean,
  options: ReadOptions,
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
    const unlock = takeWriterLock(folder);
    if (unlock === undefined) throw locked();
    const release = () => {
      unlock();
      leave();
    };
    try {
      return await openLocked(path, folder, release, options);
    } catch (error) {
      release();
      throw error;
    }
  });
}

async function openLocked(
  path: string,
  folder: string,
  release: () => void,
  options: ReadOptions,
): Promise<FilesEngine> {
  const catalog = await readCatalog(folderFiles(folder, path));
  checkWritable(catalog);
  const written = await WrittenFolder.open(folder, catalog, options, release);
  const state = await written.read();
  try {
    checkLogs(state);
    return new WritingEngine(written, state);
  } catch (error) {
    state.release();
    throw error;
  }
}

/** @throws MerostoreError FORMAT_UNSUPPORTED, DATABASE_DAMAGED for a database after whose MANIFEST no log of ours may come */
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

/** RocksDB ends the replay at damage: it would not read a log of ours behind it. */
function checkLogs({ loss }: State): void {
  if (loss === undefined) return;
  throw new MerostoreError(
    "LOG_DAMAGED",
    `${loss.sentence}. A write after it would be lost: open the database once with RocksDB, or make a new one of it with \`merostore recover\``,
  );
}
