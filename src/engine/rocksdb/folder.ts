/**
 * The files of a database folder: what is there, and what its CURRENT and MANIFEST say. Reads, never writes.
 * The few small files that opening needs are read synchronously: a round through the thread pool for each call costs
 * several times what reading them does.
 */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { MerostoreError } from "../../errors.js";
import { MalformedBytes } from "./byte-cursor.js";
import { readLog } from "./log-format.js";
import { type Manifest, readManifest } from "./manifest.js";

/** A database folder at one moment. */
export interface Folder {
  readonly path: string;
  /** Name of the MANIFEST that CURRENT names. */
  readonly manifestName: string;
  /** Its length in bytes when it was read: a live writer makes it longer. */
  readonly manifestLength: number;
  readonly manifest: Manifest;
  /** Numbers of the write-ahead logs on disk, ascending. */
  readonly logs: readonly number[];
  /** Numbers of the table files on disk, with the name of each: old databases call them `.ldb`. */
  readonly tables: ReadonlyMap<number, string>;
  /** The column families that the newest OPTIONS file lists; undefined when there is no such file. */
  readonly optionsColumns: readonly string[] | undefined;
  readonly optionsName: string | undefined;
}

/** What is at a path: nothing, something that is not a folder, a folder without a database, or a database. */
export function lookAt(path: string): "missing" | "file" | "empty" | "other" | "database" {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return "missing";
    if (!found.isDirectory()) return "file";
  } catch (error) {
    // A file in the place of a folder on the way.
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return "file";
    throw error;
  }
  const names = readdirSync(path);
  if (names.length === 0) return "empty";
  return names.includes("CURRENT") ? "database" : "other";
}

/**
 * Reads CURRENT, the MANIFEST that it names, and the list of files.
 *
 * @throws MerostoreError DATABASE_DAMAGED naming the file that cannot be read
 */
export function readFolder(path: string): Folder {
  const manifestName = readCurrent(path);
  const bytes = unlessAbsent(() => readFileSync(join(path, manifestName)));
  if (bytes === undefined) {
    throw damaged(`${join(path, manifestName)}, which CURRENT names, is missing`, "Restore it from a copy.");
  }
  // The list is read after the MANIFEST: a file that it names and that is gone was deleted, not yet to be written.
  const names = readdirSync(path);
  const optionsName = newest(names, /^OPTIONS-(\d+)$/);
  return {
    path,
    manifestName,
    manifestLength: bytes.length,
    manifest: parseManifest(join(path, manifestName), bytes),
    logs: numbered(names, /^(\d+)\.log$/).map(({ number }) => number),
    tables: new Map(numbered(names, /^(\d+)\.(?:sst|ldb)$/).map(({ number, name }) => [number, name])),
    optionsColumns: optionsName === undefined ? undefined : readOptions(join(path, optionsName)),
    optionsName,
  };
}

/**
 * Names and lengths of what a writer changes: CURRENT's content, MANIFESTs, write-ahead logs. Equal at two moments: what
 * was found in between is the state of the files, and not of a writer at work.
 */
export async function fingerprint(path: string): Promise<string> {
  const current = await readFile(join(path, "CURRENT"), "latin1").catch(absent);
  const names = (await readdir(path)).filter((name) => /^MANIFEST-\d+$|^\d+\.log$/.test(name)).sort();
  const files = names.map(async (name) => `${name}:${(await stat(join(path, name)).catch(absent))?.size}`);
  return [current, ...(await Promise.all(files))].join("\n");
}

/** The name of a write-ahead log: at least six digits. */
export function logName(number: number): string {
  return `${String(number).padStart(6, "0")}.log`;
}

/** The name that RocksDB gives a table file. */
export function tableName(number: number): string {
  return `${String(number).padStart(6, "0")}.sst`;
}

/** The column families that an OPTIONS file lists, in its order. It writes some characters with a backslash before. */
export function columnsOfOptions(text: string): string[] {
  const escaped: Record<string, string> = { n: "\n", r: "\r" };
  return Array.from(text.matchAll(/^\[CFOptions "(.*)"\]\s*$/gm), (match) =>
    (match[1] as string).replace(/\\(.)/g, (_, character: string) => escaped[character] ?? character),
  );
}

function readOptions(file: string): string[] | undefined {
  const text = unlessAbsent(() => readFileSync(file, "utf8"));
  return text === undefined ? undefined : columnsOfOptions(text);
}

/** A DATABASE_DAMAGED error: what is wrong, then what to do. */
export function damaged(what: string, remedy: string, cause?: unknown): MerostoreError {
  return new MerostoreError("DATABASE_DAMAGED", `${what}. ${remedy}`, { cause });
}

function readCurrent(path: string): string {
  const file = join(path, "CURRENT");
  const text = readFileSync(file, "latin1");
  const name = /^(MANIFEST-\d+)\n$/.exec(text)?.[1];
  if (name !== undefined) return name;
  throw damaged(
    `${file} does not name a MANIFEST`,
    "It must hold the name of the newest MANIFEST-… file and a line feed: restore it from a copy.",
  );
}

function parseManifest(file: string, bytes: Uint8Array): Manifest {
  const remedy =
    "Rows would be missing without it: restore the whole folder from a copy, or repair the database with RocksDB's ldb.";
  const { records, end } = readLog(bytes);
  if (end.kind === "torn") {
    throw damaged(
      `${file} is cut: ${end.why}, at byte ${end.offset} of ${bytes.length}`,
      `${remedy} After a power failure the record may never have been complete: then opening the database once with the node drops it.`,
    );
  }
  if (end.kind === "damaged") throw damaged(`${file} is damaged at byte ${end.offset}: ${end.why}`, remedy);
  try {
    return readManifest(records);
  } catch (error) {
    if (!(error instanceof MalformedBytes)) throw error;
    throw damaged(`${file} is cut, damaged or of a kind not known here: ${error.message}`, remedy, error);
  }
}

function numbered(names: readonly string[], pattern: RegExp): { number: number; name: string }[] {
  return names
    .flatMap((name) => {
      const digits = pattern.exec(name)?.[1];
      return digits === undefined ? [] : [{ number: Number(digits), name }];
    })
    .sort((a, b) => a.number - b.number);
}

function newest(names: readonly string[], pattern: RegExp): string | undefined {
  return numbered(names, pattern).at(-1)?.name;
}

function unlessAbsent<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    return absent(error as NodeJS.ErrnoException);
  }
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT") return undefined;
  throw error;
}
