/** Opens a database from its files. */

import { isMerostoreError, MerostoreError } from "../../errors.js";
import {
  type Catalog,
  CatalogOutdated,
  fileSize,
  namedManifest,
  readCatalog,
} from "../../lsm/catalog/catalog.js";
import { closeLogs, openLogs } from "../../lsm/catalog/log-replay.js";
import { retryWhileWritten } from "../../lsm/catalog/retry.js";
import type { FileSet } from "../../lsm/source.js";
import { checkOptions } from "../../options.js";
import { type FilesEngine, StateEngine } from "./files-engine.js";
import {
  type FilesOptions,
  filesOptions,
  type OpenFiles,
  openTables,
  readState,
  type State,
} from "./state.js";

/** Thrown to try again: a log that ends in the middle of a record may be the log of a running writer. */
export class DoubtfulLoss extends Error {}

/**
 * Opens a database for reading from its files alone, without RocksDB: on any system, in a browser, and beside a running
 * node. `refresh()` shows the later writes of the node. Nothing is written, locked or created. It keeps the content of
 * the write-ahead logs in memory, and reads logs of up to 4 GiB.
 *
 * @throws MerostoreError NOT_A_DATABASE, DATABASE_DAMAGED, LOG_MISSING, ENGINE_FAILED; FORMAT_UNSUPPORTED for files
 *   that only RocksDB itself can read
 * @example
 *     const engine = await openFiles(pickedFiles(input.files ?? []));
 *     const store = await storeOn(engine);
 */
export async function openFiles(files: FileSet, options: FilesOptions = {}): Promise<FilesEngine> {
  checkOptions("openFiles", options, filesOptions);
  if (!(await files.list()).includes("CURRENT")) {
    throw new MerostoreError(
      "NOT_A_DATABASE",
      `${files.name} holds no RocksDB database: it has no file CURRENT`,
    );
  }
  const open = () => openBesideWriter(files, (acceptLoss) => openOnce(files, options, acceptLoss));
  return new StateEngine(files, await open(), open);
}

/**
 * Opens the files of one moment. It repeats this for as long as a writer changes them meanwhile.
 *
 * @param open throws DoubtfulLoss for logs that end early, unless `acceptLoss` is true
 */
export function openBesideWriter<T>(files: FileSet, open: (acceptLoss: boolean) => Promise<T>): Promise<T> {
  const retry = (acceptLoss: boolean) => retryWhileWritten(files, () => open(acceptLoss), isFinal);
  return retry(false).catch((error: unknown) => {
    if (error instanceof DoubtfulLoss) return retry(true);
    throw error;
  });
}

/**
 * Opens the files of one moment. If the MANIFEST did not change while the logs were opened, the logs have all rows that
 * its tables lack. Tables never change, so they may be opened later, if they still exist.
 *
 * @throws CatalogOutdated if a writer replaced files meanwhile
 */
export async function openCurrentFiles(files: FileSet): Promise<OpenFiles> {
  const catalog = await readCatalog(files);
  const logs = await openLogs(catalog);
  try {
    await checkCurrent(catalog);
    return { catalog, logs, tables: await openTables(catalog, () => checkCurrent(catalog)) };
  } catch (error) {
    closeLogs(logs);
    throw error;
  }
}

async function openOnce(files: FileSet, options: FilesOptions, acceptLoss: boolean): Promise<State> {
  const state = await readState(await openCurrentFiles(files), options);
  if (state.loss === undefined || acceptLoss) return state;
  state.release();
  throw new DoubtfulLoss(state.loss.sentence);
}

/** Throws CatalogOutdated if the MANIFEST has changed. */
async function checkCurrent({ files, manifestName, manifestLength }: Catalog): Promise<void> {
  if (
    (await namedManifest(files)) !== manifestName ||
    (await fileSize(files, manifestName)) !== manifestLength
  )
    throw new CatalogOutdated("the MANIFEST has changed");
}

/** Returns whether another attempt is useless. A failed request was already repeated. */
function isFinal(error: unknown): boolean {
  return isMerostoreError(error, "FORMAT_UNSUPPORTED") || isMerostoreError(error, "NETWORK_ERROR");
}
