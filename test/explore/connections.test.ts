/** Clients that cost the explorer's server much: many connections, and many requests at once. */
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, beforeAll, expect, it } from "vitest";
import { type ExplorerServer, serveExplorer } from "../../src/explore/server.js";
import { copyOfDatabase, temporaryFolder } from "../support/fixtures.js";
import { rawBytes } from "./explorer.js";

/** Connections that the server has open at the same time. */
const MOST = 64;
/** Far more than the buffers of the system take. */
const MANY_BYTES = 16 * 1024 * 1024;

const folder = temporaryFolder();
const copy = copyOfDatabase("core-0.11/node-a");
const opened: Socket[] = [];
let server: ExplorerServer;
let port: number;
let token: string;

beforeAll(async () => {
  const page = join(folder.path, "page");
  mkdirSync(page, { recursive: true });
  writeFileSync(join(page, "index.html"), "<p>");
  writeFileSync(join(page, "worker.js"), new Uint8Array(MANY_BYTES));
  writeFileSync(join(copy.path, "777777.sst"), new Uint8Array(MANY_BYTES));
  server = await serveExplorer([{ name: "node", path: "node", folder: copy.path, blobs: undefined }], {
    page,
  });
  const { port: used, hash } = new URL(server.address);
  port = Number(used);
  token = hash.slice("#token=".length);
  return async () => {
    await server.close();
    copy[Symbol.dispose]();
    folder[Symbol.dispose]();
  };
});

afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
});

/** A connection that sends some bytes and then nothing. */
async function connected(bytes = ""): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  opened.push(socket);
  await once(socket, "connect");
  socket.write(bytes);
  return socket;
}

/** Waits for the end of a connection, by an error too. */
async function closed(socket: Socket): Promise<void> {
  await new Promise((resolve) => (socket.destroyed ? resolve(0) : socket.once("close", resolve)));
}

const request = (path: string, isKnown: boolean): string =>
  `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${isKnown ? `x-merostore-token: ${token}\r\n` : ""}`;

it("connections without the token make room, the oldest first; others stay", async () => {
  const known = await connected(`${request("/api/databases", true)}\r\n`);
  const first = await once(known, "data");
  expect(String(first[0])).toContain("200 OK");
  const strangers = [];
  for (let index = 0; index < 2 * MOST; index++) strangers.push(await connected(request("/", false)));
  for (const path of ["/", "/api/databases"]) {
    const { status } = await rawBytes(port, `${request(path, true)}connection: close\r\n\r\n`);
    expect(status, path).toBe(200);
  }
  await Promise.all(strangers.slice(0, MOST).map(closed));
  expect(strangers.at(-1)?.destroyed).toBe(false);
  known.write(`${request("/api/databases", true)}\r\n`);
  expect(String((await once(known, "data"))[0])).toContain("200 OK");
});

it("a connection gets one answer at a time: requests that come earlier end it", async () => {
  for (const [path, isKnown] of [
    ["/worker.js", false],
    ["/api/databases/0/files/777777.sst", true],
  ] as const) {
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    socket.write(`${request(path, isKnown)}\r\n`.repeat(1_000));
    let received = 0;
    socket.on("data", (chunk) => {
      received += chunk.length;
    });
    await closed(socket);
    expect(received, path).toBeLessThan(2 * MANY_BYTES);
  }
  expect((await rawBytes(port, `${request("/", false)}connection: close\r\n\r\n`)).status).toBe(200);
});
