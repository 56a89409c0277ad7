/** The sources of databases, and how the worker reads their files. */

import { type FileSet, httpFiles, type PickedFile, pickedFiles } from "merostore/engine/files";
import type { BlobFiles } from "merostore/verify";
import {
  type ServedDatabaseInfo,
  servedBlobs,
  servedDatabases,
  servedFiles,
  servedKey,
} from "../../client/index.js";
import type { FolderFile } from "./folder-file.js";
import { pickedBlobs } from "./picked-blobs.js";

/** The source of a database, as the page passes it to the worker. */
export type DatabaseSource = PlaceOfFiles & {
  /** True if it is opened without the rows of missing write-ahead logs. */
  readonly acceptLogLoss?: boolean;
};

type PlaceOfFiles =
  | { readonly from: "folder"; readonly name: string; readonly files: readonly FolderFile[] }
  | { readonly from: "url"; readonly url: string }
  | ServedSource;

/** A database that `merostore explore` serves with the page. */
export interface ServedSource {
  readonly from: "served";
  /** Its place among the served databases. */
  readonly index: number;
  readonly name: string;
  /** Its path as it was typed. */
  readonly path: string;
  readonly hasBlobs: boolean;
  /** True if the server has its master key. */
  readonly hasKey: boolean;
  /** The token for the server. */
  readonly token: string;
}

/** The server that the page came from. */
export const SERVER = "";

/** The databases that are served with the page. */
export async function servedSources(token: string): Promise<readonly ServedSource[]> {
  const databases: readonly ServedDatabaseInfo[] = await servedDatabases(SERVER, token);
  return databases.map(({ name, path, blobs, key = false }, index) => ({
    from: "served",
    ...{ index, name, path, hasBlobs: blobs, hasKey: key, token },
  }));
}

/** An opened source: the files of the database, and the files of its blobs if it has them. */
export interface OpenedSource {
  /** The name that the page shows. */
  readonly name: string;
  /** The database in the commands of views. */
  readonly location: string;
  readonly files: FileSet;
  readonly blobs: BlobFiles | undefined;
  /** The master key that is served with it. */
  readonly key?: Uint8Array | undefined;
}

/** Finds the files of a database and of its blobs. */
export async function openSource(source: DatabaseSource): Promise<OpenedSource> {
  if (source.from === "url") {
    const files = await httpFiles(source.url);
    return { name: nameInUrl(source.url), location: files.name, files, blobs: undefined };
  }
  if (source.from === "served") {
    const { index, name, path, hasBlobs, hasKey, token } = source;
    const blobs = hasBlobs ? servedBlobs(SERVER, index, token) : undefined;
    const key = hasKey ? await servedKey(SERVER, index, token) : undefined;
    return { name, location: path, files: servedFiles(SERVER, index, token, path), blobs, key };
  }
  const picked = source.files.map(asPicked);
  return {
    name: source.name,
    location: locationOf(source),
    files: pickedFiles(picked, source.name),
    blobs: pickedBlobs(source.files),
  };
}

function asPicked({ path, file }: FolderFile): PickedFile {
  return {
    name: file.name,
    size: file.size,
    webkitRelativePath: path,
    slice: (start, end) => file.slice(start, end),
  };
}

/** The folder with CURRENT, relative to the picked folder: the page never learns the path of that. */
function locationOf({ name, files }: { name: string; files: readonly FolderFile[] }): string {
  const paths = files.filter(({ file }) => file.name === "CURRENT").map(({ path }) => path);
  const [shortest] = paths.sort((a, b) => a.split("/").length - b.split("/").length);
  return shortest?.slice(0, -"/CURRENT".length) || name;
}

function nameInUrl(url: string): string {
  const { pathname, host } = new URL(url);
  const last = pathname.split("/").filter(Boolean).at(-1) ?? host;
  try {
    return decodeURIComponent(last);
  } catch {
    return last; // A % outside of an escape stays as it is.
  }
}
