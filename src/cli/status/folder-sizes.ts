/** The sizes of the files of a database: its tables, its logs, and the node's blobs. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { blobFolder } from "../../blobs/index.js";
import { kindOfLocation } from "../arguments/location.js";

/** The number of files of one sort, and their bytes together. */
export interface Files {
  files: number;
  bytes: number;
}

/** The files of a database in a folder. */
export interface FolderSizes {
  readonly tables: Files;
  readonly logs: Files;
  /** Undefined without a folder of blobs. */
  readonly blobs: Files | undefined;
}

/** The sizes of the files of a database; undefined for a database on a server or in an export. */
export async function folderSizes(path: string, blobs: string | undefined): Promise<FolderSizes | undefined> {
  if (kindOfLocation(path) !== "folder") return undefined;
  const sizes = { tables: none(), logs: none() };
  for (const name of readdirSync(path)) {
    const files = /\.(?:sst|blob|ldb)$/.test(name)
      ? sizes.tables
      : name.endsWith(".log")
        ? sizes.logs
        : undefined;
    // A running node may delete files meanwhile.
    const found = files && statSync(join(path, name), { throwIfNoEntry: false });
    if (files && found?.isFile()) add(files, found.size);
  }
  return { ...sizes, blobs: blobs === undefined ? undefined : await blobFiles(blobs) };
}

async function blobFiles(path: string): Promise<Files> {
  const files = none();
  const folder = await blobFolder(path);
  for await (const { kind, size } of folder.entries()) if (kind === "chunk") add(files, size);
  return files;
}

function none(): Files {
  return { files: 0, bytes: 0 };
}

function add(files: Files, bytes: number): void {
  files.files++;
  files.bytes += bytes;
}
