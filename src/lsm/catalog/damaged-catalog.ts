/** Lists the files of a damaged database that contain rows. */

import { NumberMap } from "../../bytes/number-map.js";
import { isDamage, unsupported } from "../damage.js";
import { salvageLog } from "../format/damaged-log.js";
import type { LogRecord } from "../format/log-records.js";
import {
  type LiveFile,
  type ManifestColumn,
  type Numbers,
  type PartOfManifest,
  readPartOfManifest,
} from "../format/manifest.js";
import { type FileSet, type FileSource, readWhole } from "../source.js";
import {
  type Catalog,
  fileSize,
  MOST_BYTES,
  namedManifest,
  neededLogs,
  readCatalog,
  readOptions,
} from "./catalog.js";
import { findIncompleteness, lacksLog, lacksNewestLog } from "./completeness.js";
import { currentOf, filesOf, logName, type NumberedFile, tableName } from "./file-names.js";
import { findUnsupported } from "./find-unsupported.js";
import { lastInTables } from "./log-replay.js";

/** A remark about a file. */
interface FileNote {
  readonly file: string;
  readonly message: string;
  /** True if rows are lost. */
  readonly lost: boolean;
}

/** A table file in the folder. */
export interface NamedTable extends NumberedFile {
  /** Its entry in the MANIFEST, if there is one. */
  readonly live: LiveFile | undefined;
}

/** The files of a damaged database. */
export interface DamagedCatalog {
  readonly files: FileSet;
  /** True if all edits of the MANIFEST could be read. */
  readonly isWhole: boolean;
  readonly columns: readonly ManifestColumn[];
  readonly droppedIds: Numbers;
  /** The names of column families by id, from other MANIFESTs in the folder. RocksDB never reuses an id. */
  readonly olderNames: ReadonlyMap<number, string>;
  readonly tables: readonly NamedTable[];
  /** The tables in the MANIFEST that are missing in the folder. */
  readonly missing: readonly LiveFile[];
  /** The numbers of the write-ahead logs that may have rows, ascending. */
  readonly logs: readonly number[];
  /** The sequence number of the last write in the MANIFEST; undefined unless the MANIFEST is whole. */
  readonly lastSequence: number | undefined;
  /** The column families of the newest OPTIONS file, in the order of their ids; undefined if the MANIFEST is whole. */
  readonly optionsColumns: readonly string[] | undefined;
  readonly notes: readonly FileNote[];
}

/**
 * Finds the files of a damaged database. These are the files that the MANIFEST names. If it is damaged or missing, they
 * are all logs, and every table in the folder that none of its edits deleted.
 *
 * @throws MerostoreError FORMAT_UNSUPPORTED for a database that only RocksDB can read
 */
export async function readDamagedCatalog(files: FileSet): Promise<DamagedCatalog> {
  const names = await files.list();
  const manifests = filesOf("manifest", names).map(({ name }) => name);
  const current = await namedManifest(files).catch(unreadable);
  const notes: FileNote[] = [];
  let taken = manifests.find((name) => name === current);
  if (taken === undefined) {
    taken = manifests.at(-1);
    const instead = taken === undefined ? "there is no MANIFEST" : `${taken} was taken`;
    notes.push({
      file: "CURRENT",
      message: `${names.includes("CURRENT") ? "does not name a MANIFEST that is there" : "is not there"}: ${instead}`,
      lost: false,
    });
  }
  const whole = taken === undefined ? undefined : await readWholeCatalog(files, taken, notes);
  return whole ?? readPart(files, names, taken, notes);
}

/** Reads the catalog of an undamaged MANIFEST with all its edits; undefined if the MANIFEST is damaged. */
async function readWholeCatalog(
  files: FileSet,
  name: string,
  notes: FileNote[],
): Promise<DamagedCatalog | undefined> {
  let catalog: Catalog;
  try {
    catalog = await readCatalog(withCurrent(files, name));
  } catch (error) {
    notes.push({ file: name, message: damageOf(files, name, error), lost: false });
    return undefined;
  }
  const { manifest, manifestEnd, manifestLength } = catalog;
  if (manifestEnd < manifestLength) {
    const message = `its last ${manifestLength - manifestEnd} bytes never reached the disk, as after a power failure`;
    notes.push({ file: name, message, lost: false });
    return undefined;
  }
  const [reason] = manifest.unsupported;
  if (reason !== undefined) throw unsupported(files.where(name), reason);
  // Missing tables have their own findings.
  const named = manifest.liveFiles.map(({ number, size }) => {
    return { number, name: catalog.tables.get(number) ?? tableName(number), size };
  });
  const names = named.map(({ number, name }) => [number, name] as const);
  const sizes = new Map(named.map(({ name, size }) => [name, size]));
  const present = { ...catalog, tables: new NumberMap([...names, ...catalog.tables]) };
  const incomplete = await findIncompleteness(present, (table) => sizes.get(table));
  if (incomplete !== undefined) {
    notes.push({ file: name, message: damageOf(files, name, incomplete), lost: false });
    return undefined;
  }
  const elsewhere = findUnsupported(catalog);
  if (elsewhere !== undefined)
    notes.push({ file: catalog.optionsName ?? name, message: elsewhere.message, lost: true });
  if (lacksLog(catalog)) notes.push(withoutLog(name));
  const missing = manifest.liveFiles.filter(({ number }) => !catalog.tables.has(number));
  if (missing.length > 0) notes.push(...(await obsoleteLogs(catalog)));
  return {
    files,
    isWhole: true,
    columns: manifest.columns,
    droppedIds: new Set(),
    olderNames: new Map(),
    tables: manifest.liveFiles.flatMap((live) => {
      const table = catalog.tables.get(live.number);
      return table === undefined ? [] : [{ number: live.number, name: table, live }];
    }),
    missing,
    logs: neededLogs(catalog),
    lastSequence: lastInTables(manifest),
    optionsColumns: undefined,
    notes,
  };
}

