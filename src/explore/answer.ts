/** The answers of the explorer's server, by path. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Connections } from "./connections.js";
import type { ServedDatabase } from "./databases.js";
import type { Guard } from "./guard.js";
import type { KeptFiles } from "./kept-files.js";
import type { PageFile } from "./page-files.js";
import { sendBytes, sendFile, sendJson, sendSentence, WORKER_POLICY } from "./send.js";
import { answerSql, type SqlSource } from "./sql.js";

/** The content that a server serves. */
export interface Served {
  readonly databases: readonly ServedDatabase[];
  /** The files of the page, by path. */
  readonly page: ReadonlyMap<string, PageFile>;
  readonly connections: Connections;
  readonly sql: SqlSource | undefined;
}

/** The paths of data. Any other path has none; escapes and names with a separator match neither form. */
const FILE = /^\/api\/databases\/(0|[1-9]\d{0,3})\/(files|blobs)\/([\w-][\w.-]{0,99})$/;
const KEY = /^\/api\/databases\/(0|[1-9]\d{0,3})\/key$/;
const FILES = /^\/api\/databases\/(0|[1-9]\d{0,3})\/files$/;
/** The query of a file: the version that is wanted. */
const VERSION = /^file=([0-9a-z-]{1,64})$/;

const WORKER = "/worker.js";
const WORKER_HEADERS = { "content-security-policy": WORKER_POLICY };

const NOTHING = "There is nothing at this path.";
const GONE = "The file does not exist, or no longer exists.";
const UNBUILT = "The page was not built: npm run build";

/**
 * Answers a request.
 *
 * @throws the error of the system if a file or folder cannot be read
 */
export async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  served: Served,
  guard: Guard,
): Promise<void> {
  const refusal = guard.refusal(request);
  if (refusal !== undefined) {
    // A body is not waited for.
    const headers = refusal.status === 405 ? { allow: "GET, HEAD" } : {};
    return sendSentence(response, refusal.status, refusal.sentence, { ...headers, connection: "close" });
  }
  const { url = "" } = request;
  const mark = url.indexOf("?");
  const path = mark < 0 ? url : url.slice(0, mark);
  if (!path.startsWith("/api/")) return answerPage(response, served.page, path);
  const dataRefusal = guard.dataRefusal(request);
  if (dataRefusal !== undefined)
    return sendSentence(response, dataRefusal.status, dataRefusal.sentence, { connection: "close" });
  served.connections.keep(request.socket);
  await answerData(request, response, served, path, mark < 0 ? undefined : url.slice(mark + 1));
}

function answerPage(response: ServerResponse, page: Served["page"], path: string): void {
  const file = page.get(path);
  if (file !== undefined)
    sendBytes(response, 200, file.type, file.bytes, path === WORKER ? WORKER_HEADERS : {});
  else if (path === "/") sendSentence(response, 503, UNBUILT);
  else sendSentence(response, 404, NOTHING);
}

async function answerData(
  request: IncomingMessage,
  response: ServerResponse,
  { databases, sql }: Served,
  path: string,
  query: string | undefined,
): Promise<void> {
  if (path === "/api/databases" && query === undefined)
    return sendJson(response, {
      databases: databases.map(({ name, path, blobs, key }) => ({
        ...{ name, path, blobs: blobs !== undefined },
        ...(key !== undefined && { key: true }),
      })),
    });
  if (path === "/api/sql") return answerSql(response, sql, query);
  const key = databases[Number(KEY.exec(path)?.[1] ?? Number.NaN)]?.key;
  if (key !== undefined && query === undefined)
    return sendBytes(response, 200, "application/octet-stream", key);
  const listed = FILES.exec(path)?.[1];
  if (listed !== undefined && query === undefined) {
    const files = databases[Number(listed)]?.files.list();
    return files === undefined ? sendSentence(response, 404, NOTHING) : sendJson(response, { files });
  }
  const [, at, kind, name] = FILE.exec(path) ?? [];
  const database = at === undefined ? undefined : databases[Number(at)];
  const folder = kind === "blobs" ? database?.blobs : database?.files;
  const version = query === undefined ? undefined : VERSION.exec(query)?.[1];
  if (folder === undefined || name === undefined || (query !== undefined && version === undefined))
    return sendSentence(response, 404, NOTHING);
  await answerFile(request, response, folder, name, version);
}

async function answerFile(
  request: IncomingMessage,
  response: ServerResponse,
  folder: KeptFiles,
  name: string,
  version: string | undefined,
): Promise<void> {
  const file = folder.use(name, version);
  if (file === undefined) return sendSentence(response, 404, GONE);
  try {
    await sendFile(request, response, file);
  } finally {
    file.release();
  }
}
