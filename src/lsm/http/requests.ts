/** Requests for whole files and for parts of them. */
import { grown } from "../../bytes/bytes.js";
import { invalidArgument, MerostoreError } from "../../errors.js";
import type { FolderUrl } from "./folder-url.js";
import { Passing, repeated } from "./retries.js";

/** The milliseconds before each repetition of a request. */
const WAITS = [100, 400, 1600];

/**
 * The first size of the buffer for a body. It doubles as the body grows, because the length that a server states is not
 * trusted.
 */
const FIRST_BYTES = 64 * 1024;

/** Statuses after which a request is repeated: the server is busy or fails for a moment. */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);

/** The version of a file, as the server states it. */
export interface Version {
  /** `ETag`, strong or weak. */
  readonly tag: string | undefined;
  /** `Last-Modified`. */
  readonly date: string | undefined;
}

/** The bytes of a file from `start` to before `end`. */
interface FileRange {
  readonly start: number;
  readonly end: number;
  /** The bytes of the whole file. */
  readonly size: number;
}

/** A part of a file, and the version of the file. */
interface FilePart extends Version {
  readonly bytes: Uint8Array;
}

/** Requests to one folder. */
export class Requests {
  readonly #folder: FolderUrl;
  readonly #headers: Headers;
  /**
   * `fetch` does not send the header `authorization` to another host, but it sends any other header to every host that
   * a redirect names.
   */
  readonly #redirect: "error" | "follow";
  readonly #timeout: number;

  /**
   * @param timeout milliseconds for which a server may send nothing
   * @throws MerostoreError INVALID_ARGUMENT for headers that cannot be sent
   */
  constructor(folder: FolderUrl, headers: Readonly<Record<string, string>>, timeout: number) {
    this.#folder = folder;
    this.#headers = new Headers();
    if (folder.authorization !== undefined) this.#headers.set("authorization", folder.authorization);
    for (const [name, value] of Object.entries(headers)) setHeader(this.#headers, name, value);
    const isOwn = (name: string): boolean => name.toLowerCase() !== "authorization";
    this.#redirect = Object.keys(headers).some(isOwn) ? "error" : "follow";
    this.#timeout = timeout;
  }

  /**
   * Reads a whole file; undefined if the server does not have it.
   *
   * @param most the maximum size of such a file in bytes
   * @throws MerostoreError NETWORK_ERROR, DATABASE_DAMAGED for a longer file
   */
  whole(file: string, most: number): Promise<Uint8Array | undefined> {
    return this.#repeat(file, async (progress, signal) => {
      const response = await this.#fetch(file, {}, signal);
      if (response.status === 404 || response.status === 410) {
        await response.body?.cancel();
        return undefined;
      }
      await this.#checkStatus(file, response, 200);
      const bytes = await this.#body(file, response, most, progress);
      if (bytes === undefined)
        throw new MerostoreError(
          "DATABASE_DAMAGED",
          `${this.where(file)} has more than ${most} bytes, too many for such a file`,
        );
      return bytes;
    });
  }

  /**
   * Reads a part of a file.
   *
   * @param version the version in an earlier answer; undefined before the first answer
   * @param closing ends the request; its reason becomes the error
   * @throws MerostoreError NETWORK_ERROR, ENGINE_FAILED if the file has changed
   */
  range(
    file: string,
    part: FileRange,
    version: Version | undefined,
    closing: AbortSignal,
  ): Promise<FilePart> {
    const { start, end } = part;
    const request = async (progress: (bytes: number) => void, signal: AbortSignal): Promise<FilePart> => {
      const headers: Record<string, string> = { range: `bytes=${start}-${end - 1}` };
      const validator = version && validatorOf(version);
      if (validator !== undefined) headers["if-range"] = validator;
      const response = await this.#fetch(file, headers, signal);
      if (response.status === 404 || response.status === 412 || response.status === 416) {
        await response.body?.cancel();
        throw this.changed(file);
      }
      if (response.status === 200) {
        await response.body?.cancel();
        if (validator !== undefined && validatorOf(versionOf(response)) !== validator)
          throw this.changed(file);
        throw new MerostoreError(
          "NETWORK_ERROR",
          `${this.where(file)} cannot be read in parts: the server does not answer range requests. Serve the folder with a server that does, such as nginx or an object store, or copy it`,
        );
      }
      await this.#checkStatus(file, response, 206);
      const found = versionOf(response);
      if (version !== undefined && isOther(version, found)) {
        await response.body?.cancel();
        throw this.changed(file);
      }
      await this.#checkRange(file, response, part);
      const bytes = await this.#body(file, response, end - start, progress);
      if (bytes === undefined)
        throw this.#refused(file, `sends more than the ${end - start} bytes requested`);
      if (bytes.length < end - start) throw new Passing(`the answer ends after ${bytes.length} bytes`);
      return { bytes, ...found };
    };
    return this.#repeat(file, request, closing);
  }

  /** Returns the name of a file in messages. */
  where(file: string): string {
    return this.#folder.name + file;
  }

  #repeat<T>(
    file: string,
    send: (progress: (bytes: number) => void, signal: AbortSignal) => Promise<T>,
    closing?: AbortSignal,
  ): Promise<T> {
    const failed = (cause: unknown): MerostoreError =>
      new MerostoreError("NETWORK_ERROR", `${this.where(file)} cannot be read: ${reasonOf(cause)}`, {
        cause,
      });
    return repeated({ waits: WAITS, timeout: this.#timeout }, send, failed, closing);
  }

  #fetch(file: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response> {
    // Compressed answers would have other lengths and offsets. Browsers set this header themselves.
    const all = new Headers(this.#headers);
    for (const [name, value] of Object.entries({ ...headers, "accept-encoding": "identity" }))
      all.set(name, value);
    return fetch(this.#folder.of(file), { headers: all, redirect: this.#redirect, signal });
  }

  async #checkStatus(file: string, response: Response, expected: number): Promise<void> {
    const { status } = response;
    if (status === expected) return;
    await response.body?.cancel();
    if (PASSING.has(status)) throw new Passing(`the server answers ${statusText(response)}`);
    throw this.#refused(file, `answers ${statusText(response)}`);
  }

  /** A browser hides the header unless the server exposes it. The length is always checked. */
  async #checkRange(file: string, response: Response, { start, end, size }: FileRange): Promise<void> {
    const header = response.headers.get("content-range");
    if (header === null) return;
    const [, first, last, all] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(header) ?? [];
    if (Number(first) === start && Number(last) === end - 1 && (all === "*" || Number(all) === size)) return;
    await response.body?.cancel();
    if (Number(first) === start && all !== "*" && all !== undefined && Number(all) !== size)
      throw this.changed(file);
    const sent = JSON.stringify(header.slice(0, 60));
    throw this.#refused(
      file,
      `answers with the range ${sent} where ${start}-${end - 1}/${size} was requested`,
    );
  }

  /** Reads the body; undefined if it is longer than `most` bytes. */
  async #body(
    file: string,
    response: Response,
    most: number,
    progress: (bytes: number) => void,
  ): Promise<Uint8Array | undefined> {
    if (response.headers.get("content-encoding") !== null && response.status === 206)
      throw this.#refused(file, "compresses parts of files");
    let bytes = new Uint8Array(0);
    let length = 0;
    const reader = response.body?.getReader();
    for (;;) {
      const { value } = (await reader?.read()) ?? {};
      if (value === undefined) break;
      progress(value.length);
      const start = length;
      length += value.length;
      if (length > most) {
        await reader?.cancel();
        return undefined;
      }
      if (length > bytes.length)
        bytes = grown(bytes, new Uint8Array(Math.min(most, Math.max(length, 2 * start, FIRST_BYTES))));
      bytes.set(value, start);
    }
    return bytes.subarray(0, length);
  }

  #refused(file: string, what: string): MerostoreError {
    return new MerostoreError("NETWORK_ERROR", `${this.where(file)} cannot be read: the server ${what}`);
  }

  /** Creates the error about a changed file. */
  changed(file: string): MerostoreError {
    return new MerostoreError(
      "ENGINE_FAILED",
      `${this.where(file)} has changed since the database was opened, or is not the file of ${this.#folder.name}: open it again`,
    );
  }
}

