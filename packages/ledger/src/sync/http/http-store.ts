/**
 * Files on a server that {@link serveFiles} answers for. Each request has the header `Authorization: Bearer TOKEN`.
 *
 *     GET PATH      Range: bytes=a-b   206 with the bytes, ETag, Last-Modified and Content-Range; 304 if it has the
 *                                      version in If-None-Match; 416 if it ends before a; 404
 *     GET PATH/                        200, the names in the folder as a JSON array; none if it is missing
 *     PUT PATH                         204 when the file is durable
 *     DELETE PATH, DELETE PATH/        204: the file, or the empty folder, is not there
 *     OPTIONS PATH                     204 for pages of the site that the server allows; without the token
 */
import {
  checkOptions,
  describeValue,
  invalidArgument,
  type OptionChecks,
  orUndefined,
} from "merostore/internal";
import type { FileStore, ReadFile } from "../folder/file-store.js";
import { bytesOf, isTimeout, StoreRequests, TIMEOUT } from "./store-requests.js";

/** Options of {@link httpStore}. */
export interface HttpStoreOptions {
  /** The token of the server: 16 or more printable ASCII characters without spaces. It is sent with every request. */
  readonly token: string;
  /**
   * Milliseconds for a request and its answer: 60,000 unless given. A closing page waits at most 5,000 for its reads.
   */
  readonly timeout?: number | undefined;
}

const OPTIONS: OptionChecks<HttpStoreOptions> = {
  // Not described: a token must not be in a message.
  token: () => undefined,
  timeout: isTimeout,
};

/** The most bytes of the list of a folder that are read. */
const MOST_LIST = 64 << 20;

/**
 * Returns the files of a server, for {@link folderCloud}. `merostore-ledger serve` or {@link serveFiles} starts the
 * server.
 *
 * If the server cannot be reached or has no room (NETWORK_ERROR), the cloud tries again later. A server that refuses
 * the token is an error (PERMISSION_DENIED). Redirects are not followed: they would send the token to another server.
 *
 * @param url `https://example.org/ledger/`; over `http:` everybody on the way can read the token
 * @throws MerostoreError INVALID_ARGUMENT
 * @example
 * const store = httpStore("https://sync.example.org/", { token: "0123456789abcdef" });
 * const cloud = folderCloud(store, { key: "5f".repeat(32) });
 */
export function httpStore(url: string | URL, options: HttpStoreOptions): FileStore {
  checkOptions("httpStore", options, OPTIONS);
  checkToken({ ...options }.token);
  return new HttpStore(rootOf(url), options);
}

function rootOf(given: string | URL): URL {
  const url = URL.canParse(String(given)) ? new URL(String(given)) : undefined;
  const isPlain = url?.username === "" && url.password === "" && url.search === "" && url.hash === "";
  if (url === undefined || !isPlain || !/^https?:$/.test(url.protocol))
    throw invalidArgument(
      url === undefined
        ? `the URL of a server is http: or https:, not ${describeValue(given)}`
        : "the URL of a server is http: or https:, without user, password, query and fragment",
    );
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url;
}

class HttpStore implements FileStore {
  readonly name: string;
  readonly #root: URL;
  readonly #options: HttpStoreOptions;
  readonly #requests: StoreRequests;

  constructor(root: URL, options: HttpStoreOptions, signal?: AbortSignal) {
    const { token, timeout = TIMEOUT } = options;
    this.#options = options;
    this.name = root.href.slice(0, -1);
    this.#root = root;
    this.#requests = new StoreRequests({
      ...{ name: this.name, timeout, signal },
      authorize: async ({ headers }) => new Headers({ ...headers, authorization: `Bearer ${token}` }),
      refusal: async () => "refuses the token",
    });
  }

  async checkIsThere(): Promise<void> {
    await this.list("");
  }

  async list(folder: string): Promise<string[]> {
    const url = this.#url(folder === "" ? "" : `${folder}/`);
    const found = await this.#requests.send({ method: "GET", url }, [200, 404], async (response) =>
      response.status === 404 ? [] : parseNames(await bytesOf(response, MOST_LIST)),
    );
    if (found === undefined) throw this.#requests.failed(url, "the answer is not a list of names");
    return found;
  }

  read(
    path: string,
    most: number,
    known?: string,
    from?: number,
  ): Promise<ReadFile | "unchanged" | undefined> {
    return this.#requests.readPart(this.#url(path), { most, known, from });
  }

  async write(path: string, body: Uint8Array): Promise<void> {
    await this.#requests.send({ method: "PUT", url: this.#url(path), body }, [204], async () => undefined);
  }

  async remove(path: string): Promise<void> {
    await this.#requests.send({ method: "DELETE", url: this.#url(path) }, [204], async () => undefined);
  }

  removeEmpty(folder: string): Promise<void> {
    return this.remove(`${folder}/`);
  }

  within(signal: AbortSignal): FileStore {
    return new HttpStore(this.#root, this.#options, signal);
  }

  #url(path: string): URL {
    return new URL(path, this.#root);
  }
}

function parseNames(bytes: Uint8Array): string[] | undefined {
  const names = orUndefined((): unknown => JSON.parse(new TextDecoder().decode(bytes)));
  return Array.isArray(names) && names.every((name) => typeof name === "string") ? names : undefined;
}

/** Throws INVALID_ARGUMENT unless a value can be a token; the message does not quote it. */
export function checkToken(value: unknown): void {
  if (typeof value === "string" && /^[!-~]{16,}$/.test(value)) return;
  throw invalidArgument(
    "the token of a server is text of 16 or more printable ASCII characters without spaces",
  );
}
