/** The files of a database that the explorer's server serves. */

import type { FileSet, FileSource } from "merostore/engine/files";
import { PageCache } from "merostore/internal";
import { requestFiles, type ServedFileInfo } from "./served-databases.js";
import { ServedFile, sizeOf } from "./served-file.js";
import { ServerRequests, unexpected } from "./server-requests.js";

/** Bytes of tables that are kept in memory. */
const CACHE_BYTES = 16 * 1024 * 1024;

/** The files of tables, which never change. */
const TABLE = /^\d+\.(?:sst|ldb)$/;

/**
 * The files of a database that `merostore explore` serves. They are live: `refresh()` of a store on them shows later
 * writes, and `watch` follows them. Needs `fetch`.
 *
 * @param base the origin of the server, `http://127.0.0.1:4567`; empty for that of the page
 * @param database its number, from 0
 * @param token the token in the fragment of the page's address
 * @param name the name of the database in messages
 */
export function servedFiles(base: string, database: number, token: string, name = "the database"): FileSet {
  return new ServedFiles(new ServerRequests(base, token), database, name);
}

class ServedFiles implements FileSet {
  readonly name: string;
  readonly isLive = true;
  readonly isFar = true;
  readonly #requests: ServerRequests;
  readonly #database: number;
  readonly #cache = new PageCache(CACHE_BYTES);
  /** Files that are open, by name. */
  readonly #open = new Map<string, Set<ServedFile>>();
  #listed: ReadonlyMap<string, ServedFileInfo> = new Map();

  constructor(requests: ServerRequests, database: number, name: string) {
    this.#requests = requests;
    this.#database = database;
    this.name = name;
  }

  where(file: string): string {
    return `${this.name}/${file}`;
  }

  /**
   * The names at this moment. The sizes of open files are as of this moment or later. The server reads all names before
   * the first size: if the list has a newer log, the size of the ended log before it is final.
   */
  async list(): Promise<readonly string[]> {
    const files = await requestFiles(this.#requests, this.#database);
    const listed = new Map(files.map((file) => [file.name, file]));
    const unlisted: ServedFile[] = [];
    for (const [name, opened] of this.#open) {
      if (TABLE.test(name)) continue;
      const found = listed.get(name);
      for (const file of opened)
        if (found?.file === file.version) file.grow(found.size);
        else {
          if (found !== undefined) file.replace();
          unlisted.push(file);
        }
    }
    await Promise.all(unlisted.map((file) => file.refresh()));
    this.#listed = listed;
    return [...listed.keys()];
  }

  async open(file: string): Promise<FileSource | undefined> {
    if (TABLE.test(file)) {
      const [opened] = this.#open.get(file) ?? [];
      // The server still has it.
      if (opened !== undefined && opened.version === this.#listed.get(file)?.file)
        return this.#opened(file, opened.version, opened.size);
    }
    const answer = await this.#requests.send(this.#pathOf(file), { method: "HEAD" });
    if (answer.status === 404) return undefined;
    const version = answer.headers.get("x-merostore-file");
    if (answer.status !== 200 || version === null) throw unexpected();
    return this.#opened(file, version, sizeOf(answer));
  }

  #opened(name: string, version: string, size: number): ServedFile {
    const place = {
      requests: this.#requests,
      path: `${this.#pathOf(name)}?file=${encodeURIComponent(version)}`,
      where: this.where(name),
    };
    const opened = this.#open.get(name) ?? new Set();
    const close = (file: ServedFile): void => {
      opened.delete(file);
      if (opened.size === 0 && this.#open.get(name) === opened) this.#open.delete(name);
    };
    const file = new ServedFile(place, version, size, TABLE.test(name) ? this.#cache : undefined, close);
    opened.add(file);
    this.#open.set(name, opened);
    return file;
  }

  #pathOf(file: string): string {
    return `/api/databases/${this.#database}/files/${encodeURIComponent(file)}`;
  }
}
