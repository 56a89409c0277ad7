/** Opens a database for writing, after all checks. Nobody else writes it. */

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
 * Opens a database for writing. Nothing on disk changes before the first batch, with two exceptions: an unsynced end of
 * the MANIFEST is cut off, and so is damage in logs that is accepted.
 *
 * @param catalog of the same files, read after others stopped writing
 * @param acceptLogLoss `unfinished`: cut off an incomplete write at the end of a log; true: also drop the writes after
 *   damage
 * @param release called when the database is closed, and not if this fails
 * @throws MerostoreError LOG_DAMAGED, LOG_MISSING, DATABASE_DAMAGED, FORMAT_UNSUPPORTED, ENGINE_FAILED,
 *   INVALID_ARGUMENT
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
 * Returns a state for writing, which replaces the given one. RocksDB ends the replay at damage, and would not read our
 * log after it. So the remaining rows go into tables, and the new MANIFEST needs neither the damaged nor the missing
 * logs.
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
  return withoutLoss(written, await written.read()); // the first parts of a split record may be left
}

/** Throws FORMAT_UNSUPPORTED if this package may not add logs or tables to the database. */
function checkWritable({ files, manifest, manifestName, options }: Catalog): void {
  const other = manifest.columns.find(({ name }) => options?.otherTables.includes(name));
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
