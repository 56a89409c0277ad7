/** Web servers that want to see secrets, take memory, hold the program or mix two versions of a file. */
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { type HttpOptions, httpFiles, openFiles } from "../../../../src/engines/files/index.js";
import { backupDatabase, openEngine } from "../../../../src/engines/index.js";
import { rejection } from "../../../support/rejection.js";
import { temporaryFolder } from "../../temporary.js";
import { Random } from "../history.js";

const files = new Map<string, Buffer>();
const servers: Server[] = [];
const INDEX = "merostore-files.json";

beforeAll(async () => {
  const source = join(temporaryFolder(), "db");
  const folder = join(temporaryFolder(), "backup");
  await using engine = await openEngine(source, { create: true, columns: ["default", "State"] });
  const random = new Random(1);
  await engine.write(
    Array.from({ length: 12_000 }, (_, number) => ({
      type: "put" as const,
      column: "State",
      key: new Uint8Array(Buffer.from(String(number).padStart(6, "0"))),
      value: random.bytes(700),
    })),
  );
  await engine.flush();
  await backupDatabase(source, folder);
  for (const name of readdirSync(folder)) files.set(name, readFileSync(join(folder, name)));
});

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Answers from the files, with these headers. */
function answer(
  request: IncomingMessage,
  response: ServerResponse,
  headers: Readonly<Record<string, string>> = { etag: '"one"' },
): void {
  const bytes = files.get((request.url ?? "").replace(/^\/|\?.*$/g, ""));
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
  if (bytes === undefined) response.writeHead(404).end();
  else if (first === undefined) response.writeHead(200, headers).end(bytes);
  else {
    const range = `bytes ${first}-${last}/${bytes.length}`;
    response
      .writeHead(206, { ...headers, "content-range": range })
      .end(bytes.subarray(Number(first), Number(last) + 1));
  }
}

async function read(url: string, options: HttpOptions = {}): Promise<number> {
  await using engine = await openFiles(await httpFiles(url, options));
  let rows = 0;
  for await (const chunk of engine.scan("State").chunks()) rows += chunk.length;
  return rows;
}

const isTable = ({ url = "" }: IncomingMessage): boolean => url.includes(".sst");

describe("Two versions of a file are not mixed", () => {
  it.each([
    ["a weak ETag changes", (count: number) => ({ etag: `W/"${count > 2 ? 2 : 1}"` })],
    ["an ETag is no longer sent", (count: number) => (count > 2 ? {} : { etag: '"one"' })],
    ["a date changes", (count: number) => ({ "last-modified": new Date(count * 1000).toUTCString() })],
  ])("when %s", async (_, headersOf) => {
    let count = 0;
    const url = await listen((request, response) =>
      answer(request, response, isTable(request) ? headersOf(count++) : undefined),
    );
    await rejection(read(url), "ENGINE_FAILED", "has changed");
  });

  it("when the tag stays, weak or strong, all rows are read", async () => {
    for (const etag of ['W/"1"', '"1"']) {
      const url = await listen((request, response) => answer(request, response, { etag }));
      expect(await read(url)).toBe(12_000);
    }
  });
});

describe("The list of files", () => {
  it.each([["[],"], ["1,"], ["{},"]])(
    "of millions of %s is refused before its values are made",
    async (value) => {
      const most = 15 * 1024 * 1024;
      const list = `{"format":"merostore-files","version":1,"files":[${value.repeat(most / value.length)}0]}`;
      const url = await listen((_, response) => void response.end(list));
      await rejection(httpFiles(url), "DATABASE_DAMAGED", "is not a list of files");
    },
  );

  it("that says a file is empty, with the hash of another content, is refused by name", async () => {
    const list = JSON.parse(String(files.get(INDEX))) as { files: { name: string; size: number }[] };
    const current = list.files.find(({ name }) => name === "CURRENT");
    if (current !== undefined) current.size = 0;
    const url = await listen((request, response) =>
      request.url === `/${INDEX}` ? void response.end(JSON.stringify(list)) : answer(request, response),
    );
    await expect(read(url)).rejects.toMatchObject({ message: expect.stringContaining("does not describe") });
  });
});

describe("A folder without the list of files", () => {
  it("whose server has a file of any name is refused after a thousand logs", async () => {
    let asked = 0;
    const url = await listen((request, response) => {
      if (request.url === `/${INDEX}`) return void response.writeHead(404).end();
      if (!/\.log$/.test(request.url ?? "")) return answer(request, response);
      asked++;
      response.end();
    });
    await rejection(httpFiles(url), "NETWORK_ERROR", "a file of any name");
    expect(asked).toBeLessThan(1100);
  });
});

describe("Secrets", () => {
  it("in headers do not follow a redirect to another host", async () => {
    const seen: string[] = [];
    const other = await listen((request, response) => {
      seen.push(JSON.stringify(request.headers));
      answer(request, response);
    });
    const url = await listen((request, response) => {
      response.writeHead(302, { location: `${other}${(request.url ?? "").slice(1)}` }).end();
    });
    const withUser = url.replace("//", "//user:geheim@");
    expect(await read(withUser)).toBe(12_000);
    await rejection(httpFiles(url, { headers: { "x-api-key": "geheim" } }), "NETWORK_ERROR", "redirects");
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.join()).not.toMatch(/geheim|authorization/);
  });

  it("in a header that cannot be sent are in no error", async () => {
    const error = await httpFiles("http://127.0.0.1:1/", {
      headers: { authorization: "geheim\n more" },
    }).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(inspect(error)).not.toContain("geheim");
  });

  it("of the caller replace those of the URL; a password may stand alone", async () => {
    const seen: (string | undefined)[] = [];
    const url = await listen(({ headers }, response) => {
      seen.push(headers.authorization);
      response.writeHead(404).end();
    });
    await httpFiles(url.replace("//", "//user:password@"), { headers: { Authorization: "Bearer x" } });
    await httpFiles(url.replace("//", "//:token@"));
    expect(seen).toEqual(["Bearer x", "Bearer x", `Basic ${btoa(":token")}`, `Basic ${btoa(":token")}`]);
  });
});

describe("A server that no longer answers", () => {
  it("is asked four times, not again from the beginning", async () => {
    let count = 0;
    const url = await listen((request, response) => {
      if (!request.url?.includes("MANIFEST")) answer(request, response);
      else response.writeHead(503, { count: String(count++) }).end();
    });
    await expect(read(url)).rejects.toMatchObject({ code: "NETWORK_ERROR" });
    expect(count).toBe(4);
  });

  it("does not hold a scan that ends early, nor the requests that it had begun ahead", async () => {
    const held = new Set<ServerResponse>();
    const url = await listen((request, response) => {
      const start = Number(/^bytes=(\d+)/.exec(request.headers.range ?? "")?.[1] ?? 0);
      // The middle of the table never comes.
      if (start < 2_500_000 || start > 8_000_000) return void answer(request, response);
      held.add(response);
      response.on("close", () => held.delete(response));
    });
    const engine = await openFiles(await httpFiles(url, { timeout: 3_600_000 }));
    for await (const _ of engine.scan("State").chunks()) {
      for (let round = 0; round < 20 && held.size === 0; round++)
        await new Promise((resolve) => setTimeout(resolve, 5));
      if (held.size > 0) break;
    }
    expect(held.size).toBeGreaterThan(0);
    await engine.close();
    while (held.size > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  });
});
