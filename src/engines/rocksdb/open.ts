/** Opens a RocksDB database after all checks, and gives each failure a code. */

import { cutManifest } from "../../disk/cut-manifest.js";
import { checkDatabase, checkFree, folderFiles } from "../../disk/folder.js";
import { locationText, type PathOrUrl } from "../../disk/location.js";
import { makeDatabaseFolder } from "../../disk/new-folder.js";
import { asOnlyWriter } from "../../disk/only-writer.js";
import { realPath } from "../../disk/outside.js";
import { isWriterLocked, lockedError } from "../../disk/writer-lock.js";
import { type CreateOptions, checkAccess } from "../../engine/arguments.js";
import type { Engine } from "../../engine/engine.js";
import { isMerostoreError, MerostoreError, type Warning } from "../../errors.js";
import {
  type Catalog,
  CatalogOutdated,
  endsUnsynced,
  fileSize,
  readCatalog,
} from "../../lsm/catalog/catalog.js";
import { findIncompleteness, findMissingLogs, missingLogs } from "../../lsm/catalog/completeness.js";
import { findUnsupported } from "../../lsm/catalog/find-unsupported.js";
import { checkAccepted, checkLogs, type LogLoss, type SequenceGap } from "../../lsm/catalog/log-replay.js";
import { retryWhileWritten } from "../../lsm/catalog/retry.js";
import { storedTables } from "../../lsm/catalog/stored-files.js";
import { RECOVER, unsupported } from "../../lsm/damage.js";
import { UnreadableFormat, UnsupportedFormat } from "../../lsm/format/byte-cursor.js";
import type { FileSet } from "../../lsm/source.js";
import { checkOptions, isFlag, isList, isOneOf, isText, type OptionChecks } from "../../options.js";
import { loadBinding, type NativeConstructor, WalRecovery } from "./binding.js";
import { damagedFile, engineError, isDamage, isLocked } from "./classify.js";
import { type OpenDatabase, RocksEngine } from "./rocks-engine.js";

/** Options of {@link openRocksEngine}. By default it opens an existing database for reading. */
export interface RocksEngineOptions extends CreateOptions {
  /**
   * Open for writing too, alone. Without it nothing on disk changes, and another process may have the database open for
   * writing. Later writes of that process are not visible.
   */
  readonly writable?: boolean | undefined;
  /**
   * Open for writing although the write-ahead log ends in damage. Opening then drops all writes after the damage for
   * good; `warnings` of the engine names the loss. Without it the error is LOG_DAMAGED. `unfinished` accepts only a
   * newest log that ends with an unsynced write: within its last record, as after the kill of a writer, or with sectors
   * that never reached the disk, as after a power failure.
   *
   * For reading and writing, true opens a database with missing logs, without the rows that only they have. Otherwise
   * the error is LOG_MISSING. Copies and exports of a database with a damaged log are then possible too.
   */
  readonly acceptLogLoss?: boolean | "unfinished" | undefined;
  /** The reason for RocksDB instead of another engine, for its capabilities. */
  readonly reason?: string | undefined;
}

/** The checks of {@link RocksEngineOptions}. */
export const rocksOptions: OptionChecks<RocksEngineOptions> = {
  writable: isFlag,
  create: isFlag,
  columns: isList,
  acceptLogLoss: isOneOf([true, false, "unfinished"]),
  reason: isText,
};

/** Loads the native package; replaced in tests. */
export type BindingLoader = () => Promise<NativeConstructor>;

/**
 * Opens the RocksDB database in a folder with all its column families, known or unknown; or creates one.
 *
 * A cut or damaged write-ahead log is never ignored. For reading, `warnings` names the missing part. For writing it is
 * an error, because opening would drop the rest for good. A cut exactly between two records cannot be detected.
 *
 * @param location the folder with CURRENT: a path or a `file:` URL
 * @throws MerostoreError DATABASE_NOT_FOUND, NOT_A_DATABASE, DATABASE_EXISTS, DATABASE_LOCKED, DATABASE_DAMAGED,
 *   LOG_DAMAGED, LOG_MISSING, WRITING_UNSUPPORTED, FORMAT_UNSUPPORTED for formats that this build of RocksDB cannot
 *   read, NATIVE_LOAD_FAILED, INVALID_ARGUMENT
 * @example
 *     await using engine = await openRocksEngine("node/data");
 *     for await (const rows of engine.scan("Meta").chunks()) console.log(rows.length);
 */
export function openRocksEngine(location: PathOrUrl, options: RocksEngineOptions = {}): Promise<Engine> {
  return openWith(loadBinding, location, options);
}

/** {@link openRocksEngine} with another way of loading the native package. */
export async function openWith(
  load: BindingLoader,
  location: PathOrUrl,
  options: RocksEngineOptions = {},
): Promise<Engine> {
  const path = locationText(location);
  checkOptions("openRocksEngine", options, rocksOptions);
  const columns = checkAccess(options);
  return columns === undefined ? openExisting(load, path, options) : createNew(load, path, columns);
}

