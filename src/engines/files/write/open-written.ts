/** Opening a database for writing, where nobody else writes: every check that must come before. */

import type { Warning } from "../../../errors.js";
import { type Catalog, endsUnsynced, manifestCut } from "../../../lsm/catalog/catalog.js";
import { logName } from "../../../lsm/catalog/file-names.js";
import { checkAccepted } from "../../../lsm/catalog/log-replay.js";
import { unsupported } from "../../../lsm/damage.js";
import { UnsupportedFormat } from "../../../lsm/format/byte-cursor.js";
import type { MaybePromise } from "../../../lsm/source.js";
import type { WritableFiles } from "../../../lsm/writable-files.js";
import type { FilesEngine } from "../files-engine.js";
import type { State } from "../state.js";
import { checkFamilyForms, type TableOptions } from "./family-forms.js";
import { WritingEngine } from "./writing-engine.js";
import { WrittenFolder } from "./written-folder.js";

/**
 * Opens a database for writing. Nothing on disk changes before the first batch, except that a MANIFEST loses an end that was never synced, and
 * logs a loss that is accepted.
 *
 * @param catalog of the same files, read since nobody else writes
 * @param acceptLogLoss `unfinished`: cut off the end of a log that was never complete; true: also drop the writes after damage
 * @param release called when the database is closed, and not if this fails
 * @throws MerostoreError LOG_DAMAGED, LOG_MISSING, DATABASE_DAMAGED, FORMAT_UNSUPPORTED, ENGINE_FAILED, INVALID_ARGUMENT
 */
export async function openWritten(
  catalog: Catalog,
  files: WritableFiles,
  options: TableOptions,
  acceptLogLoss: boolean | "unfinished",
  release: () => MaybePromise<unknown>,
): Promise<FilesEngine> {
  checkWritable(catalog);
  checkFamilyForms(
    options.families,
    catalog.manifest.columns.map(({ name }) => name),
  );
  const written = await WrittenFolder.open(files, catalog, options, release);
  const state = await written.read();
  try {
    const { loss } = state;
    if (loss !== undefined) checkAccepted(loss, acceptLogLoss);
    const warnings: Warning[] = [...state.missing];
    if (loss !== undefined) warnings.push({ code: "LOG_DAMAGED", message: loss.sentence });
    if (endsUnsynced(catalog)) {
      await files.cut(catalog.manifestName, catalog.manifestEnd);
      warnings.push(manifestCut(catalog));
    }
    return new WritingEngine(written, await withoutLoss(written, state.retain()), warnings);
  } finally {
    state.release();
  }
}

/**
 * Returns a state to write on, in place of one. RocksDB ends the replay at damage: it would not read a log of ours behind it. Tables of what
 * is left, and a new MANIFEST, need neither the damaged logs nor missing ones.
 */
async function withoutLoss(written: WrittenFolder, state: State): Promise<State> {
  const { loss, missing } = state;
  if (loss === undefined && missing.length === 0) return state;
  try {
    if (loss?.unfinished !== true) return (await written.flush(state)).next;
  } finally {
    state.release();
  }
  await written.files.cut(logName(loss.log), loss.offset);
  return withoutLoss(written, await written.read()); // of a record in parts, the first ones are left
}

/** Throws FORMAT_UNSUPPORTED for a database that no log or table of ours may be added to. */
function checkWritable({ files, manifest, manifestName, otherTables }: Catalog): void {
  const other = manifest.columns.find(({ name }) => otherTables.includes(name));
  if (other !== undefined)
    throw unsupported(
      files.name,
      new UnsupportedFormat(
        `RocksDB keeps the column family ${JSON.stringify(other.name)} in tables that are not block-based, and reads no others there`,
      ),
    );
  if (manifest.tracksLogs)
    throw unsupported(
      files.where(manifestName),
      new UnsupportedFormat(
        "it lists write-ahead logs (track_and_verify_wals_in_manifest), and only RocksDB can add one",
      ),
    );
}
