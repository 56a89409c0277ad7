/**
 * A service with the protocol of S3 as the documents of Amazon describe it: listing, ranges, conditions, and signatures
 * of version 4, which it computes itself.
 */
import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const BUCKET = "team-ledger";
export const KEYS = {
  accessKeyId: "made-up-id",
  secretAccessKey: "made-up-secret/with+signs",
  region: "eu-central-1",
};

/** Keys of a page of a list. */
const PAGE = 3;

const sha256 = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");
const hmac = (key: Uint8Array | string, text: string): Uint8Array =>
  createHmac("sha256", key).update(text).digest();
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

export interface S3Server extends AsyncDisposable {
  readonly url: string;
  /** The files by key. */
  readonly files: Map<string, Uint8Array>;
  /** Answers the next requests with this status instead. */
  readonly failures: number[];
}

export async function s3Server(): Promise<S3Server> {
  const files = new Map<string, Uint8Array>();
  const failures: number[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const pieces: Uint8Array[] = [];
      for await (const piece of request) pieces.push(piece as Uint8Array);
      const failure = failures.shift();
      if (failure !== undefined) refuse(response, failure, "SlowDown");
      else answer(request, Buffer.concat(pieces), response, files);
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    files,
    failures,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { "content-type": "application/xml" });
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>&lt;no&gt;</Message></Error>`);
}

function answer(
  request: IncomingMessage,
  body: Uint8Array,
  response: ServerResponse,
  files: Map<string, Uint8Array>,
): void {
  const { method = "", headers } = request;
  const url = new URL(request.url ?? "", "http://host");
  const [, bucket, ...parts] = url.pathname.split("/");
  const key = parts.join("/");
  const file = files.get(key) ?? new Uint8Array(0);
  const etag = etagOf(file);
  const wrong = signatureFlaw(request, url, body);
  const [, from = "0", to = ""] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
  if (wrong !== undefined) refuse(response, 403, wrong);
  else if (bucket !== BUCKET) refuse(response, 404, "NoSuchBucket");
  else if (key === "") list(url.searchParams, response, files);
  else if (method === "PUT") {
    files.set(key, Uint8Array.from(body));
    response.writeHead(200, { etag: etagOf(body) }).end();
  } else if (method === "DELETE") {
    files.delete(key);
    response.writeHead(204).end();
  } else if (!files.has(key)) refuse(response, 404, "NoSuchKey");
  else if (method === "HEAD") response.writeHead(200, { etag, "content-length": String(file.length) }).end();
  else if (headers["if-none-match"] === etag) response.writeHead(304, { etag }).end();
  else if (Number(from) >= file.length) refuse(response, 416, "InvalidRange");
  else {
    const part = file.subarray(Number(from), Number(to) + 1);
    const range = `bytes ${from}-${Number(from) + part.length - 1}/${file.length}`;
    response
      .writeHead(206, { etag, "content-range": range, "content-length": String(part.length) })
      .end(part);
  }
}

function etagOf(bytes: Uint8Array): string {
  return `"${createHash("md5").update(bytes).digest("hex")}"`;
}

function list(query: URLSearchParams, response: ServerResponse, files: Map<string, Uint8Array>): void {
  const [prefix, after] = [query.get("prefix") ?? "", query.get("continuation-token") ?? ""];
  const found = new Map<string, string>();
  for (const key of [...files.keys()].sort()) {
    if (!key.startsWith(prefix)) continue;
    const end = key.indexOf("/", prefix.length);
    const name = end < 0 ? key : key.slice(0, end + 1);
    const text = name.replace(/&/g, "&amp;").replace(/</g, "&lt;");
    found.set(
      name,
      end < 0
        ? `<Contents>\n <Key>${text}</Key><Size>1</Size></Contents>`
        : `<CommonPrefixes><Prefix>${text}</Prefix></CommonPrefixes>`,
    );
  }
  const names = [...found.keys()].filter((name) => name > after);
  const page = names.slice(0, PAGE);
  const more = names.length > PAGE ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : "";
  response.writeHead(200, { "content-type": "application/xml" });
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${BUCKET}</Name><Prefix>${prefix}</Prefix><IsTruncated>${names.length > PAGE}</IsTruncated>${page.map((name) => found.get(name)).join("")}${more}</ListBucketResult>`,
  );
}

/** The error of a request whose signature is wrong. */
function signatureFlaw({ method, headers }: IncomingMessage, url: URL, body: Uint8Array): string | undefined {
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([\da-f]{64})$/.exec(
      headers.authorization ?? "",
    );
  if (given === null) return "AccessDenied";
  const [, id, day, region, names, signature] = given as unknown as string[];
  if (id !== KEYS.accessKeyId) return "InvalidAccessKeyId";
  if (region !== KEYS.region) return "AuthorizationHeaderMalformed";
  const signed = (names as string).split(";");
  if (!["host", "x-amz-content-sha256", "x-amz-date"].every((name) => signed.includes(name)))
    return "AccessDenied";
  const hash = String(headers["x-amz-content-sha256"]);
  if (hash !== sha256(body)) return "XAmzContentSHA256Mismatch";
  const time = String(headers["x-amz-date"]);
  const query = [...url.searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join("&");
  const path = url.pathname
    .split("/")
    .map((part) => encoded(decodeURIComponent(part)))
    .join("/");
  const lines = signed.map((name) => `${name}:${String(headers[name]).trim()}\n`).join("");
  const canonical = [method, path, query, lines, names, hash].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n");
  const key = [day as string, region, "s3", "aws4_request"].reduce<Uint8Array | string>(
    hmac as never,
    `AWS4${KEYS.secretAccessKey}`,
  );
  return Buffer.from(hmac(key, text)).toString("hex") === signature ? undefined : "SignatureDoesNotMatch";
}