async function createNew(load: BindingLoader, path: string, columns: readonly string[]): Promise<Engine> {
  checkFree(path);
  const folder = realPath(path);
  const Native = await load();
  await makeDatabaseFolder(folder);
  return asOnlyWriter(
    folder,
    () => lockedError(path),
    async (release) => {
      try {
        return await openNative(Native, { path, folder, release, columns, create: true, writable: true });
      } catch (error) {
        throw openingError(error, path, "creating the database");
      }
    },
  );
}

async function openExisting(
  load: BindingLoader,
  path: string,
  { writable = false, acceptLogLoss = false, reason }: RocksEngineOptions,
): Promise<Engine> {
  checkDatabase(path);
  const folder = realPath(path);
  const files = folderFiles(folder, path);
  const Native = await load();
  const access = { path, folder, writable, reason, withoutLogs: acceptLogLoss === true };
  if (!writable) return openOnDisk(Native, files, access, true);
  return asOnlyWriter(
    folder,
    () => lockedError(path),
    async (release) => {
      if (isWriterLocked(folder)) throw lockedError(path);
      return openOnDisk(Native, files, { ...access, release }, acceptLogLoss);
    },
  );
}

async function openOnDisk(
  Native: NativeConstructor,
  files: FileSet,
  access: Access,
  acceptLogLoss: boolean | "unfinished",
): Promise<Engine> {
  const isFinal = (error: unknown) =>
    isMerostoreError(error, "DATABASE_LOCKED") || isMerostoreError(error, "FORMAT_UNSUPPORTED");
  try {
    return await retryWhileWritten(files, () => openWhole(Native, files, access), isFinal);
  } catch (error) {
    if (!(error instanceof LogDamaged)) throw error;
    checkAccepted(error.loss, acceptLogLoss, error.cause);
    return openWithLoss(Native, files, access, error.loss);
  }
}

/** Opens a complete database. */
async function openWhole(Native: NativeConstructor, files: FileSet, access: Access): Promise<Engine> {
  const { path } = access;
  const catalog = await readCatalog(files);
  throwIf(findUnsupported(catalog, UnreadableFormat));
  if (!access.writable) checkTrackedLogs(catalog);
  const columns = catalog.manifest.columns.map(({ name }) => name);
  const gaps = await gapsIn(catalog);
  const checking = checkFiles(catalog, access, gaps);
  const warnings = missingLogs(catalog, gaps);
  // Opening for writing changes files, so the check comes first. For reading, both run at the same time.
  if (access.writable) {
    throwIf(await checking);
    await checkCompression(catalog, path);
  }
  try {
    const [engine, incomplete] = await Promise.all([
      openNative(Native, { ...access, columns, warnings }),
      checking,
    ]);
    if (incomplete !== undefined) await engine.close();
    throwIf(incomplete);
    return engine;
  } catch (error) {
    throwIf(await checking);
    if (isLocked(error)) throw lockedError(path, error);
    if (isRefusedEnd(error, catalog, access)) {
      // The same failure may have damaged a log. Nothing is changed before the caller accepts that loss.
      const loss = await lossOf(catalog, error as Error);
      if (loss !== undefined) throw new LogDamaged(loss, error);
      return openCut(Native, catalog, { ...access, columns, warnings });
    }
    const file = damagedFile(error); // RocksDB does not name a damaged write-ahead log
    if (!isDamage(error) || (file !== undefined && !file.endsWith(".log"))) {
      throw openingError(error, path);
    }
    const loss = await lossOf(catalog, error as Error);
    // Nothing is missing: RocksDB fails on a reused file, or on a log that continues in the next one.
    if (loss === undefined) return openNative(Native, { ...access, columns, warnings, toDamage: true });
    throw new LogDamaged(loss, error);
  }
}

/** Returns the error about missing tables or logs, unless the options accept the loss. */
async function checkFiles(
  catalog: Catalog,
  { withoutLogs }: Access,
  gaps: readonly SequenceGap[],
): Promise<MerostoreError | undefined> {
  const incomplete = await findIncompleteness(catalog, (name) => fileSize(catalog.files, name));
  return incomplete ?? (withoutLogs ? undefined : findMissingLogs(catalog, gaps));
}

/**
 * Returns the missing writes before and between logs; none if the logs cannot be read, because RocksDB then reports the
 * reason.
 */
async function gapsIn(catalog: Catalog): Promise<readonly SequenceGap[]> {
  try {
    return (await checkLogs(catalog)).gaps;
  } catch (error) {
    if (error instanceof CatalogOutdated) throw error;
    return [];
  }
}

function openingError(error: unknown, path: string, doing = "opening"): MerostoreError {
  return isLocked(error) ? lockedError(path, error) : engineError(error, doing, path);
}

/** Returns true if RocksDB refused a MANIFEST whose end may never have reached the disk. */
function isRefusedEnd(error: unknown, catalog: Catalog, { writable }: Access): boolean {
  return writable && endsUnsynced(catalog) && !isLocked(error) && isDamage(error);
}

