/** Opens a database with the suitable engine: RocksDB's files in TypeScript, RocksDB itself, or a server. */

import { absoluteLocation, locationText, type PathOrUrl } from "../disk/location.js";
import { listsLocks } from "../disk/writer-lock.js";
import { checkAccess } from "../engine/arguments.js";
import type { Engine } from "../engine/engine.js";
import { invalidArgument, isMerostoreError, MerostoreError } from "../errors.js";
import { UnreadableFormat } from "../lsm/format/byte-cursor.js";
import { isHttpUrl } from "../lsm/http/index.js";
import { checkOptions, isFlag, isOneOf, isText, type OptionChecks } from "../options.js";
import { type FilesEngineOptions, openFilesEngine } from "./files/open-folder.js";
import { readOptions } from "./files/state.js";
import { isFamilyForms } from "./files/write/family-forms.js";
import { openRocksEngine, type RocksEngineOptions, rocksOptions } from "./rocksdb/open.js";
import { isPostgresUrl, postgresPackage } from "./server.js";

export type { PathOrUrl } from "../disk/location.js";
/** @internal */
export { absoluteLocation, isLocation } from "../disk/location.js";

/** The engines that open a folder. */
export const folderEngines = ["files", "rocksdb"] as const;

/** The reason for the engine `rocksdb` if only its lock keeps a node away. */
const NEEDS_LOCK =
  "this system does not tell whether a node has the database open; nodeIsStopped (--node-is-stopped) promises that none has";

/** Options of {@link openEngine}. By default it opens an existing database for reading. */
export interface EngineOptions
  extends RocksEngineOptions,
    Pick<FilesEngineOptions, "checksums" | "cacheBytes" | "nodeIsStopped" | "families"> {
  /**
   * Create a database and open it for writing: in a folder that is missing or empty, or on a server that does not have
   * the node yet. Requires `columns`.
   */
  readonly create?: boolean | undefined;
  /** The name of the rows' revision in a new database. A server stores it. */
  readonly revision?: string | undefined;
  /**
   * `files` is the engine on RocksDB's files. `rocksdb` is RocksDB itself, from the package `rocksdb-native`. The
   * default is `files`, unless it does not support a file. The default for writing an existing database is `rocksdb`,
   * whose lock a node respects, if the system does not show whether a node has the database open and `nodeIsStopped` is
   * not set.
   */
  readonly engine?: (typeof folderEngines)[number] | undefined;
}

/** The checks of {@link EngineOptions}. */
export const engineOptions: OptionChecks<EngineOptions> = {
  ...readOptions,
  ...rocksOptions,
  nodeIsStopped: isFlag,
  revision: isText,
  families: isFamilyForms,
  engine: isOneOf(folderEngines),
};

/**
 * Opens the database in a folder or on a server. Its `capabilities` name the engine, and the reason if it is not
 * `files`.
 *
 * @param location a folder, or a URL: `https://…` of a folder as `openFilesEngine` takes it, `postgres://…` if the
 *   package merostore-postgres is installed
 * @throws MerostoreError as {@link openFilesEngine}, {@link openRocksEngine} and `openPostgresEngine`;
 *   FORMAT_UNSUPPORTED if neither `files` nor `rocksdb` can open it; NATIVE_LOAD_FAILED if a package is missing
 */
export async function openEngine(location: PathOrUrl, options: EngineOptions = {}): Promise<Engine> {
  checkOptions("openEngine", options, engineOptions);
  const path = locationText(location);
  if (isPostgresUrl(path)) return openOnServer(path, options);
  const isHttp = isHttpUrl(path);
  if (!isHttp) checkAccess(options);
  const {
    engine,
    writable,
    checksums,
    cacheBytes,
    create,
    columns,
    acceptLogLoss,
    reason,
    nodeIsStopped,
    families,
  } = options;
  const writes = writable === true || create === true;
  if (isHttp && (writes || engine === "rocksdb"))
    throw invalidArgument(
      "a database on a web server can only be read, by the engine files: leave out writable, create and engine, or copy it to a folder",
    );
  if (engine === "rocksdb") {
    if (families !== undefined)
      throw invalidArgument(
        "only the engine files chooses the form of new tables: leave out families or engine",
      );
    return openRocksEngine(path, { writable, create, columns, acceptLogLoss, reason });
  }
  const place = absoluteLocation(path);
  const needsLock = engine === undefined && writable === true && nodeIsStopped !== true && !listsLocks();
  if (needsLock) return openInstead(place, { writable, acceptLogLoss }, invalidArgument(NEEDS_LOCK));
  try {
    return await openFilesEngine(path, {
      ...{ writable, checksums, cacheBytes, create, columns, families, nodeIsStopped },
      acceptLogLoss: writes ? acceptLogLoss : acceptLogLoss === true,
    });
  } catch (error) {
    const askRocks =
      isMerostoreError(error, "FORMAT_UNSUPPORTED") && !(error.cause instanceof UnreadableFormat);
    if (engine === "files" || isHttp || !askRocks) throw error;
    return openInstead(place, { writable, acceptLogLoss }, error);
  }
}

/** Opens a database on a server. Options about files have no effect there. */
async function openOnServer(
  url: string,
  { engine, writable, create, columns, revision, families }: EngineOptions,
): Promise<Engine> {
  if (families !== undefined)
    throw invalidArgument("a database on a server has no tables of RocksDB: leave out families");
  if (engine !== undefined)
    throw invalidArgument(`the engine ${engine} opens folders: leave it out for a database on a server`);
  const { openPostgresEngine } = await postgresPackage();
  return openPostgresEngine(url, {
    ...{ writable, create, revision },
    ...(columns && { columns }),
  });
}

/** Opens a database with RocksDB if the engine `files` does not support it. */
async function openInstead(
  path: string,
  options: RocksEngineOptions,
  reason: MerostoreError,
): Promise<Engine> {
  try {
    return await openRocksEngine(path, { ...options, reason: reason.message });
  } catch (error) {
    if (!isMerostoreError(error)) throw error;
    throw new MerostoreError(error.code, `${error.message} (RocksDB was asked, because ${reason.message})`, {
      cause: error,
    });
  }
}
