/** The files of a folder, through the file system of Node. */

import {
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  readdirSync,
  read as readLater,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { shellQuoted } from "../bytes/shell-word.js";
import { codeOfSystem, invalidArgument, MerostoreError, orUndefined } from "../errors.js";
import { RESTORE } from "../lsm/damage.js";
import { endsEarly, type FileSet, type FileSource } from "../lsm/source.js";
import { checkOutsideDatabases, realPath } from "./outside.js";
import { kindAt, NotRegular, type OpenedFile, openRegular } from "./regular-file.js";

/** The most names in the search for a database in a folder. */
const LOOKED_AT = 1_000;

/** Returns the content of a path: nothing, a file, an empty folder, a folder without a database, or a database. */
export function contentOf(path: string): "missing" | "file" | "empty" | "other" | "database" {
  try {
    // With `throwIfNoEntry: false`, newer releases of Node do not tell a missing file from one below a file.
    if (!statSync(path).isDirectory()) return "file";
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return "missing";
    // A component of the path is a file.
    if (code === "ENOTDIR") return "file";
    throw refusal(path, error as NodeJS.ErrnoException);
  }
  const names = refusing(path, () => readdirSync(path));
  if (names.length === 0) return "empty";
  return names.includes("CURRENT") ? "database" : "other";
}

/** The files of a database that any engine opens. Engines rename their text logs before they open a database. */
const FILES = /^(?:CURRENT|IDENTITY|LOCK|MANIFEST-\d+|OPTIONS-\d+|\d+\.(?:log|sst|ldb|blob|dbtmp))$/;

/** The files among these that contain rows. */
const HOLDS_ROWS = /^\d+\.(?:log|sst)$/;

/** Returns whether engines read a file of this name in the folder of a database. */
export function isEngineFile(name: string): boolean {
  return FILES.test(name);
}

/**
 * Throws DATABASE_DAMAGED if a pipe, a folder or anything else that is not a regular file has the name of a database
 * file. A native engine would block on a pipe forever.
 */
export function checkRegular(path: string): void {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isFile() || !FILES.test(entry.name)) continue;
    const file = join(path, entry.name);
    const kind = refusing(file, () => kindAt(file)); // follows links
    if (kind !== "file" && kind !== "missing") throw noFile(`${file} is ${kind}, not a file`);
  }
}

/**
 * Throws DATABASE_NOT_FOUND or NOT_A_DATABASE unless there is a database at the path, and DATABASE_DAMAGED if one of
 * its files is not a regular file. The message names a subfolder that holds a database.
 *
 * @param kind the expected kind, for the message
 */
export function checkDatabase(path: string, kind: "RocksDB" | "LevelDB" = "RocksDB"): void {
  const found = contentOf(path);
  if (found === "database") {
    checkRegular(path);
    return;
  }
  if (found === "missing") {
    throw new MerostoreError("DATABASE_NOT_FOUND", `the folder ${path} does not exist`);
  }
  const why =
    found === "file"
      ? `${path} is a file; a ${kind} database is the folder that holds CURRENT`
      : isRocksBackup(path)
        ? `${path} holds backups of RocksDB's BackupEngine, whose tables are apart from the other files; RocksDB's own tool makes a database of one: ldb restore --backup_dir=${shellQuoted(path)} --db=NEW`
        : `${path} holds no ${kind} database: it has no file CURRENT${recoverable(path, kind)}`;
  const inside = databaseIn(path);
  throw new MerostoreError("NOT_A_DATABASE", inside === undefined ? why : `${why}; did you mean ${inside}?`);
}

/** Returns whether a folder has files with rows of RocksDB; false if it cannot be read. */
export function holdsRows(path: string): boolean {
  try {
    return readdirSync(path).some((name) => HOLDS_ROWS.test(name));
  } catch {
    return false;
  }
}

/** Returns whether a folder is one that RocksDB's BackupEngine fills. */
export function isRocksBackup(path: string): boolean {
  return ["meta", "private", "shared_checksum"].every((name) => existsSync(join(path, name)));
}

/** The advice about a folder without CURRENT. */
function recoverable(path: string, kind: string): string {
  return kind === "RocksDB" && holdsRows(path)
    ? "; `merostore recover DB NEW` makes a new database of the rows in its other files"
    : "";
}

/** Returns the first subfolder that holds a database, such as `data` in a node's home. */
export function databaseIn(path: string): string | undefined {
  const names = orUndefined(() => readdirSync(path))?.sort() ?? [];
  const folders = names.slice(0, LOOKED_AT).map((name) => join(path, name));
  return folders.find((folder) => existsSync(join(folder, "CURRENT")));
}

/** Returns whether a location is a URL of any server, and not a path. */
export function isUrl(location: string): boolean {
  return /^(?!file:)[a-z][\w+.-]+:\/\//i.test(location);
}

/**
 * Throws DATABASE_EXISTS or NOT_A_DATABASE unless a database can be created at the path, and INVALID_ARGUMENT if the
 * path, with links resolved, lies within another database.
 *
 * @param given the path as the caller named it
 */
