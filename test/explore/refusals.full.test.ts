/** The server of the explorer refuses every request that is not from its own page, and every path but its own. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyOfDatabase, temporaryFolder } from "../support/fixtures.js";
import { type Explorer, exploring, type Headers, rawBytes } from "./explorer.js";

const folder = temporaryFolder();
const copy = copyOfDatabase("core-0.11/node-a");
let explorer: Explorer;

beforeAll(async () => {
  const blobs = join(folder.path, "blobs");
  mkdirSync(blobs);
  writeFileSync(join(copy.path, "..", "000001.sst"), "outside");
  explorer = await exploring(copy.path, "--blobs", blobs);
});

afterAll(async () => {
  await explorer.end();
  copy[Symbol.dispose]();
  folder[Symbol.dispose]();
});

/** The status and the sentence of an answer. */
async function answerTo(
  path: string,
  headers?: Headers,
  method?: string,
): Promise<readonly [number, string]> {
  const { status, body } = await explorer.get(path, headers, method);
  return [status, body.toString()];
}

const DATA = ["/api/databases", "/api/databases/0/files", "/api/databases/0/files/CURRENT"];

describe("a request for data", () => {
  it("needs the token", async () => {
    const { token } = explorer;
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    const last = token.endsWith("0") ? "1" : "0";
    const wrong = [
      undefined,
      "",
      "0".repeat(64),
      token.slice(1),
      `${token}0`,
      token.slice(0, -1) + last,
      `${token}, ${token}`,
      token.toUpperCase() === token ? "x" : token.toUpperCase(),
    ];
    for (const path of [...DATA, "/api/", "/api/nothing"])
      for (const given of wrong)
        expect(await answerTo(path, { "x-merostore-token": given }), `${path} ${given}`).toEqual([
          403,
          "The request has no token, or a wrong one.\n",
        ]);
    const cookie = {
      "x-merostore-token": undefined,
      cookie: `token=${token}`,
      authorization: `Bearer ${token}`,
    };
    for (const path of DATA) expect((await answerTo(path, cookie))[0]).toBe(403);
    expect((await answerTo(`/api/databases?token=${token}`, { "x-merostore-token": undefined }))[0]).toBe(
      403,
    );
    for (const path of DATA) expect((await answerTo(path))[0]).toBe(200);
  });

  it("is refused from another site, also from another port of this machine", async () => {
    for (const site of ["cross-site", "same-site", "anything"])
      for (const path of DATA)
        expect(await answerTo(path, { "sec-fetch-site": site })).toEqual([
          403,
          "The request comes from a page of another site.\n",
        ]);
    for (const site of ["same-origin", "none"])
      expect((await answerTo("/api/databases", { "sec-fetch-site": site }))[0]).toBe(200);
  });
});

