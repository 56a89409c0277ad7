/** A server for the files that devices share. */
import { createHash, timingSafeEqual } from "node:crypto";
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, BlockList, isIP } from "node:net";
import {
  checkOptions,
  invalidArgument,
  isMerostoreError,
  isText,
  isWholeNumber,
  type OptionChecks,
  type PathOrUrl,
} from "merostore/internal";
import { type FileStore, storeOf } from "../folder/file-store.js";
import { checkToken } from "./http-store.js";

/** Options of {@link serveFiles}. */
export interface ServeOptions {
  /** The token that devices must send: 16 or more printable ASCII characters without spaces. */
  readonly token: string;
  /** The name or address to listen on: `127.0.0.1` unless given. */
  readonly host?: string | undefined;
  /** The port: a free one unless given. */
  readonly port?: number | undefined;
  /**
   * The site whose pages may use the server, such as `https://example.org`; none unless given. The pages need the token
   * too.
   */
  readonly origin?: string | undefined;
}

/** A server that runs. */
export interface FileServer {
  /** The URL for {@link httpStore}. */
  readonly url: string;
  /** True if other machines may reach it. */
  readonly isExposed: boolean;
  /** Ends all connections. A file that is being written is then complete, or unchanged. */
  close(): Promise<void>;
}

const OPTIONS: OptionChecks<ServeOptions> = {
  // Not described: a token must not be in a message.
  token: () => undefined,
  host: isText,
  port: isWholeNumber(0, 65_535),
  origin: (value) => (isOrigin(value) ? undefined : "the origin of a site, such as https://example.org"),
};

/** Headers that a page may read and send. */
const SITE_HEADERS = { vary: "origin", "access-control-expose-headers": "etag, content-range" };
const PREFLIGHT_HEADERS = {
  "access-control-allow-methods": "GET, PUT, DELETE",
  "access-control-allow-headers": "authorization, if-none-match, range",
  "access-control-max-age": "600",
};

/** Bytes of the largest file: more than a pack has. */
const MOST_FILE = 96 << 20;
/** The most bytes of files in memory: bytes received so far, and bytes that clients have not taken yet. */
const MOST_HELD = 4 * MOST_FILE;
const MOST_CONNECTIONS = 256;
/** Milliseconds for the headers of a request, and for all of it. */
const HEADERS_MS = 10_000;
const REQUEST_MS = 300_000;
/** Milliseconds between two checks for requests that take longer. */
const LOOK_MS = 5000;
/** Milliseconds without a byte in either direction, after which a connection ends. */
const SILENT_MS = 120_000;

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8);
LOOPBACK.addAddress("::1", "ipv6");

/**
 * Serves the files of a folder to devices that know a token, until it is closed. With a key of {@link folderCloud} the
 * server sees only encrypted files. The connection is not encrypted: put a proxy with TLS before it if others can
 * listen.
 *
 * @param folder a folder that exists, as a path or a `file:` URL, or another store of files
 * @throws MerostoreError INVALID_ARGUMENT, also for an address that cannot be used
 * @example
 * import { mkdirSync } from "node:fs";
 *
 * mkdirSync("shared", { recursive: true });
 * await using server = await serveFiles("shared", { token: "0123456789abcdef" });
 * const cloud = folderCloud(httpStore(server.url, { token: "0123456789abcdef" }));
 */