/** Returns remarks about logs that still exist although their rows are in tables. */
async function obsoleteLogs({ files, logs, manifest }: Catalog): Promise<readonly FileNote[]> {
  const notes: FileNote[] = [];
  for (const log of logs) {
    const file = logName(log);
    if (log >= manifest.minLogNumber || ((await fileSize(files, file)) ?? 0) === 0) continue;
    const message =
      "the log is obsolete and was not read, but it may have rows of the missing tables: a copy of the folder without its MANIFEST is recovered with all logs";
    notes.push({ file, message, lost: false });
  }
  return notes;
}

function withoutLog(file: string): FileNote {
  const message = "a write-ahead log is missing: the newest writes were in it, unless it was empty";
  return { file, message, lost: true };
}

/** Finds the files with the readable part of a damaged MANIFEST. */
async function readPart(
  files: FileSet,
  names: readonly string[],
  manifestName: string | undefined,
  notes: FileNote[],
): Promise<DamagedCatalog> {
  const manifest = await partOf(files, manifestName);
  const [reason] = manifest.unsupported;
  if (reason !== undefined) throw unsupported(files.where(manifestName as string), reason);
  const live = new NumberMap(manifest.liveFiles.map((file) => [file.number, file]));
  const tables = filesOf("table", names)
    .filter(({ number }) => !manifest.deletedFiles.has(number))
    .map((file) => ({ ...file, live: live.get(file.number) }));
  const unknown = tables.filter((table) => table.live === undefined);
  if (unknown.length > 0)
    notes.push({
      file: manifestName ?? "CURRENT",
      message: `no readable edit names the ${unknown.length === 1 ? "table" : "tables"} ${unknown.map(({ name }) => name).join(", ")}: ${unknown.length === 1 ? "its" : "their"} rows were taken, and rows that were deleted or replaced before may be among them`,
      lost: false,
    });
  const options = await readOptions(files, filesOf("options", names).at(-1)?.name).catch(unreadable);
  const logs = filesOf("log", names).map(({ number }) => number);
  if (logs.length === 0 || lacksNewestLog(logs, manifest.columns))
    notes.push(withoutLog(manifestName ?? "CURRENT"));
  const present = new NumberMap(tables.map(({ number }) => [number, true]));
  return {
    files,
    isWhole: false,
    columns: manifest.columns,
    droppedIds: manifest.droppedIds,
    olderNames: await namesInOthers(files, names, manifestName),
    tables,
    missing: manifest.liveFiles.filter(({ number }) => !present.has(number)),
    logs,
    lastSequence: undefined,
    optionsColumns: options?.columns,
    notes,
  };
}

/** Reads the names of column families from the other MANIFESTs in the folder. The newest MANIFEST counts. */
async function namesInOthers(
  files: FileSet,
  names: readonly string[],
  taken: string | undefined,
): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>();
  for (const { name } of filesOf("manifest", names))
    if (name !== taken)
      for (const column of (await partOf(files, name)).columns) found.set(column.id, column.name);
  return found;
}

async function partOf(files: FileSet, name: string | undefined): Promise<PartOfManifest> {
  const records: (LogRecord | undefined)[] = [];
  try {
    const bytes = name === undefined ? undefined : await readWhole(files, name, MOST_BYTES.manifest);
    for (const { record } of salvageLog(bytes ?? new Uint8Array(0))) records.push(record);
  } catch (error) {
    unreadable(error);
  }
  return readPartOfManifest(records);
}

/** Describes the damage of a MANIFEST, without its path and without advice. */
function damageOf(files: FileSet, name: string, error: unknown): string {
  unreadable(error);
  const { message } = error as Error;
  const [sentence = message] = message.replace(`${files.where(name)} `, "").split(/\. (?=[A-Z])/);
  return sentence;
}

/** Ignores damage. @throws any other error */
function unreadable(error: unknown): undefined {
  if (!isDamage(error)) throw error;
}

/** Returns the files with a CURRENT that names the given MANIFEST. */
function withCurrent(files: FileSet, name: string): FileSet {
  const bytes = currentOf(name);
  return {
    name: files.name,
    where: (file) => files.where(file),
    list: () => files.list(),
    open: (file) => (file === "CURRENT" ? inMemory(bytes) : files.open(file)),
    ...(files.isAt && { isAt: (path: string) => files.isAt?.(path) === true }),
  };
}

function inMemory(bytes: Uint8Array): FileSource {
  const readNow = (offset: number, target: Uint8Array) => {
    target.set(bytes.subarray(offset, offset + target.length));
    return target;
  };
  return {
    size: bytes.length,
    read: async (at, target) => readNow(at, target),
    readNow,
    close: () => undefined,
  };
}
