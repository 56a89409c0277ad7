/**
 * The server of the explorer. It serves the page, and to clients that send the token the files of databases and answers
 * to SQL. The page decrypts the values, with the master key if the server has one; databases are opened here for SQL
 * alone.
 */
import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { invalidArgument, type MerostoreError } from "../errors.js";
import { answer } from "./answer.js";
import { Connections } from "./connections.js";
import { type ExploredDatabase, type ServedDatabase, servedDatabase } from "./databases.js";
import { Guard } from "./guard.js";
import { PAGE_FOLDER, pageFiles } from "./page-files.js";
import { sendSentence } from "./send.js";
import type { SqlSource } from "./sql.js";

/** Options of serving the explorer. */
export interface ExplorerOptions {
  /** The name or address to listen on. Default `127.0.0.1`. */
  readonly host?: string | undefined;
  /** The port. By default the system chooses a free one. */
  readonly port?: number | undefined;
  /** Answers questions in SQL; without it, none are answered. */
  readonly sql?: SqlSource | undefined;
  /**
   * The folder of the page, for tests.
   *
   * @internal
   */
  readonly page?: string | undefined;
}

/** A server that runs. */
export interface ExplorerServer {
  /** The address of the page. Its fragment, which browsers do not send, contains the token. */
  readonly address: string;
  /** True if other machines may reach it. */
  readonly isExposed: boolean;
  /** True if the page was built. The server serves data without it too. */
  readonly isPageBuilt: boolean;
  /** Ends all connections and closes all files. */
  close(): Promise<void>;
}

/** Bytes of the headers of a request, together. */
const MOST_HEADER_BYTES = 8 * 1024;
const MOST_CONNECTIONS = 64;
/** Milliseconds for the headers of a request, and for all of it. */
const REQUEST_MS = 5_000;
/** Milliseconds for which a connection may be idle. */
const IDLE_MS = 30_000;

/**
 * Serves databases to the page until it is closed.
 *
 * @throws MerostoreError INVALID_ARGUMENT if the address or the port cannot be used; the error of the system if a
 *   folder cannot be found
 */
export async function serveExplorer(
  databases: readonly ExploredDatabase[],
  { host = "127.0.0.1", port = 0, sql, page = PAGE_FOLDER }: ExplorerOptions = {},
): Promise<ExplorerServer> {
  const served: ServedDatabase[] = [];
  const server = createServer({
    maxHeaderSize: MOST_HEADER_BYTES,
    headersTimeout: REQUEST_MS,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: IDLE_MS,
    connectionsCheckingInterval: 1_000,
  });
  server.timeout = IDLE_MS;
  const connections = new Connections(MOST_CONNECTIONS);
  server.on("connection", (socket) => connections.add(socket));
  const close = async (): Promise<void> => {
    await end(server);
    for (const { files, blobs, key } of served) {
      files.close();
      blobs?.close();
      key?.fill(0);
    }
  };
  try {
    const files = pageFiles(page);
    for (const database of databases) served.push(servedDatabase(database));
    await listen(server, host, port);
    const { address, port: used } = server.address() as AddressInfo;
    const token = randomBytes(32).toString("hex");
    const name = host.includes(":") ? `[${host}]` : host;
    const guard = new Guard(name, used, token);
    server.on("request", (request, response) => {
      // The client has not taken the answer to its last request: answers that wait for that would fill the memory.
      if (response.socket === null) return void request.socket.destroy();
      // A client may disconnect during an answer: that is not an error of the server.
      response.on("error", () => undefined);
      answer(request, response, { databases: served, page: files, connections, sql }, guard).catch(() => {
        if (response.headersSent) response.destroy();
        else sendSentence(response, 500, "The file or folder cannot be read.");
      });
    });
    return {
      address: `http://${forBrowsers(name)}:${used}/#token=${token}`,
      isExposed: !isLoopback(address),
      isPageBuilt: files.has("/"),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException): void => reject(unusable(host, port, error));
    server.once("error", refuse);
    server.listen(port, host, () => {
      server.off("error", refuse);
      server.on("error", () => undefined);
      resolve();
    });
  });
}

function end(server: Server): Promise<void> {
  if (!server.listening) return Promise.resolve();
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** A browser cannot open the address that stands for all addresses of a machine. */
function forBrowsers(name: string): string {
  if (name === "0.0.0.0") return "127.0.0.1";
  return name === "[::]" ? "[::1]" : name;
}

function isLoopback(address: string): boolean {
  return address === "::1" || /^(?:::ffff:)?127\./.test(address);
}

function unusable(host: string, port: number, error: NodeJS.ErrnoException): MerostoreError {
  if (error.code === "EADDRINUSE")
    return invalidArgument(
      `the port ${port} of ${host} is in use: choose another one, or none for a free one`,
    );
  return invalidArgument(`the server cannot listen on ${host}, port ${port}: ${error.code ?? error.message}`);
}
