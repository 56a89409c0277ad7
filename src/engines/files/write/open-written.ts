/** Opening a database for writing, where nobody else writes: every check that must come before. */

import { MerostoreError } from "../../../errors.js";
import { type Catalog, logName } from "../../../lsm/catalog/catalog.js";
import { unsupported } from "../../../lsm/damage.js";
import { UnreadableFormat } from "../../../lsm/format/byte-cursor.js";
import type { MaybePromise } from "../../../lsm/source.js";
import type { WritableFiles } from "../../../lsm/writable-files.js";
import type { FilesEngine } from "../files-engine.js";
import type { State } from "../state.js";
import { checkFamilyForms, type TableOptions } from "./family-forms.js";
import { WritingEngine } from "./writing-engine.js";
import { WrittenFolder } from "./written-folder.js";

/** Bytes of logs with which a database that RocksDB never opened flushes by itself, like RocksDB by default. */
const OWN_LOG_BYTES = 64 * 1024 * 1024;

/**
 * Opens a database for writing. Nothing on disk changes before the first batch.
 *
 * @param catalog of the same files, read since nobody else writes
 * @param acceptUnfinished cut off the end of a log that was never complete
 * @param release called when the database is closed, and not if this fails
 * @throws MerostoreError LOG_DAMAGED, LOG_MISSING, DATABASE_DAMAGED, FORMAT_UNSUPPORTED, ENGINE_FAILED, INVALID_ARGUMENT
 */
export async function openWritten(
  catalog: Catalog,
  files: WritableFiles,
  options: TableOptions,
  acceptUnfinished: boolean,
  release: () => MaybePromise<unknown>,
): Promise<FilesEngine> {
  checkWritable(catalog);
  checkFamilyForms(
    options.families,
    catalog.manifest.columns.map(({ name }) => name),
  );
  const written = await WrittenFolder.open(files, catalog, options, release);
  const flushBytes = catalog.optionsName === undefined ? OWN_LOG_BYTES : Number.POSITIVE_INFINITY;
  return new WritingEngine(written, await stateOf(written, acceptUnfinished), flushBytes);
}

/** Reads the state. RocksDB ends the replay at damage: it would not read a log of ours behind it. */
async function stateOf(written: WrittenFolder, acceptUnfinished: boolean): Promise<State> {
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
  await written.files.cut(logName(loss.log), loss.offset);
  return written.read();
}

/** Throws FORMAT_UNSUPPORTED or DATABASE_DAMAGED for a database that no log of ours may be added to. */
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
