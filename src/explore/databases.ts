/** The databases that the explorer's server serves, and the names of the served files in their folders. */
import { isEngineFile } from "../disk/folder.js";
import { KeptFiles } from "./kept-files.js";

/** A database to serve. */
export interface ExploredDatabase {
  /** Its name in the page. */
  readonly name: string;
  /** Its path as the user typed it. */
  readonly path: string;
  /** The folder that holds CURRENT. */
  readonly folder: string;
  /** The folder of the node's blob files; undefined if absent. */
  readonly blobs: string | undefined;
  /** The master key of a database that is encrypted at rest. It is overwritten when the server closes. */
  readonly key?: Uint8Array | undefined;
}

/** A database whose files are served. */
export interface ServedDatabase {
  readonly name: string;
  readonly path: string;
  readonly files: KeptFiles;
  /** Undefined if the database has no folder of blob files. */
  readonly blobs: KeptFiles | undefined;
  /** The master key, which the page decrypts values with; undefined without one. */
  readonly key: Uint8Array | undefined;
}

/** Descriptors that stay open for each database, and for each folder of blobs. */
const KEPT_FILES = 512;
const KEPT_BLOBS = 16;

/** A blob file has the id of its chunk as its name: base58, or 64 hex digits. */
const BLOB = /^(?:[1-9A-HJ-NP-Za-km-z]{1,44}|[0-9a-f]{64})$/;

/** A writer appends to these; all others stay as they are, or are replaced as a whole. */
const GROWS = /^MANIFEST-|\.log$/;

/**
 * Serves the files of a database. The paths of the folders are resolved now, and not again later.
 *
 * @throws the error of the system if a folder cannot be found
 */
export function servedDatabase({ name, path, folder, blobs, key }: ExploredDatabase): ServedDatabase {
  const files = new KeptFiles(folder, isEngineFile, (file) => GROWS.test(file), KEPT_FILES);
  try {
    return { name, path, files, blobs: blobs === undefined ? undefined : keptBlobs(blobs), key };
  } catch (error) {
    files.close();
    throw error;
  }
}

function keptBlobs(folder: string): KeptFiles {
  return new KeptFiles(
    folder,
    (name) => BLOB.test(name),
    () => false,
    KEPT_BLOBS,
  );
}
