/** The server's answers about its databases and their files. */
import { type ServerRequests, unexpected } from "./server-requests.js";

/** A database that the server serves. Its place in the list is its number. */
export interface ServedDatabaseInfo {
  /** Its name for people. */
  readonly name: string;
  /** Its path as the user typed it. */
  readonly path: string;
  /** True if the blob files of its node are served too. */
  readonly blobs: boolean;
  /** True if the server has its master key; absent otherwise. */
  readonly key?: boolean;
}

/** A file in the list of a database's files. */
export interface ServedFileInfo {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** When it was last written, in milliseconds since 1970. */
  readonly modified: number;
  /** Tells apart the files that have had the same name. */
  readonly file: string;
}

/** @throws MerostoreError NETWORK_ERROR */
export async function requestDatabases(requests: ServerRequests): Promise<readonly ServedDatabaseInfo[]> {
  return listIn(await requests.json("/api/databases"), "databases", isDatabase);
}

/** @throws MerostoreError NETWORK_ERROR */
export async function requestFiles(
  requests: ServerRequests,
  database: number,
): Promise<readonly ServedFileInfo[]> {
  return listIn(await requests.json(`/api/databases/${database}/files`), "files", isFile);
}

function listIn<T>(answer: unknown, name: string, isEntry: (entry: unknown) => entry is T): readonly T[] {
  const list = isRecord(answer) ? answer[name] : undefined;
  if (!Array.isArray(list) || !list.every(isEntry)) throw unexpected();
  return list;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function isDatabase(value: unknown): value is ServedDatabaseInfo {
  return (
    isRecord(value) &&
    typeof value.name === "string" &&
    typeof value.path === "string" &&
    typeof value.blobs === "boolean" &&
    (value.key === undefined || typeof value.key === "boolean")
  );
}

function isFile(value: unknown): value is ServedFileInfo {
  return (
    isRecord(value) &&
    typeof value.name === "string" &&
    Number.isSafeInteger(value.size) &&
    (value.size as number) >= 0 &&
    typeof value.modified === "number" &&
    typeof value.file === "string"
  );
}
