/** The files of a folder, through the file system of Node. */

import { closeSync, fstatSync, openSync, readdirSync, read as readLater, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { MerostoreError } from "../../../errors.js";
import type { FileSet, FileSource } from "./source.js";

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
 * Throws DATABASE_NOT_FOUND or NOT_A_DATABASE unless there is a database at the path.
 *
 * @param kind what it should be, for the message
 */
export function checkDatabase(path: string, kind: "RocksDB" | "LevelDB" = "RocksDB"): void {
  const found = lookAt(path);
  if (found === "database") return;
  if (found === "missing") {
    throw new MerostoreError("DATABASE_NOT_FOUND", `there is no folder ${path}; nothing was created`);
  }
  const why =
    found === "file"
      ? `${path} is a file; a ${kind} database is the folder that holds CURRENT`
      : `${path} holds no ${kind} database: it has no file CURRENT`;
  throw new MerostoreError("NOT_A_DATABASE", why);
}

/** Throws DATABASE_EXISTS or NOT_A_DATABASE unless a database can be put at the path. */
export function checkFree(path: string): void {
  const found = lookAt(path);
  if (found === "missing" || found === "empty") return;
  if (found === "database")
    throw new MerostoreError("DATABASE_EXISTS", `${path} holds a database already: choose another place`);
  throw new MerostoreError(
    "NOT_A_DATABASE",
    `${path} is in use for something else: a database is made in a missing or empty folder`,
  );
}

/** Whether a file of this name is one that RocksDB writes into the folder of a database. */
export function isDatabaseFile(name: string): boolean {
  return /^(CURRENT|IDENTITY|SESSION_ID|LOCK|LOG(\.old\.\d+)?|(MANIFEST|OPTIONS)-\d+(\.dbtmp)?|\d+\.(sst|log|blob|dbtmp))$/.test(
    name,
  );
}

/** The files of the folder at a path. Nothing is read before it is asked for. */
export function folderFiles(path: string): FileSet {
  return new Folder(path);
}

class Folder implements FileSet {
  readonly name: string;

  constructor(path: string) {
    this.name = path;
  }

  where(file: string): string {
    return join(this.name, file);
  }

  list(): readonly string[] {
    return refusing(this.name, () => readdirSync(this.name));
  }

  open(file: string): FileSource | undefined {
    const path = this.where(file);
    return refusing(path, () => {
      let descriptor: number;
      try {
        descriptor = openSync(path, "r");
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
        throw error;
      }
      try {
        return new OpenFile(path, descriptor, fstatSync(descriptor).size);
      } catch (error) {
        closeSync(descriptor);
        throw error;
      }
    });
  }
}

class OpenFile implements FileSource {
  readonly size: number;
  readonly #path: string;
  #descriptor: number | undefined;

  constructor(path: string, descriptor: number, size: number) {
    this.#path = path;
    this.#descriptor = descriptor;
    this.size = size;
  }

  readNow(offset: number, target: Uint8Array): Uint8Array {
    return refusing(this.#path, () => {
      for (let done = 0; done < target.length; ) {
        const count = readSync(this.#open(), target, done, target.length - done, offset + done);
        done += this.#some(count, offset + done);
      }
      return target;
    });
  }

  async read(offset: number, target: Uint8Array): Promise<Uint8Array> {
    for (let done = 0; done < target.length; ) {
      const descriptor = this.#open();
      const count = await new Promise<number>((resolve, reject) => {
        readLater(descriptor, target, done, target.length - done, offset + done, (error, found) =>
          error === null ? resolve(found) : reject(refusal(this.#path, error)),
        );
      });
      done += this.#some(count, offset + done);
    }
    return target;
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
    throw new MerostoreError(
      "DATABASE_DAMAGED",
      `${this.#path} ends at byte ${offset}, where more was expected: it was cut. Restore the whole folder from a copy`,
    );
  }
}

function refusing<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof MerostoreError ? error : refusal(path, error as NodeJS.ErrnoException);
  }
}

function refusal(path: string, error: NodeJS.ErrnoException): MerostoreError {
  const hint =
    error.code === "EMFILE" || error.code === "ENFILE" ? ". Raise the limit of open files (ulimit -n)" : "";
  return new MerostoreError("ENGINE_FAILED", `${path} cannot be read: ${error.message}${hint}`, {
    cause: error,
  });
}
