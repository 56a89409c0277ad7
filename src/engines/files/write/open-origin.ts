/** Databases in the private file system of an origin, which only a page writes. */

import { type CreateOptions, checkAccess } from "../../../engine/arguments.js";
import { invalidArgument, MerostoreError } from "../../../errors.js";
import { fileSize, readCatalog } from "../../../lsm/catalog/catalog.js";
import { OriginFiles, type OriginFolder } from "../../../lsm/origin-files.js";
import { checkOptions, isFlag, isList, isOneOf, type OptionChecks } from "../../../options.js";
import type { FilesEngine } from "../files-engine.js";
import { type ReadOptions, readOptions } from "../state.js";
import { BEFORE_CURRENT, writeDatabase } from "./new-database.js";
import { openWritten } from "./open-written.js";

/** Options of {@link openOriginFolder}. */
export interface OriginOptions extends Omit<ReadOptions, "acceptLogLoss">, CreateOptions {
  /**
   * Cut off the end of a newest log that ends within its last write, as after a page was closed. No reader shows that
   * part.
   */
  readonly acceptLogLoss?: "unfinished" | undefined;
}

/** The checks of {@link OriginOptions}. */
const originOptions: OptionChecks<OriginOptions> = {
  ...readOptions,
  acceptLogLoss: isOneOf(["unfinished"]),
  create: isFlag,
  columns: isList,
};

/**
 * The milliseconds until the worker of a closed or reloaded page has ended: Chromium ends a busy worker after two
 * seconds.
 */
const LOCK_WAIT = 3000;

/** The parts of a browser's global object that are used here. */
interface Browser {
  readonly navigator?: {
    readonly locks: {
      request(
        name: string,
        options: { readonly signal?: AbortSignal },
        use: () => Promise<void>,
      ): Promise<unknown>;
    };
    readonly storage: {
      getDirectory(): Promise<{ resolve(folder: OriginFolder): Promise<readonly string[] | null> }>;
    };
  };
  readonly FileSystemFileHandle?: { readonly prototype: object };
}

/**
 * Opens a database for writing in a folder of the browser's private file system, or creates one there. It works only in
 * a dedicated worker, because only these can write files in place. The files are RocksDB files. While the database is
 * open, no other worker of the site can open it. Another worker is refused after three seconds, in which the worker of
 * a closed page ends.
 *
 * @throws MerostoreError DATABASE_LOCKED, DATABASE_EXISTS, NOT_A_DATABASE, LOG_DAMAGED, DATABASE_DAMAGED,
 *   FORMAT_UNSUPPORTED, ENGINE_FAILED; INVALID_ARGUMENT elsewhere than in such a worker, and for a folder that is not
 *   in that file system
 * @example
 *     const root = await navigator.storage.getDirectory();
 *     const folder = await root.getDirectoryHandle("db", { create: true });
 *     await using engine = await openOriginFolder(folder, { create: true, columns: ["Meta"] });
 */
export async function openOriginFolder(
  folder: OriginFolder,
  options: OriginOptions = {},
): Promise<FilesEngine> {
  checkOptions("openOriginFolder", options, originOptions);
  const { create, columns, acceptLogLoss, ...reading } = options;
  const created = checkAccess({ create, columns });
  const name = await nameOf(folder);
  const release = await takeLock(lockOf(name));
  if (release === undefined)
    throw new MerostoreError("DATABASE_LOCKED", `${name} is open for writing in a page of this site`);
  try {
    const files = new OriginFiles(folder, name);
    const isCreated = ((await fileSize(files, "CURRENT")) ?? 0) > 0;
    if (created !== undefined) await createIn(files, created, isCreated);
    else if (!isCreated)
      throw new MerostoreError("NOT_A_DATABASE", `${name} holds no RocksDB database: it has no file CURRENT`);
    const catalog = await readCatalog(files);
    return await openWritten(catalog, files, reading, acceptLogLoss ?? false, release);
  } catch (error) {
    await release();
    throw error;
  }
}

async function createIn(files: OriginFiles, columns: readonly string[], isCreated: boolean): Promise<void> {
  if (isCreated)
    throw new MerostoreError(
      "DATABASE_EXISTS",
      `${files.name} already holds a database: choose another folder`,
    );
  const left = await files.list();
  // Files of an unfinished creation have no rows.
  if (!left.every((name) => name === "CURRENT" || BEFORE_CURRENT.includes(name)))
    throw new MerostoreError(
      "NOT_A_DATABASE",
      `a database can only be created in an empty folder: ${files.name} is not empty`,
    );
  for (const name of left) await files.remove(name);
  await writeDatabase(files, columns);
}

/** Settles when no worker of the site has the database in a folder open. */
export async function untilOriginIsFree(folder: OriginFolder): Promise<void> {
  const name = await nameOf(folder);
  await locks().request(lockOf(name), {}, async () => undefined);
}

function lockOf(name: string): string {
  return `merostore ${name}`;
}

function locks(): NonNullable<Browser["navigator"]>["locks"] {
  return ((globalThis as Browser).navigator as NonNullable<Browser["navigator"]>).locks;
}

/** The path of a folder in the private file system. */
async function nameOf(folder: OriginFolder): Promise<string> {
  const { navigator, FileSystemFileHandle } = globalThis as Browser;
  if (navigator === undefined || !("createSyncAccessHandle" in (FileSystemFileHandle?.prototype ?? {})))
    throw invalidArgument("only a dedicated worker of a page with a secure address can write such a folder");
  const path = await (await navigator.storage.getDirectory()).resolve(folder);
  if (path === null) throw invalidArgument("the folder is not in the private file system of this site");
  return path.length === 0 ? "the private folder" : path.join("/");
}

/**
 * Takes a lock that ends with this worker at the latest. Returns a function that releases it; undefined if another
 * worker holds it longer than an ending worker would.
 */
function takeLock(name: string): Promise<(() => Promise<unknown>) | undefined> {
  return new Promise((resolve, reject) => {
    const hold = () =>
      new Promise<void>((free) => {
        resolve(() => {
          free();
          return ended;
        });
      });
    const signal = AbortSignal.timeout(LOCK_WAIT);
    const ended = locks().request(name, { signal }, hold);
    ended.catch((error) => (signal.aborted ? resolve(undefined) : reject(error)));
  });
}
