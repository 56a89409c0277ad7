/** Answers: sentences, JSON, files of the page, and parts of the files of databases. */
import { read } from "node:fs";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { promisify } from "node:util";
import type { KeptFile } from "./kept-files.js";

const readLater = promisify(read);

/** Bytes that are read and sent at once. */
const PIECE = 256 * 1024;

const SCRIPTS = "script-src 'self'";
const CONNECTIONS = "connect-src 'self'";

/** The page may use its own files and nothing else. */
const POLICY = [
  "default-src 'none'",
  SCRIPTS,
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'none'",
  CONNECTIONS,
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const HEADERS: OutgoingHttpHeaders = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-store",
};

/**
 * The policy of the worker, which has one of its own: it may compile WebAssembly, for checksums and compressed tables,
 * and loads it from within itself.
 */
export const WORKER_POLICY = POLICY.replace(SCRIPTS, `${SCRIPTS} 'wasm-unsafe-eval'`).replace(
  CONNECTIONS,
  `${CONNECTIONS} data:`,
);

/** The response header with the version of a file. */
export const FILE_HEADER = "x-merostore-file";

/** Sends a whole answer; to HEAD its headers only. */
export function sendBytes(
  response: ServerResponse,
  status: number,
  type: string,
  body: string | Uint8Array,
  headers: OutgoingHttpHeaders = {},
): void {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  response.writeHead(status, {
    ...HEADERS,
    "content-type": type,
    "content-length": bytes.length,
    ...headers,
  });
  response.end(response.req.method === "HEAD" ? undefined : bytes);
}

/** Sends a sentence that says why there is nothing else. */
export function sendSentence(
  response: ServerResponse,
  status: number,
  sentence: string,
  headers: OutgoingHttpHeaders = {},
): void {
  sendBytes(response, status, "text/plain; charset=utf-8", `${sentence}\n`, headers);
}

/** Sends a value as JSON. */
export function sendJson(response: ServerResponse, value: unknown): void {
  sendBytes(response, 200, "application/json; charset=utf-8", JSON.stringify(value));
}

/**
 * Sends a file, or the part of it that `Range` names, as it is now. The connection ends if the file turns out to be
 * shorter.
 *
 * @throws the error of the system if the file cannot be read
 */
export async function sendFile(
  { method, headers: { range: header } }: IncomingMessage,
  response: ServerResponse,
  file: KeptFile,
): Promise<void> {
  const size = file.size();
  const version = { [FILE_HEADER]: file.version, "accept-ranges": "bytes" };
  const part = header === undefined ? { start: 0, end: size } : readRange(header, size);
  if (part === undefined)
    return sendSentence(response, 416, `The file has no such range; it has ${size} bytes.`, {
      ...version,
      "content-range": `bytes */${size}`,
    });
  const { start, end } = part;
  response.writeHead(header === undefined ? 200 : 206, {
    ...HEADERS,
    ...version,
    "content-type": "application/octet-stream",
    "content-length": end - start,
    ...(header !== undefined && { "content-range": `bytes ${start}-${end - 1}/${size}` }),
  });
  if (method !== "HEAD") await sendPieces(response, file, start, end);
  else response.end();
}

async function sendPieces(
  response: ServerResponse,
  { descriptor }: KeptFile,
  start: number,
  end: number,
): Promise<void> {
  for (let at = start; at < end; ) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE, end - at));
    const { bytesRead } = await readLater(descriptor, piece, 0, piece.length, at);
    if (response.destroyed) return;
    if (bytesRead === 0) {
      response.destroy(); // fewer bytes than its headers say: the page gets an error
      return;
    }
    at += bytesRead;
    if (!response.write(piece.subarray(0, bytesRead)) && at < end) await drained(response);
    if (response.destroyed) return;
  }
  response.end();
}

/** Waits until more can be written, or the client is gone. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off("drain", done).off("close", done);
      resolve();
    };
    response.on("drain", done).on("close", done);
  });
}

/** Bytes of a file from `start` on, before `end`. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads `bytes=a-b`, `bytes=a-` or `bytes=-n`. A part that begins in the file ends with it at the latest.
 *
 * @param size bytes of the file
 * @returns undefined for several ranges, for another form, and for a part that does not begin in the file
 */
function readRange(header: string, size: number): ByteRange | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header) ?? [];
  if (first === undefined || last === undefined) return undefined;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? undefined : { start: size - length, end: size };
  }
  const start = Number(first);
  const end = last === "" ? size : Math.min(Number(last) + 1, size);
  return start < end ? { start, end } : undefined;
}
