/** Files on a server that {@link serveFiles} answers for. */
import {
  checkOptions,
  concatAll,
  describeValue,
  isWholeNumber,
  MerostoreError,
  type OptionChecks,
} from "merostore/internal";
import type { FileStore, ReadFile } from "../folder/file-store.js";
import { checkToken } from "./protocol.js";

/** Options of {@link httpStore}. */
export interface HttpStoreOptions {
  /** The token of the server: 16 or more printable ASCII characters without spaces. It is sent with every request. */
  readonly token: string;
  /** Milliseconds for a request and its answer: 60,000 unless given. */
  readonly timeout?: number | undefined;
}

const OPTIONS: OptionChecks<HttpStoreOptions> = {
  // Not described: a token must not be in a message.
  token: () => undefined,
  timeout: isWholeNumber(1, 2 ** 31 - 1),
};

/** Bytes of the list of a folder that are read at most. */
const MOST_LIST = 64 << 20;

/**
 * Returns the files of a server, for {@link folderCloud}. `merostore-ledger serve` or {@link serveFiles} starts the server.
 *
 * If the server cannot be reached or has no room (NETWORK_ERROR), the cloud tries again later. A server that refuses the token is an
 * error (PERMISSION_DENIED). Redirects are not followed: they would send the token to another server.
 *
 * @param url `https://example.org/ledger/`; over `http:` everybody on the way can read the token
 * @throws MerostoreError INVALID_ARGUMENT
 * @example
 * const store = httpStore("https://sync.example.org/", { token: "0123456789abcdef" });
 * const cloud = folderCloud(store, { key: "5f".repeat(32) });
 */
export function httpStore(url: string | URL, options: HttpStoreOptions): FileStore {
  checkOptions("httpStore", options, OPTIONS);
  checkToken(options.token);
  return new HttpStore(rootOf(url), options);
}

function rootOf(given: string | URL): URL {
  const url = URL.canParse(String(given)) ? new URL(String(given)) : undefined;
  const isPlain = url?.username === "" && url.password === "" && url.search === "" && url.hash === "";
  if (url === undefined || !isPlain || !/^https?:$/.test(url.protocol))
    throw new MerostoreError(
      "INVALID_ARGUMENT",
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
  readonly #token: string;
  readonly #timeout: number;

  constructor(root: URL, { token, timeout = 60_000 }: HttpStoreOptions) {
    this.name = root.href.slice(0, -1);
    this.#root = root;
    this.#token = token;
    this.#timeout = timeout;
  }

  async checkIsThere(): Promise<void> {
    await this.list("");
  }

  async list(folder: string): Promise<string[]> {
    const path = folder === "" ? "" : `${folder}/`;
    const found = await this.#send("GET", path, [200, 404], async (response) =>
      response.status === 404 ? [] : parseNames(await bytesOf(response, MOST_LIST)),
    );
    if (found === undefined) throw this.#failed(path, "the answer is not a list of names");
    return found;
  }

  read(path: string, most: number, known?: string, from = 0): Promise<ReadFile | "unchanged" | undefined> {
    const headers = {
      range: `bytes=${from}-${from + most}`,
      ...(known !== undefined && { "if-none-match": known }),
    };
    return this.#send(
      "GET",
      path,
      [206, 304, 404, 416],
      async (response) => {
        if (response.status === 304) return "unchanged";
        if (response.status === 404) return undefined;
        const size = Number(
          /^bytes (?:\d+-\d+|\*)\/(\d{1,15})$/.exec(response.headers.get("content-range") ?? "")?.[1],
        );
        const version = response.headers.get("etag");
        if (Number.isNaN(size) || version === null) throw new Error("the answer has no size or no version");
        const bytes = response.status === 416 ? new Uint8Array(0) : await bytesOf(response, most + 1);
        return { bytes, version, size };
      },
      { headers },
    );
  }

  async write(path: string, bytes: Uint8Array): Promise<void> {
    await this.#send("PUT", path, [204], async () => undefined, { body: bytes });
  }

  async remove(path: string): Promise<void> {
    await this.#send("DELETE", path, [204], async () => undefined);
  }

  removeEmpty(folder: string): Promise<void> {
    return this.remove(`${folder}/`);
  }

  /** Sends a request, and reads the answer if it has one of these statuses. */
  async #send<T>(
    method: string,
    path: string,
    statuses: readonly number[],
    read: (response: Response) => Promise<T>,
    { headers, body }: { readonly headers?: Record<string, string>; readonly body?: Uint8Array } = {},
  ): Promise<T> {
    const authorization = `Bearer ${this.#token}`;
    let status: number;
    try {
      const response = await fetch(new URL(path, this.#root), {
        ...{ method, redirect: "error", cache: "no-store", signal: AbortSignal.timeout(this.#timeout) },
        headers: { ...headers, authorization },
        ...(body !== undefined && { body: body as Uint8Array<ArrayBuffer> }),
      });
      if (statuses.includes(response.status)) return await read(response);
      await response.body?.cancel();
      status = response.status;
    } catch (cause) {
      throw this.#failed(path, reasonOf(cause), cause);
    }
    if (status === 401 || status === 403)
      throw new MerostoreError("PERMISSION_DENIED", `${this.name} refuses the token (status ${status})`);
    throw this.#failed(path, `it answers with status ${status}`);
  }

  #failed(path: string, why: string, cause?: unknown): MerostoreError {
    return new MerostoreError("NETWORK_ERROR", `${this.name}/${path}: ${why}`, { cause });
  }
}

/** `fetch` hides its reason in the cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}

/** The body of an answer. @throws Error if it has more bytes than expected */
async function bytesOf(response: Response, most: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const { value } = (await reader?.read()) ?? {};
    if (value === undefined) return concatAll(pieces);
    length += value.length;
    if (length > most) {
      await reader?.cancel();
      throw new Error(`the answer has more than ${most} bytes`);
    }
    pieces.push(value);
  }
}

function parseNames(bytes: Uint8Array): string[] | undefined {
  const names: unknown = JSON.parse(new TextDecoder().decode(bytes));
  return Array.isArray(names) && names.every((name) => typeof name === "string") ? names : undefined;
}
