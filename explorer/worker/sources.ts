/** Where databases come from, and how the worker reads their files. */
import { type FileSet, httpFiles, type PickedFile, pickedFiles } from "merostore/engine/files";
import type { BlobFiles } from "merostore/verify";
import { pickedBlobs } from "./picked-blobs.js";

/** A file of a folder that a person picked or dropped. */
export interface FolderFile {
  /** Its path in the folder: `node/data/CURRENT`. */
  readonly path: string;
  /** Its content, which the browser reads when it is asked for. */
  readonly file: File;
}

/** Where a database is, as the page says it to the worker. */
export type DatabaseSource =
  | { readonly from: "folder"; readonly name: string; readonly files: readonly FolderFile[] }
  | { readonly from: "url"; readonly url: string };

/** What a source holds: the files of the database, and those of blobs where it has them. */
export interface OpenedSource {
  /** The name that the page shows. */
  readonly name: string;
  /** The database in the commands that print what a view shows. */
  readonly location: string;
  readonly files: FileSet;
  readonly blobs: BlobFiles | undefined;
}

/** Finds the files of a database and of its blobs. */
export async function openSource(source: DatabaseSource): Promise<OpenedSource> {
  if (source.from === "url") {
    const files = await httpFiles(source.url);
    return { name: nameInUrl(source.url), location: source.url, files, blobs: undefined };
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

/** The folder that holds CURRENT, from the picked one on: the page never learns where that is. */
function locationOf({ name, files }: { name: string; files: readonly FolderFile[] }): string {
  const paths = files.filter(({ file }) => file.name === "CURRENT").map(({ path }) => path);
  const [shortest] = paths.sort((a, b) => a.split("/").length - b.split("/").length);
  return shortest?.slice(0, -"/CURRENT".length) || name;
}

function nameInUrl(url: string): string {
  const { pathname, host } = new URL(url);
  return decodeURIComponent(pathname.split("/").filter(Boolean).at(-1) ?? host);
}
