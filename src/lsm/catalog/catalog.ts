/**
 * The catalog of a database: its list of files, and the content of CURRENT, the MANIFEST and the newest OPTIONS file.
 */

import { NumberMap } from "../../bytes/number-map.js";
import { MerostoreError, type Warning } from "../../errors.js";
import { RESTORE, unsupported } from "../damage.js";
import { MalformedBytes, UnreadableFormat, UnsupportedFormat } from "../format/byte-cursor.js";
import { salvageLog } from "../format/damaged-log.js";
import { readLog } from "../format/log-records.js";
import { isBeforeRecord, isTornWrite, isUnsynced } from "../format/log-tail.js";
import { type Manifest, readManifest } from "../format/manifest.js";
import { type FileSet, readWhole } from "../source.js";
import { filesOf, manifestIn } from "./file-names.js";
import { type OptionsFile, readOptionsFile } from "./options-file.js";

/** A database at one moment. */
export interface Catalog {
  readonly files: FileSet;
  /** The name of the MANIFEST in CURRENT. */
  readonly manifestName: string;
  /** Its length in bytes when it was read. A live writer appends to it. */
  readonly manifestLength: number;
  /**
   * The number of its bytes before any that were never synced. It is the length of the file unless the writer was
   * killed.
   */
  readonly manifestEnd: number;
  readonly manifest: Manifest;
  /** The numbers of the existing write-ahead logs, ascending. */
  readonly logs: readonly number[];
  /** The names of the existing table files, by number. Old databases call them `.ldb`. */
  readonly tables: NumberMap<string>;
  /** The newest OPTIONS file; undefined if there is none. */
  readonly options: OptionsFile | undefined;
  readonly optionsName: string | undefined;
}

/** The maximum sizes of the small files of a database, in bytes. */
export const MOST_BYTES = {
  /** A name and a line feed. */
  current: 1024,
  /** About 4 KB for each column family. */
  options: 64 * 1024 * 1024,
  /** An id. */
  identity: 1024,
  /** RocksDB starts a new one at 1 GiB. */
  manifest: 1024 * 1024 * 1024 + 64 * 1024 * 1024,
} as const;

/** Thrown if the files no longer match the catalog because a writer is active. */
export class CatalogOutdated extends Error {}

/**
 * Reads CURRENT, the MANIFEST that it names, and the list of files.
 *
 * @throws MerostoreError DATABASE_DAMAGED, whose message names the unreadable file
 */
export async function readCatalog(files: FileSet): Promise<Catalog> {
  const manifestName = await readCurrent(files);
  const bytes = await readManifestFile(files, manifestName);
  if (bytes === undefined) {
    throw damaged(`${files.where(manifestName)}, which CURRENT names, is missing`, RESTORE);
  }
  const { manifest, end: manifestEnd } = parseManifest(files.where(manifestName), bytes);
  // The list is read after the MANIFEST. So a file that the MANIFEST names and the list lacks was deleted, and is not
  // about to be written.
  const names = await files.list();
  const optionsName = filesOf("options", names).at(-1)?.name;
  return {
    files,
    manifestName,
    manifestLength: bytes.length,
    manifestEnd,
    manifest,
    logs: filesOf("log", names).map(({ number }) => number),
    tables: new NumberMap(filesOf("table", names).map(({ number, name }) => [number, name])),
    options: await readOptions(files, optionsName),
    optionsName,
  };
}

/** Returns whether a MANIFEST ends with bytes that never reached the disk. */
export function endsUnsynced({ manifestLength, manifestEnd }: Catalog): boolean {
  return manifestEnd < manifestLength;
}

/** The warning that such an end was removed. */
export function manifestCut({ files, manifestName, manifestLength, manifestEnd }: Catalog): Warning {
  return {
    code: "MANIFEST_CUT",
    message: `the last ${manifestLength - manifestEnd} bytes of ${files.where(manifestName)} never reached the disk, as after a power failure: they were removed`,
  };
}

/**
 * Returns the content of CURRENT and the names and lengths of MANIFESTs and write-ahead logs, all of which a writer
 * changes. If it is equal at two moments, no writer changed the files in between.
 */
export async function fingerprint(files: FileSet): Promise<string> {
  const current = await readWhole(files, "CURRENT", MOST_BYTES.current);
  const all = await files.list();
  const lines = [new TextDecoder("latin1").decode(current)];
  for (const { name } of [...filesOf("manifest", all), ...filesOf("log", all)])
    lines.push(`${name}:${await fileSize(files, name)}`);
  return lines.join("\n");
}