describe("a request for anything", () => {
  it("is refused under another host: a name that was made to lead here (DNS rebinding)", async () => {
    const { port } = explorer;
    const foreign = [
      `evil.example:${port}`,
      "evil.example",
      "127.0.0.1",
      "localhost",
      `127.0.0.1:${port + 1}`,
      `localhost.:${port}`,
      `127.0.0.1.nip.io:${port}`,
      `127.1:${port}`,
      `0.0.0.0:${port}`,
      `user@127.0.0.1:${port}`,
      "",
    ];
    for (const path of ["/", "/assets/x.js", ...DATA])
      for (const host of foreign)
        expect(await answerTo(path, { host }), `${path} ${host}`).toEqual([
          403,
          "The request is for another host.\n",
        ]);
    expect((await answerTo("/api/databases", { host: undefined }))[0]).toBe(400);
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`])
      expect((await answerTo("/api/databases", { host }))[0], host).toBe(200);
  });

  it("is refused from a page of another origin", async () => {
    const { port } = explorer;
    for (const origin of [
      "http://evil.example",
      "null",
      `https://127.0.0.1:${port}`,
      `http://127.0.0.1:${port + 1}`,
      `http://localhost:${port}`,
      "http://127.0.0.1",
      "",
    ])
      for (const path of ["/", "/api/databases"])
        expect(await answerTo(path, { origin }), origin).toEqual([
          403,
          "The request comes from a page of another origin.\n",
        ]);
    const own = { origin: `http://localhost:${port}`, host: `localhost:${port}` };
    const { status, headers } = await explorer.get("/api/databases", own);
    expect(status).toBe(200);
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
  });

  it("is refused unless it is GET or HEAD, without a body", async () => {
    for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND"])
      for (const path of ["/", "/api/databases/0/files/CURRENT"]) {
        const { status, headers, body } = await explorer.get(path, {}, method);
        expect([status, headers.allow, body.toString()], method).toEqual([
          405,
          "GET, HEAD",
          "Only GET and HEAD are answered.\n",
        ]);
      }
    const refused = [400, "A request with a body is not answered.\n"];
    expect(await answerTo("/api/databases", { "content-length": "5" })).toEqual(refused);
    expect(await answerTo("/api/databases", { "transfer-encoding": "chunked" })).toEqual(refused);
  });

  it("reaches no file outside of the folders, however its path is written", async () => {
    const base = "/api/databases/0";
    const paths = [
      "/files/../../000001.sst",
      "/files/..%2f000001.sst",
      "/files/%2e%2e/000001.sst",
      "/files/%2e%2e%2f000001.sst",
      "/files/..%5c000001.sst",
      "/files/..\\000001.sst",
      "/files/%252e%252e%252f000001.sst",
      "/files/..%c0%af000001.sst",
      "/files/%c0%ae%c0%ae/000001.sst",
      "/files/..;/000001.sst",
      "/files//000001.sst",
      "/files//etc/passwd",
      "/files/../000001.sst",
      "/files/..",
      "/files/.",
      "/files/",
      "/files/./CURRENT",
      "/files/CURRENT/",
      "/files/CURRENT%00.sst",
      "/files/CURRENT%00",
      "/files/%43URRENT",
      "/files/CURRENT%20",
      "/files/current",
      "/files/CURRENT;a",
      "/files/x/../CURRENT",
      "/blobs/../files/CURRENT",
      "/blobs/..%2f..%2f000001.sst",
      "/../0/files/CURRENT",
      "//files/CURRENT",
    ].map((path) => base + path);
    paths.push(
      "//api/databases",
      "/API/databases",
      "/api/databases/",
      "/api/databases/00/files",
      "/api/databases/-1/files",
      "/api/databases/0x0/files",
      "/api/databases/__proto__/files",
      "/./api/databases",
      "/x/../api/databases",
      "/%61pi/databases",
      "/assets/..%2f..%2fpackage.json",
      "/assets/../index.html",
      "/assets/../../cli/merostore.js",
      "/assets/",
      "/assets",
      "/index.html/..",
      "/../package.json",
      "/explorer.html",
      `http://127.0.0.1:${explorer.port}/api/databases`,
      "*",
    );
    for (const path of paths) expect((await answerTo(path))[0], path).toBe(404);
    // A request with a NUL or a line feed is malformed.
    for (const path of ["/files/CURRENT\0", "/files/CURRENT\0.sst"]) {
      const { status } = await explorer.get(base + path);
      expect(status, JSON.stringify(path)).toBe(400);
    }
  });

  it("costs little: long headers, requests that are none, and connections that say nothing", async () => {
    const { port } = explorer;
    const long = `GET / HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nx: ${"a".repeat(20_000)}\r\n\r\n`;
    expect((await rawBytes(port, long)).status).toBe(431);
    expect((await rawBytes(port, "hello\r\n\r\n")).status).toBe(400);
    expect((await rawBytes(port, Buffer.from([0x16, 0x03, 0x01, 0x00, 0x00]))).status).toBe(400);
    expect((await rawBytes(port, `GET / HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n`)).status).toBe(408);
    expect((await answerTo("/api/databases"))[0]).toBe(200);
  });

  it("gets no path of the machine, and headers that keep the answer to itself", async () => {
    for (const [path, headers] of [
      ["/api/databases/0/files/000001.sst", {}],
      ["/api/databases/0/files/CURRENT", { range: "bytes=x" }],
      ["/api/databases", { "x-merostore-token": "x" }],
      ["/nothing", {}],
    ] as const) {
      const answer = await explorer.get(path, headers);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.body.toString()).not.toContain("/");
      expect(answer.headers).toMatchObject({
        "content-type": "text/plain; charset=utf-8",
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
        "cross-origin-resource-policy": "same-origin",
        "referrer-policy": "no-referrer",
      });
    }
  });
});
