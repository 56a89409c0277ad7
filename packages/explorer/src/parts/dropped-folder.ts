/** The files of a folder that a person dropped or picked. */
import type { DatabaseSource, FolderFile } from "../page/worker-client.js";

/** The name of a database of loose files. */
const LOOSE = "dropped files";

declare global {
  interface DataTransferItem {
    /** Not in every browser. */
    getAsFileSystemHandle?(): Promise<FileSystemHandle | null>;
  }
}

/** The source of a picked folder; undefined if nothing was picked. */
export function pickedFolder(files: FileList | null): DatabaseSource | undefined {
  if (files === null || files.length === 0) return undefined;
  const all = [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
  return folderSource(all);
}

/** Returns the source of a dropped folder, or of dropped files; undefined without files. */
export async function droppedFolder({ items }: DataTransfer): Promise<DatabaseSource | undefined> {
  // The browser empties the list after the first await.
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  // A page that was opened as a file may read handles, but no entries.
  const handles =
    location.protocol === "file:" ? [...items].flatMap((item) => item.getAsFileSystemHandle?.() ?? []) : [];
  const all: FolderFile[] = [];
  if (handles.length === 0) for (const entry of entries) await collect(entry, "", all);
  else for (const handle of await Promise.all(handles)) if (handle) await collectOf(handle, "", all);
  return all.length === 0 ? undefined : folderSource(all);
}

function folderSource(files: readonly FolderFile[]): DatabaseSource {
  return { from: "folder", name: folderName(files), files };
}

/** The name of the folder, or of the only file. Several files that were dropped without a folder have no name. */
function folderName(files: readonly Pick<FolderFile, "path">[]): string {
  const [folder, ...rest] = files[0]?.path.split("/") ?? [];
  return folder === undefined || (rest.length === 0 && files.length > 1) ? LOOSE : folder;
}

/** Collects the files of a handle. */
async function collectOf(handle: FileSystemHandle, folder: string, all: FolderFile[]): Promise<void> {
  const path = `${folder}${handle.name}`;
  if (isFileHandle(handle)) all.push({ path, file: await handle.getFile() });
  else if (isFolderHandle(handle))
    for await (const one of handle.values()) await collectOf(one, `${path}/`, all);
}

function isFileHandle(handle: FileSystemHandle): handle is FileSystemFileHandle {
  return handle.kind === "file";
}

function isFolderHandle(handle: FileSystemHandle): handle is FileSystemDirectoryHandle {
  return handle.kind === "directory";
}

async function collect(entry: FileSystemEntry, folder: string, all: FolderFile[]): Promise<void> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    all.push({ path: `${folder}${entry.name}`, file });
    return;
  }
  if (!isFolder(entry)) return;
  const reader = entry.createReader();
  for (;;) {
    // A browser lists a hundred at a time.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return;
    for (const one of some) await collect(one, `${folder}${entry.name}/`, all);
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