/** Returns the numbers of the logs that are replayed at opening, ascending. */
export function neededLogs({ logs, manifest }: Pick<Catalog, "logs" | "manifest">): readonly number[] {
  return logs.filter((log) => log >= manifest.minLogNumber);
}

/** Returns the size of a file in bytes; undefined if it does not exist. */
export async function fileSize(files: FileSet, name: string): Promise<number | undefined> {
  const source = await files.open(name);
  source?.close();
  return source?.size;
}

/** Reads a MANIFEST; undefined if it does not exist. */
export function readManifestFile(files: FileSet, name: string): Promise<Uint8Array | undefined> {
  return readWhole(files, name, MOST_BYTES.manifest, (size) =>
    unsupported(
      files.where(name),
      new UnreadableFormat(
        `it has ${size} bytes`,
        "Open and close the database once with the program that wrote it, which starts a new one",
      ),
    ),
  );
}

/** Creates a DATABASE_DAMAGED error: what is wrong, then what to do. */
export function damaged(what: string, remedy: string, cause?: unknown): MerostoreError {
  return new MerostoreError("DATABASE_DAMAGED", `${what}. ${remedy}`, { cause });
}

/** Reads an OPTIONS file; undefined without a name, or if it does not exist. */
export async function readOptions(
  files: FileSet,
  name: string | undefined,
): Promise<OptionsFile | undefined> {
  const bytes = name === undefined ? undefined : await readWhole(files, name, MOST_BYTES.options);
  return bytes && readOptionsFile(new TextDecoder().decode(bytes));
}

/**
 * Returns the MANIFEST that CURRENT names; undefined if it is missing or names none.
 *
 * @throws MerostoreError as `readWhole`
 */
export async function namedManifest(files: FileSet): Promise<string | undefined> {
  const bytes = await readWhole(files, "CURRENT", MOST_BYTES.current);
  return bytes && manifestIn(bytes);
}

async function readCurrent(files: FileSet): Promise<string> {
  const name = await namedManifest(files);
  if (name !== undefined) return name;
  throw damaged(
    `${files.where("CURRENT")} does not name a MANIFEST`,
    `It must hold the name of the newest MANIFEST-… file and a line feed. ${RESTORE}`,
  );
}

/**
 * Returns the content of a MANIFEST, and the number of valid bytes. A killed writer leaves the beginning of a record at
 * the end, and after a power failure the disk may lack the last bytes. Neither was synced, so both count as never
 * written, as in RocksDB. This is safe: a writer deletes a file only after its replacement is synced, and
 * `findIncompleteness` detects a missing file. A whole record after a sector of zeros may have been synced, so that is
 * damage.
 *
 * @throws MerostoreError DATABASE_DAMAGED, whose message names the file
 */
export function parseManifest(
  file: string,
  bytes: Uint8Array,
): { readonly manifest: Manifest; readonly end: number } {
  const remedy = `Rows would be missing without it. ${RESTORE}`;
  try {
    const { records, end } = readLog(bytes);
    if (end.kind === "torn") {
      if (isTornWrite(bytes, end.offset)) return { manifest: readManifest(records, true), end: end.offset };
      throw damaged(`${file} is truncated: ${end.why}, at byte ${end.offset} of ${bytes.length}`, remedy);
    }
    const isDamaged = end.kind === "damaged";
    const unsynced = isDamaged && isUnsynced(bytes, end.offset) ? lastRecord(bytes, end.offset) : undefined;
    if (isDamaged && unsynced === undefined)
      throw damaged(`${file} is damaged at byte ${end.offset}: ${end.why}`, remedy);
    return { manifest: readManifest(records), end: unsynced ?? bytes.length };
  } catch (error) {
    // A MANIFEST is never compressed, so an unsupported log format is damage too.
    if (!(error instanceof MalformedBytes || error instanceof UnsupportedFormat)) throw error;
    throw damaged(`${file} is truncated, damaged or of an unknown kind: ${error.message}`, remedy, error);
  }
}

/** Returns where the damaged record begins; undefined if a whole record follows it that may have been synced. */
function lastRecord(bytes: Uint8Array, damage: number): number | undefined {
  let start = damage;
  for (const { record, gap } of salvageLog(bytes)) {
    if (gap !== undefined) start = Math.min(start, gap.offset);
    else if (record.offset > start && !isBeforeRecord(bytes, damage)) return undefined;
  }
  return start;
}
