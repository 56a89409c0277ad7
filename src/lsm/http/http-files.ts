/** The files of a database in a folder of a web server or an object store. */

import { toHex } from "../../bytes/hex.js";
import { isUrlObject } from "../../bytes/realm.js";
import { sha256 } from "../../crypto/index.js";
import { MerostoreError } from "../../errors.js";
import { checkOptions, type OptionChecks } from "../../options.js";
import { endsEarly, type FileSet, type FileSource } from "../source.js";
import { FILES_INDEX, MOST_INDEX_BYTES, readFilesIndex } from "./files-index.js";
import { absoluteUrl, folderUrl } from "./folder-url.js";
import { type KnownFile, namedFiles } from "./named-files.js";
import { PageCache, PagedFile } from "./pages.js";
import { isOther, Requests, type Version } from "./requests.js";

/** Options for requests of files. */
export interface HttpOptions {
  /**
   * Headers of every request: `{ authorization: "Bearer …" }`. Redirects are followed, without the authorization if
   * they go to another host. With any other header, redirects are not followed.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Milliseconds without any byte from the server before a request is repeated. Default 30,000. A whole answer may take
   * this time plus a second for each 4,096 bytes.
   */
  readonly timeout?: number | undefined;
}

const checks: OptionChecks<HttpOptions> = {
  // Requests check the headers, and their errors never show the values.
  headers: () => undefined,
  timeout: (value) =>
    Number.isFinite(value) && Number(value) > 0 ? undefined : "a number of milliseconds above 0",
};

/** The bytes of files that are kept in memory. */
const CACHE_BYTES = 32 * 1024 * 1024;

/** Shorter files are read whole and kept: CURRENT is read twice. */
const SMALL = 64 * 1024;

/**
 * The files of a database on a web server: `https://…/backup/`. They must not change while they are read, like the
 * files of a backup. The backup's list of files is read first. Without that list, this asks the server for each
 * write-ahead log that may exist; {@link openFiles} refuses a database without its logs.
 *
 * Needs `fetch`. In a page the server must allow the page's origin (CORS), with the request headers `range` and
 * `if-range`, and should expose the response headers `content-range`, `etag` and `last-modified`.
 *
 * @param url the URL of the folder with CURRENT; in a page it may be relative. Its user and password are sent as basic
 *   authentication. Its query is added to the URL of each file, for signed URLs of object stores
 * @throws MerostoreError INVALID_ARGUMENT, NETWORK_ERROR; DATABASE_DAMAGED, FORMAT_UNSUPPORTED for the list of files
 * @example
 *     const engine = await openFiles(await httpFiles(new URL("backup/", document.baseURI)));
 */
export async function httpFiles(url: string | URL, options: HttpOptions = {}): Promise<FileSet> {
  checkOptions("httpFiles", options, checks);
  const { headers = {}, timeout = 30_000 } = options;
  const folder = folderUrl(isUrlObject(url) ? url.href : absoluteUrl(url));
  const requests = new Requests(folder, headers, timeout);
  const listed = await requests.whole(FILES_INDEX, MOST_INDEX_BYTES);
  if (listed !== undefined)
    return new HttpFiles(folder.name, requests, readFilesIndex(listed, requests.where(FILES_INDEX)));
  const { files, lastSought } = await namedFiles(requests);
  return new HttpFiles(folder.name, requests, files, lastSought);
}

class HttpFiles implements FileSet {
  readonly name: string;
  readonly isFar = true;
  readonly lastSought?: number;
  readonly #requests: Requests;
  readonly #files: Map<string, KnownFile>;
  readonly #cache = new PageCache(CACHE_BYTES);
  readonly #opened = new Map<string, HttpFile>();

  constructor(name: string, requests: Requests, files: ReadonlyMap<string, KnownFile>, lastSought?: number) {
    this.name = name;
    this.#requests = requests;
    this.#files = new Map(files);
    if (lastSought !== undefined) this.lastSought = lastSought;
  }

  where(file: string): string {
    return this.#requests.where(file);
  }

  list(): readonly string[] {
    return [...this.#files.keys()];
  }

  open(file: string): FileSource | undefined {
    const opened = this.#opened.get(file);
    const known = this.#files.get(file);
    if (opened !== undefined || known === undefined) return opened?.use();
    const source = new HttpFile(known, this.#requests, this.#cache);
    this.#opened.set(file, source);
    this.#files.set(file, { name: known.name, size: known.size });
    return source.use();
  }
}

class HttpFile implements FileSource {
  readonly size: number;
  readonly #file: Omit<KnownFile, "bytes">;
  readonly #requests: Requests;
  readonly #pages: PagedFile;
  #version: Version | undefined;
  /** The number of readers that have the file open. */
  #users = 0;
  #closing = new AbortController();
  #whole: Promise<Uint8Array> | undefined;

  constructor({ bytes, ...file }: KnownFile, requests: Requests, cache: PageCache) {
    this.size = file.size;
    this.#file = file;
    this.#requests = requests;
    this.#pages = new PagedFile(file.name, file.size, cache, (start, end) => this.#range(start, end));
    if (bytes !== undefined) this.#whole = Promise.resolve(bytes);
  }

  async read(offset: number, target: Uint8Array): Promise<Uint8Array> {
    const end = offset + target.length;
    if (end > this.size) throw endsEarly(this.#requests.where(this.#file.name), this.size);
    if (target.length === 0) return target;
    if (target.length < this.size && this.#whole === undefined) return this.#pages.read(offset, target);
    const whole = await (this.#whole ?? this.#readWhole());
    target.set(whole.subarray(offset, end));
    return target;
  }

  /** Adds a reader. */
  use(): this {
    this.#users++;
    return this;
  }

  /** Removes a reader. After the last one, ends requests that were begun ahead. */
  close(): void {
    this.#users--;
    if (this.#users > 0) return;
    if (this.size > SMALL) this.#whole = undefined;
    this.#closing.abort(new MerostoreError("CLOSED", `${this.#requests.where(this.#file.name)} is closed`));
    this.#closing = new AbortController();
  }

  async #range(start: number, end: number): Promise<Uint8Array> {
    const { name, size } = this.#file;
    if (this.#users === 0) throw new MerostoreError("CLOSED", `${this.#requests.where(name)} is closed`);
    const { signal } = this.#closing;
    const { bytes, tag, date } = await this.#requests.range(
      name,
      { start, end, size },
      this.#version,
      signal,
    );
    // Several first requests may have been sent at the same time.
    if (this.#version !== undefined && isOther(this.#version, { tag, date }))
      throw this.#requests.changed(name);
    this.#version ??= { tag, date };
    return bytes;
  }

  /** Reads the file with one request. A small one is kept. */
  async #readWhole(): Promise<Uint8Array> {
    const { name, size, sha256: expected } = this.#file;
    const reading = (async () => {
      const bytes = await this.#requests.whole(name, size);
      if (bytes?.length === size && (expected === undefined || toHex(sha256(bytes)) === expected))
        return bytes;
      throw new MerostoreError(
        "ENGINE_FAILED",
        `${this.#requests.where(name)} is not the file that ${FILES_INDEX} lists: the folder has changed since the backup was made. Make the backup again`,
      );
    })();
    if (size <= SMALL) this.#whole = reading;
    try {
      return await reading;
    } catch (error) {
      this.#whole = undefined;
      throw error;
    }
  }
}
