/**
 * The list of the files of a backup, as JSON in its own file: HTTP cannot list a folder.
 *
 *     { "format": "merostore-files", "version": 1, "files": [{ "name": "CURRENT", "size": 16, "sha256": "…" }] }
 */
import { MerostoreError } from "../../errors.js";

/** The name of the file. */
export const FILES_INDEX = "merostore-files.json";

/** The most bytes of a list: about 100,000 files. */
export const MOST_INDEX_BYTES = 16 * 1024 * 1024;

/** The fewest bytes of an entry. */
const ENTRY_BYTES = 100;
/** The fewest characters `{`, `[` and `,` of an entry. */
const ENTRY_MARKS = 4;

/** The SHA-256 of no bytes. */
const OF_NOTHING = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

const FORMAT = "merostore-files";
const VERSION = 1;

/** A file in the list. */
export interface IndexedFile {
  /** Its name in the folder. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** The SHA-256 of its content, 64 hex digits. */
  readonly sha256: string;
}

/** Returns the list as the bytes of the file. */
export function writeFilesIndex(files: readonly IndexedFile[]): Uint8Array {
  const text = JSON.stringify({ format: FORMAT, version: VERSION, files }, undefined, 1);
  return new TextEncoder().encode(`${text}\n`);
}

/**
 * Reads the list.
 *
 * @param where the name of the file in messages
 * @throws MerostoreError DATABASE_DAMAGED, or FORMAT_UNSUPPORTED for an unknown version
 */
export function readFilesIndex(bytes: Uint8Array, where: string): ReadonlyMap<string, IndexedFile> {
  const index = parsed(bytes);
  if (!isRecord(index) || index.format !== FORMAT || !Array.isArray(index.files))
    throw new MerostoreError("DATABASE_DAMAGED", `${where} is not a list of files as a backup writes it`);
  if (index.version !== VERSION)
    throw new MerostoreError(
      "FORMAT_UNSUPPORTED",
      `${where} has the version ${JSON.stringify(index.version)}; this program reads version ${VERSION}`,
    );
  const files = new Map<string, IndexedFile>();
  for (const file of index.files) {
    if (!isFile(file) || files.has(file.name))
      throw new MerostoreError("DATABASE_DAMAGED", `${where} has an entry that does not describe one file`);
    files.set(file.name, { name: file.name, size: file.size, sha256: file.sha256 });
  }
  return files;
}

function parsed(bytes: Uint8Array): unknown {
  if (!isPlausible(bytes)) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/**
 * Returns true if the list has no more JSON values than its files need. Millions of empty values would take gigabytes
 * of memory.
 */
function isPlausible(bytes: Uint8Array): boolean {
  let left = 2 * ENTRY_MARKS + (ENTRY_MARKS * bytes.length) / ENTRY_BYTES;
  for (const byte of bytes) if (byte === 0x2c || byte === 0x5b || byte === 0x7b) left--;
  return left >= 0;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function isFile(value: unknown): value is IndexedFile {
  if (!isRecord(value)) return false;
  const { name, size, sha256 } = value;
  return (
    typeof name === "string" &&
    /^[\w.-]{1,100}$/.test(name) &&
    Number.isSafeInteger(size) &&
    (size as number) >= 0 &&
    typeof sha256 === "string" &&
    /^[0-9a-f]{64}$/.test(sha256) &&
    (size !== 0 || sha256 === OF_NOTHING)
  );
}