/** Opens a database after cutting off the damaged end of its MANIFEST, which never reached the disk. */
async function openCut(Native: NativeConstructor, catalog: Catalog, opening: NativeOpening): Promise<Engine> {
  const warning = await cutManifest(opening.folder, catalog);
  const warnings = [...(opening.warnings ?? []), warning];
  try {
    return await openNative(Native, { ...opening, toDamage: true, warnings });
  } catch (error) {
    throw openingError(error, opening.path);
  }
}

/**
 * Refuses databases with compressed tables. This build of RocksDB has no compression: it would open the database, and
 * fail in the next compaction.
 *
 * @throws MerostoreError WRITING_UNSUPPORTED
 */
async function checkCompression(catalog: Catalog, path: string): Promise<void> {
  for await (const { file, compression } of storedTables(catalog)) {
    if (compression.length === 0) continue;
    throw new MerostoreError(
      "WRITING_UNSUPPORTED",
      `${path} can be read, but not written: ${file} is compressed with ${compression.join(" and ")}, and RocksDB as it is built here reads only plain tables. \`merostore db copy DB NEW\` makes a database with the same rows that can be written; a node opens it as well. The engine files (\`--engine files\`) writes without RocksDB`,
    );
  }
}

/**
 * Refuses databases with tracked logs. RocksDB ends the process when it opens one read-only without the option of its
 * writer.
 */
function checkTrackedLogs({ files, manifest, manifestName }: Catalog): void {
  if (!manifest.tracksLogs) return;
  throw unsupported(
    files.where(manifestName),
    new UnreadableFormat(
      "it lists write-ahead logs (track_and_verify_wals_in_manifest)",
      "RocksDB as it is built here cannot open it read-only: use the engine files, or the program that wrote it",
    ),
  );
}

type Loss = Pick<LogLoss, "sentence" | "unfinished">;

/** Thrown for a log that RocksDB would read up to its damage. */
class LogDamaged extends Error {
  readonly loss: Loss;

  constructor(loss: Loss, cause: unknown) {
    super(loss.sentence, { cause });
    this.loss = loss;
  }
}

/** Returns the part of the logs that RocksDB does not read; undefined if it reads all. */
async function lossOf(catalog: Catalog, error: Error): Promise<Loss | undefined> {
  try {
    return (await checkLogs(catalog)).loss;
  } catch (thrown) {
    const reason = isMerostoreError(thrown, "FORMAT_UNSUPPORTED") ? thrown.cause : thrown;
    if (!(reason instanceof UnsupportedFormat)) throw thrown;
    // RocksDB would open the database without the rows of this log.
    if (reason instanceof UnreadableFormat) throw unsupported(catalog.files.name, reason);
    const sentence = `a write-ahead log in ${catalog.files.name} is damaged (${error.message}); ${RECOVER}`;
    return { sentence, unfinished: false };
  }
}

/** Opens a database up to the damage in its log. */
async function openWithLoss(
  Native: NativeConstructor,
  files: FileSet,
  access: Access,
  { sentence, unfinished }: Loss,
): Promise<Engine> {
  const { path, withoutLogs = false } = access;
  const catalog = await readCatalog(files);
  const columns = catalog.manifest.columns.map(({ name }) => name);
  const opening = {
    ...access,
    columns,
    toDamage: true,
    warnings: [...missingLogs(catalog, await gapsIn(catalog)), { code: "LOG_DAMAGED", message: sentence }],
    lost: unfinished || withoutLogs ? [] : [sentence],
  } as const;
  try {
    return await openNative(Native, opening);
  } catch (error) {
    if (isRefusedEnd(error, catalog, access)) return openCut(Native, catalog, opening);
    throw openingError(error, path);
  }
}

interface Access extends Pick<OpenDatabase, "path" | "folder" | "writable" | "release" | "reason"> {
  /** True if logs may be missing. */
  readonly withoutLogs?: boolean;
}

interface NativeOpening extends Access, Pick<OpenDatabase, "columns" | "lost"> {
  readonly create?: true;
  /** Read the logs up to the first damage, instead of failing there. */
  readonly toDamage?: true;
  readonly warnings?: readonly Warning[];
}

async function openNative(Native: NativeConstructor, opening: NativeOpening): Promise<Engine> {
  const { folder, columns, writable, create = false, toDamage = false, warnings = [] } = opening;
  const native = new Native(folder, {
    columnFamilies: columns.filter((name) => name !== "default"),
    readOnly: !writable,
    createIfMissing: create,
    createMissingColumnFamilies: create,
    walRecoveryMode: toDamage ? WalRecovery.PointInTime : WalRecovery.AbsoluteConsistency,
  });
  await native.ready(); // if it fails, the object is dropped, because its other calls would never settle
  return new RocksEngine({ ...opening, native, warnings });
}

function throwIf(error: MerostoreError | undefined): void {
  if (error !== undefined) throw error;
}