/**
 * Returns true if two answers have different versions of a file. An answer to `If-Range` may lack the date, but not the
 * tag.
 */
export function isOther(before: Version, now: Version): boolean {
  if (before.tag !== now.tag) return true;
  return before.date !== undefined && now.date !== undefined && before.date !== now.date;
}

function versionOf({ headers }: Response): Version {
  return { tag: headers.get("etag") ?? undefined, date: headers.get("last-modified") ?? undefined };
}

/** Returns the value for `If-Range`. A weak ETag does not identify the bytes. */
function validatorOf({ tag, date }: Version): string | undefined {
  return tag?.startsWith('"') ? tag : date;
}

/** Sets a header. The error of `Headers` would show the value, which is secret. */
function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw invalidArgument("a header of the requests has a name or a value that cannot be sent");
  }
}

function statusText({ status, statusText }: Response): string {
  return /^[\x20-\x7e]{1,40}$/.test(statusText) ? `${status} ${statusText}` : `${status}`;
}

/** Returns the reason of a failure. `fetch` has it in the cause of its error, for example ECONNREFUSED. */
function reasonOf(error: unknown): string {
  const { cause } = error as { readonly cause?: { readonly code?: unknown; readonly message?: unknown } };
  if (typeof cause?.code === "string") return `the connection failed with ${cause.code}`;
  if (error instanceof Passing) return error.message;
  if (cause?.message === "unexpected redirect")
    return "the server redirects, which is not followed with headers of your own: they would go to any host";
  return "the connection failed";
}