export function checkFree(path: string, given = path): void {
  if (isUrl(given)) throw invalidArgument(`${given} is a URL, not the path of a folder`);
  checkOutsideDatabases(realPath(path), given);
  const found = contentOf(path);
  // A broken link could not be replaced by a folder.
  const isFree =
    found === "empty" || (found === "missing" && lstatSync(path, { throwIfNoEntry: false }) === undefined);
  if (isFree) return;
  if (found === "database")
    throw new MerostoreError("DATABASE_EXISTS", `${given} already holds a database: choose another path`);
  throw new MerostoreError(
    "NOT_A_DATABASE",
    `a database can only be created in a missing or empty folder: ${given} is neither`,
  );
}

/** The file that names the process that writes a database without RocksDB. RocksDB ignores a file of this name. */
export const WRITER_LOCK = "merostore-writer.json";

/** Returns whether a file is that lock, or a lock that is being taken. */
export function isWriterLock(name: string): boolean {
  return name === WRITER_LOCK || name.startsWith(`.${WRITER_LOCK}.writing-`);
}

/** Returns whether RocksDB writes a file of this name into the folder of a database. */
export function isDatabaseFile(name: string): boolean {
  return /^(CURRENT|IDENTITY|SESSION_ID|LOCK|LOG(\.old\.\d+)?|(MANIFEST|OPTIONS)-\d+(\.dbtmp)?|\d+\.(sst|log|blob|dbtmp))$/.test(
    name,
  );
}

/**
 * The files of a folder. Nothing is read before it is requested. A relative path or a link means its target at the time
 * of this call.
 *
 * @param name the path as the caller named it
 */
export function folderFiles(path: string, name = path): FileSet {
  return new Folder(realPath(path), name);
}

/** A folder, with links resolved, and its name as the caller gave it. */
export class Folder implements FileSet {
  readonly name: string;
  readonly isLive = true;
  readonly #path: string;

  constructor(path: string, name: string) {
    this.#path = path;
    this.name = name;
  }

  where(file: string): string {
    return join(this.name, file);
  }

  list(): readonly string[] {
    return refusing(this.name, () => readdirSync(this.#path));
  }

  open(file: string): FileSource | undefined {
    const name = this.where(file);
    return refusing(name, () => {
      const opened = openRegular(join(this.#path, file));
      return opened && new OpenFile(name, opened);
    });
  }

  isAt(path: string): boolean {
    try {
      return realpathSync(path) === this.#path;
    } catch {
      return false; // the folder is missing or unreadable
    }
  }
}

/** The operating system reads up to 2 GiB in one call. */
const LONGEST_CALL = 1024 * 1024 * 1024;

class OpenFile implements FileSource {
  readonly size: number;
  readonly #path: string;
  #descriptor: number | undefined;

  constructor(path: string, { descriptor, size }: OpenedFile) {
    this.#path = path;
    this.#descriptor = descriptor;
    this.size = size;
  }

  readNow(offset: number, target: Uint8Array): Uint8Array {
    return refusing(this.#path, () => {
      for (let done = 0; done < target.length; ) {
        const length = Math.min(target.length - done, LONGEST_CALL);
        const count = readSync(this.#open(), target, done, length, offset + done);
        done += this.#some(count, offset + done);
      }
      return target;
    });
  }

  async read(offset: number, target: Uint8Array): Promise<Uint8Array> {
    for (let done = 0; done < target.length; ) {
      const descriptor = this.#open();
      const length = Math.min(target.length - done, LONGEST_CALL);
      const count = await new Promise<number>((resolve, reject) => {
        readLater(descriptor, target, done, length, offset + done, (error, found) =>
          error === null ? resolve(found) : reject(refusal(this.#path, error)),
        );
      });
      done += this.#some(count, offset + done);
    }
    return target;
  }

  sizeNow(): number {
    return refusing(this.#path, () => fstatSync(this.#open()).size);
  }

  isReplaced(): boolean {
    return refusing(this.#path, () => {
      const { dev, ino } = fstatSync(this.#open(), { bigint: true });
      const named = statSync(this.#path, { bigint: true, throwIfNoEntry: false });
      return named !== undefined && (named.dev !== dev || named.ino !== ino);
    });
  }

  close(): void {
    if (this.#descriptor === undefined) return;
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #open(): number {
    if (this.#descriptor === undefined) throw new MerostoreError("CLOSED", `${this.#path} is closed`);
    return this.#descriptor;
  }

  #some(count: number, offset: number): number {
    if (count > 0) return count;
    throw endsEarly(this.#path, offset, `. ${RESTORE}`);
  }
}

function refusing<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof NotRegular) throw noFile(error.message);
    throw error instanceof MerostoreError ? error : refusal(path, error as NodeJS.ErrnoException);
  }
}

function noFile(what: string): MerostoreError {
  return new MerostoreError("DATABASE_DAMAGED", `${what}. ${RESTORE}`);
}

function refusal(path: string, error: NodeJS.ErrnoException): MerostoreError {
  const hint =
    error.code === "EMFILE" || error.code === "ENFILE" ? ". Raise the limit of open files (ulimit -n)" : "";
  return new MerostoreError(codeOfSystem(error), `${path} cannot be read: ${error.message}${hint}`, {
    cause: error,
  });
}
