/** Requests to a server that holds the files of a cloud. */
import { concatAll, isWholeNumber, MerostoreError, type OptionCheck } from "merostore/internal";
import type { ReadFile } from "../folder/file-store.js";

/** A request, without the headers that identify the sender. */
export interface StoreRequest {
  readonly method: "GET" | "HEAD" | "PUT" | "DELETE";
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: Uint8Array | undefined;
}

/** A part of a file that is read: see {@link FileStore.read}. */
interface FilePart {
  readonly most: number;
  readonly known: string | undefined;
  readonly from: number | undefined;
}

/** The server that requests go to. */
export interface StoreServer {
  /** The name of the server in messages. */
  readonly name: string;
  /** Milliseconds for a request and its answer. */
  readonly timeout: number;
  /** Ends the requests without a body. */
  readonly signal?: AbortSignal | undefined;
  /** Returns all headers of a request. */
  authorize(request: StoreRequest): Promise<Headers>;
  /** The reason for a refusal with the status 401 or 403: `refuses the token`. */
  refusal(response: Response): Promise<string>;
}

/** Milliseconds for a request unless the caller chooses. */
export const TIMEOUT = 60_000;

/** The check of the option `timeout`. */
export const isTimeout: OptionCheck = isWholeNumber(1, 2 ** 31 - 1);

/** Sends requests, without following redirects: these would send the credentials to another server. */
export class StoreRequests {
  readonly #server: StoreServer;
  /** The requests that the server's signal ends. A signal that lives long has one listener for all of them. */
  readonly #endings = new Set<AbortController>();

  constructor(server: StoreServer) {
    this.#server = server;
    server.signal?.addEventListener("abort", () => {
      for (const ending of this.#endings) ending.abort(server.signal?.reason);
    });
  }

  /**
   * Sends a request, and reads the answer if it has one of these statuses.
   *
   * @throws MerostoreError NETWORK_ERROR, PERMISSION_DENIED
   */
  async send<T>(
    request: StoreRequest,
    statuses: readonly number[],
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const { name, timeout, signal } = this.#server;
    const { url, method, body } = request;
    const ending = new AbortController();
    if (body === undefined) this.#endings.add(ending);
    if (body === undefined && signal?.aborted) ending.abort(signal.reason);
    const late = new DOMException("The operation was aborted due to timeout", "TimeoutError");
    const timer = setTimeout(() => ending.abort(late), timeout);
    let refused: string | undefined;
    let status: number;
    try {
      const response = await fetch(url, {
        ...{ method, redirect: "error", cache: "no-store", signal: ending.signal },
        headers: await this.#server.authorize(request),
        ...(body !== undefined && { body: body as Uint8Array<ArrayBuffer> }),
      });
      status = response.status;
      if (statuses.includes(status)) return await read(response);
      if (status === 401 || status === 403) refused = await this.#server.refusal(response);
    } catch (cause) {
      throw this.failed(url, reasonOf(cause), cause);
    } finally {
      clearTimeout(timer);
      this.#endings.delete(ending);
      // The rest of an answer that was not read would keep the connection.
      ending.abort();
    }
    if (refused !== undefined)
      throw new MerostoreError("PERMISSION_DENIED", `${name} ${refused} (status ${status})`);
    throw this.failed(
      url,
      status === 507 ? "it has no room (status 507)" : `it answers with status ${status}`,
    );
  }

  /**
   * Reads a part of a file, as {@link FileStore.read} does.
   *
   * @param sizeOf returns the size and the version of a file, if the answer to a range behind its end does not have
   * them
   */
  async readPart(
    url: URL,
    { most, known, from = 0 }: FilePart,
    sizeOf?: () => Promise<Omit<ReadFile, "bytes"> | undefined>,
  ): Promise<ReadFile | "unchanged" | undefined> {
    const headers = {
      range: `bytes=${from}-${from + most}`,
      ...(known !== undefined && { "if-none-match": known }),
    };
    const found = await this.send({ method: "GET", url, headers }, [206, 304, 404, 416], async (response) => {
      if (response.status === 304) return "unchanged";
      if (response.status === 404) return undefined;
      const isBehindEnd = response.status === 416;
      if (isBehindEnd && sizeOf !== undefined) return "behind its end";
      const range = /^bytes (?:(\d{1,15})-\d{1,15}|\*)\/(\d{1,15})$/.exec(
        response.headers.get("content-range") ?? "",
      );
      const version = response.headers.get("etag");
      if (range === null || version === null) throw new Error("the answer has no size or no version");
      const bytes = isBehindEnd ? new Uint8Array(0) : await bytesOf(response, most + 1);
      const size = Number(range[2]);
      // Wrong bytes would count as a damaged file, which is not read again until it changes.
      if (!isBehindEnd && (Number(range[1]) !== from || bytes.length !== Math.min(most + 1, size - from)))
        throw new Error("the answer does not have the bytes that were asked for");
      return { bytes, version, size, modified: modifiedOf(response) };
    });
    if (found !== "behind its end") return found;
    const file = await sizeOf?.();
    return file && (file.version === known ? "unchanged" : { ...file, bytes: new Uint8Array(0) });
  }

  /** Creates the error of a server that cannot be used now. */
  failed(url: URL, why: string, cause?: unknown): MerostoreError {
    return new MerostoreError("NETWORK_ERROR", `${url.origin}${url.pathname}: ${why}`, { cause });
  }
}

/** The time when a file was written, if the answer tells. */
export function modifiedOf({ headers }: Response): Date | undefined {
  const date = new Date(headers.get("last-modified") ?? "");
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** `fetch` hides its reason in the cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}

/** Returns the body of an answer. @throws Error if it has more bytes than expected */
export async function bytesOf(response: Response, most: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const { value } = (await reader?.read()) ?? {};
    if (value === undefined) return concatAll(pieces);
    length += value.length;
    if (length > most) throw new Error(`the answer has more than ${most} bytes`);
    pieces.push(value);
  }
}
