/** A page beside a server that answers wrongly, and the files that a server keeps open. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { KeptFiles } from "../../../../src/explore/kept-files.js";
import { temporaryFolder } from "../../../../test/support/fixtures.js";
import { servedDatabases, servedFiles } from "../../src/client/index.js";

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

/** A server with the answers of a test. Returns its origin. */
async function answering(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A server with one table of 100 bytes; the test answers requests for parts of it. */
function withTable(answer: (response: ServerResponse) => void): Promise<string> {
  return answering((request, response) => {
    if (request.method !== "HEAD") return answer(response);
    response.writeHead(200, { "content-length": 100, "x-merostore-file": "a-1" }).end();
  });
}

describe("an answer that is wrong", () => {
  it.each([
    ["no JSON", "{"],
    ["no list", '{"databases":{}}'],
    ["a list of something else", '{"databases":[{"name":1,"path":"","blobs":true}]}'],
  ])("is refused: %s", async (_, body) => {
    const origin = await answering((_request, response) => void response.end(body));
    await expect(servedDatabases(origin, "t")).rejects.toMatchObject({ code: "NETWORK_ERROR" });
  });

  it.each([
    ["-1", { name: "CURRENT", size: -1, modified: 0, file: "a" }],
    ["a fraction", { name: "CURRENT", size: 1.5, modified: 0, file: "a" }],
    ["no version", { name: "CURRENT", size: 1, modified: 0 }],
  ])("is refused: a size or version that is none, %s", async (_, file) => {
    const origin = await answering(
      (_request, response) => void response.end(JSON.stringify({ files: [file] })),
    );
    await expect(servedFiles(origin, 0, "t").list()).rejects.toMatchObject({ code: "NETWORK_ERROR" });
  });

  it.each([
    ["fewer bytes", 206, Buffer.alloc(10), "DATABASE_DAMAGED"],
    ["more bytes", 206, Buffer.alloc(200), "NETWORK_ERROR"],
    ["the whole file", 200, Buffer.alloc(100), "NETWORK_ERROR"],
    ["no such file any more", 404, Buffer.alloc(0), "ENGINE_FAILED"],
    ["no such range", 416, Buffer.alloc(0), "DATABASE_DAMAGED"],
    ["a failure", 500, Buffer.alloc(0), "NETWORK_ERROR"],
  ])("is refused: %s", async (_, status, body, code) => {
    const origin = await withTable((response) => void response.writeHead(status).end(body));
    const file = await servedFiles(origin, 0, "t").open("000001.sst");
    await expect(file?.read(0, new Uint8Array(100))).rejects.toMatchObject({ code });
  });

  it("is requested again where the connection breaks", async () => {
    let failures = 2;
    const origin = await withTable((response) => {
      if (failures-- > 0) response.destroy();
      else response.writeHead(206).end(Buffer.alloc(100, 7));
    });
    const file = await servedFiles(origin, 0, "t").open("000001.sst");
    expect(await file?.read(40, new Uint8Array(3))).toEqual(Uint8Array.of(7, 7, 7));
    expect(failures).toBe(-1);
  });
});

describe("tables", () => {
  it("are read in pages, which are requested once", async () => {
    let requests = 0;
    const content = Buffer.from(Uint8Array.from({ length: 300_000 }, (_, at) => at % 251));
    const origin = await answering((request, response) => {
      if (request.method === "HEAD") {
        response.writeHead(200, { "content-length": content.length, "x-merostore-file": "a-1" }).end();
        return;
      }
      requests++;
      const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
      response.writeHead(206).end(content.subarray(Number(start), Number(end) + 1));
    });
    const file = await servedFiles(origin, 0, "t").open("000001.sst");
    for (let at = 0; at + 100 < 65_536; at += 100)
      expect(Buffer.from((await file?.read(at, new Uint8Array(100))) ?? [])).toEqual(
        content.subarray(at, at + 100),
      );
    expect(requests).toBe(1);
    expect(Buffer.from((await file?.read(60_000, new Uint8Array(200_000))) ?? [])).toEqual(
      content.subarray(60_000, 260_000),
    );
    expect(requests).toBeLessThan(4);
    await expect(file?.read(299_999, new Uint8Array(2))).rejects.toMatchObject({ code: "DATABASE_DAMAGED" });
    file?.close();
    await expect(file?.read(0, new Uint8Array(1))).rejects.toMatchObject({ code: "CLOSED" });
  });
});

describe("files that a server keeps open", () => {
  it("are the last used ones, and those being read", () => {
    using folder = temporaryFolder();
    const names = ["1.sst", "2.sst", "3.sst"];
    for (const name of names) writeFileSync(join(folder.path, name), `content of ${name}`);
    const kept = new KeptFiles(
      folder.path,
      (name) => name.endsWith(".sst"),
      () => false,
      1,
    );
    const [first, second, third] = names.map((name) => kept.use(name, undefined));
    for (const name of names) rmSync(join(folder.path, name));
    // All three are being read: more than are kept otherwise.
    expect(readFileSync(second?.descriptor as number, "utf8")).toBe("content of 2.sst");
    first?.release();
    first?.release();
    expect(kept.use("1.sst", first?.version)).toBeUndefined();
    third?.release();
    expect(kept.use("3.sst", third?.version)).toBeUndefined();
    second?.release();
    const again = kept.use("2.sst", second?.version);
    expect(again?.size()).toBe(16);
    kept.close();
    expect(kept.use("2.sst", second?.version)).toBeUndefined();
    // A file that is being read stays open.
    expect(again?.size()).toBe(16);
    again?.release();
  });
});