export async function serveFiles(
  folder: PathOrUrl | FileStore,
  options: ServeOptions,
): Promise<FileServer & AsyncDisposable> {
  checkOptions("serveFiles", options, OPTIONS);
  const { token, host = "127.0.0.1", port = 0, origin } = { ...options };
  checkToken(token);
  const store = storeOf(folder, "the folder to serve", true);
  await store.checkIsThere();
  const handler = new Handler(store, token, origin);
  const limits = {
    ...{ headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS, connectionsCheckingInterval: LOOK_MS },
    maxHeaderSize: 8192,
  };
  const server = createServer(limits, (request, response) => {
    // Devices may disconnect at any time.
    response.on("error", () => undefined);
    handler.answer(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else send(response, statusOf(error));
    });
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.setTimeout(SILENT_MS);
  await listen(server, host, port);
  const { address, port: used } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${used}/`,
    isExposed: !LOOPBACK.check(address, isIP(address) === 6 ? "ipv6" : "ipv4"),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The status for a folder that cannot be used now, and for one without room. */
function statusOf(error: unknown): number {
  if (!isMerostoreError(error, "NETWORK_ERROR")) return 500;
  const { code } = { ...(error.cause as NodeJS.ErrnoException | undefined) };
  return code === "ENOSPC" || code === "EDQUOT" ? 507 : 503;
}

function isOrigin(value: unknown): boolean {
  return typeof value === "string" && URL.canParse(value) && new URL(value).origin === value;
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why = `the server cannot listen on ${host}, port ${port}: ${error.code ?? error.message}`;
      reject(invalidArgument(why));
    });
    server.listen(port, host, () => {
      server.removeAllListeners("error").on("error", () => undefined);
      resolve();
    });
  });
}

class Handler {
  readonly #store: FileStore;
  readonly #token: Buffer;
  readonly #origin: string | undefined;
  #held = 0;

  constructor(store: FileStore, token: string, origin: string | undefined) {
    this.#store = store;
    this.#token = digest(`Bearer ${token}`);
    this.#origin = origin;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#origin !== undefined && request.headers.origin === this.#origin) {
      response.setHeaders(new Headers({ ...SITE_HEADERS, "access-control-allow-origin": this.#origin }));
      // Browsers ask without the token whether a page may send it.
      if (request.method === "OPTIONS") return send(response, 204, PREFLIGHT_HEADERS);
    }
    if (!timingSafeEqual(digest(request.headers.authorization ?? ""), this.#token))
      return send(response, 401, { "www-authenticate": "Bearer" });
    const place = pathOf(request.url ?? "");
    if (place === undefined) return send(response, 400);
    const { path, isFolder } = place;
    switch (request.method) {
      case "GET":
        return isFolder ? this.#list(response, path) : this.#read(request, response, path);
      case "PUT":
        return isFolder ? send(response, 400) : this.#write(request, response, path);
      case "DELETE":
        if (path === "") return send(response, 400); // the whole folder
        if (isFolder) await this.#store.removeEmpty?.(path);
        else await this.#store.remove(path);
        return send(response, 204);
      default:
        return send(response, 405, { allow: "GET, PUT, DELETE" });
    }
  }

  async #list(response: ServerResponse, path: string): Promise<void> {
    const names = JSON.stringify(await this.#store.list(path));
    send(response, 200, { "content-type": "application/json" }, Buffer.from(names));
  }

  async #read({ headers }: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const [, first, last] = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(headers.range ?? "") ?? [];
    const [from, most] = [Number(first), Number(last) - Number(first)];
    if (!(most >= 0)) return send(response, 400);
    const known = headers["if-none-match"]?.replace(/^(?:W\/)?"|"$/g, "");
    const found = await this.#store.read(path, Math.min(most, MOST_FILE), known, from);
    if (found === undefined) return send(response, 404);
    if (found === "unchanged") return send(response, 304);
    const { bytes, version, size, modified } = found;
    const about = {
      etag: `"${version}"`,
      ...(modified !== undefined && { "last-modified": modified.toUTCString() }),
    };
    if (bytes.length === 0) return send(response, 416, { ...about, "content-range": `bytes */${size}` });
    // A response that its client has left is closed already: nothing would end the holding.
    if (response.destroyed) return;
    if (this.#held + bytes.length > MOST_HELD) return busy(response);
    this.#held += bytes.length;
    response.once("close", () => {
      this.#held -= bytes.length;
    });
    const range = `bytes ${from}-${from + bytes.length - 1}/${size}`;
    send(
      response,
      206,
      { ...about, "content-range": range, "content-type": "application/octet-stream" },
      bytes,
    );
  }

  async #write(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const size = Number(request.headers["content-length"]);
    if (!Number.isSafeInteger(size)) return send(response, 411);
    if (size > MOST_FILE) return send(response, 413);
    const pieces: Buffer[] = [];
    let held = 0;
    try {
      for await (const piece of request as AsyncIterable<Buffer>) {
        if (this.#held + piece.length > MOST_HELD) return busy(response);
        this.#held += piece.length;
        held += piece.length;
        pieces.push(piece);
      }
      await this.#store.write(path, Buffer.concat(pieces));
    } finally {
      this.#held -= held;
    }
    send(response, 204);
  }
}

function busy(response: ServerResponse): void {
  send(response, 503, { "retry-after": "1" });
}

function send(
  response: ServerResponse,
  status: number,
  headers: OutgoingHttpHeaders = {},
  body?: Uint8Array,
): void {
  const { complete, headers: asked } = response.req;
  const hasBody = "transfer-encoding" in asked || (asked["content-length"] ?? "0") !== "0";
  response.writeHead(status, {
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    ...(status !== 204 && status !== 304 && { "content-length": body?.length ?? 0 }),
    // A refused request is not read: otherwise anybody could hold the connection.
    ...(hasBody && !complete && { connection: "close" }),
    ...headers,
  });
  response.end(body);
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Splits the path of a request: undefined unless its parts are names that clouds have. */
function pathOf(pathname: string): { readonly path: string; readonly isFolder: boolean } | undefined {
  const isFolder = pathname.endsWith("/");
  const path = pathname.slice(1, isFolder && pathname.length > 1 ? -1 : undefined);
  if (path === "") return { path, isFolder: true };
  const parts = path.split("/");
  const isName = (part: string): boolean => /^[0-9a-z][0-9a-z.-]{0,99}$/.test(part);
  return parts.length <= 4 && parts.every(isName) ? { path, isFolder } : undefined;
}
