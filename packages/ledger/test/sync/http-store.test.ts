/** Files on a server: refusals of the server, and devices that sync through it. */
import { once } from "node:events";
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, request, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { join } from "node:path";
import { MerostoreError } from "merostore/internal";
import { afterEach, describe, expect, it, vi } from "vitest";
import { cleanUpAfterEach, temporaryFolder } from "../../../../test/engines/temporary.js";
import { type FileStore, httpStore, type ServeOptions, serveFiles } from "../../src/index.js";
import { SharedFolder } from "../../src/sync/folder/shared-folder.js";
import { contents, Gate, macrotasks } from "../support.js";
import { FolderDevices } from "./folder-devices.js";

const TOKEN = "made-up-token-0123456789";
const devices = new FolderDevices();
const open: AsyncDisposable[] = [];
cleanUpAfterEach();
afterEach(async () => {
  await devices.remove();
  for (const one of open.splice(0).reverse()) await one[Symbol.asyncDispose]();
});

async function served(options: Partial<ServeOptions> = {}) {
  const path = temporaryFolder();
  const server = await serveFiles(path, { token: TOKEN, ...options });
  open.push(server);
  return { path, server };
}

describe("The server", () => {
  const ask = async (
    url: string,
    path: string,
    { method = "GET", headers = {} }: { method?: string; headers?: Record<string, string> } = {},
  ): Promise<number> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(url);
      const asked = request({ hostname, port, path, method, headers }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      asked.on("error", reject).end();
    });
  const authorization = `Bearer ${TOKEN}`;

  it("answers nothing without its token", async () => {
    const { server, path } = await served();
    for (const given of ["", "Bearer", `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, `Basic ${TOKEN}`])
      for (const method of ["GET", "PUT", "DELETE", "POST"])
        expect(await ask(server.url, "/a", { method, headers: { authorization: given } })).toBe(401);
    expect(readdirSync(path)).toEqual([]);
  });

  it.each([
    "/../file",
    "/a/../../file",
    "/%2e%2e/file",
    "/a%2ffile",
    "/a\\file",
    "/.hidden",
    "//file",
    "/a//b",
    "/a/b/c/d/e",
    "/A",
    `/${"a".repeat(101)}`,
    "/a?b",
    "http://example.org/a",
  ])("takes no path but those of clouds: %s", async (name) => {
    const { server } = await served();
    const headers = { authorization, range: "bytes=0-9" };
    expect(await ask(server.url, name, { headers })).toBe(400);
    expect(await ask(server.url, name, { method: "DELETE", headers })).toBe(400);
    expect(
      await ask(server.url, name, { method: "PUT", headers: { ...headers, "content-length": "0" } }),
    ).toBe(400);
  });

  it("does not remove the folder that it serves", async () => {
    const { server, path } = await served();
    expect(await ask(server.url, "/", { method: "DELETE", headers: { authorization } })).toBe(400);
    expect(readdirSync(path)).toEqual([]);
  });

  it("takes no file that is too large, and no range but a plain one", async () => {
    const { server } = await served();
    const put = (size: number) =>
      ask(server.url, "/a", { method: "PUT", headers: { authorization, "content-length": `${size}` } });
    expect(await put(2 ** 30)).toBe(413);
    for (const range of ["", "bytes=0-", "bytes=-5", "bytes=5-1", "bytes=0-1,3-4", "lines=0-1"])
      expect(await ask(server.url, "/a", { headers: { authorization, range } })).toBe(400);
    expect(await ask(server.url, "/a", { method: "POST", headers: { authorization } })).toBe(405);
  });

  /** Sends the head of a request, and returns the connection. */
  const begin = async (url: string, ...head: readonly string[]): Promise<Socket> => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    open.push({ [Symbol.asyncDispose]: async () => void socket.destroy() });
    socket.on("error", () => undefined);
    socket.write([...head, "host: localhost", "", ""].join("\r\n"));
    return socket;
  };

  it.each(["GET", "PUT", "DELETE", "POST"])("reads no body of a %s that it refuses", async (method) => {
    const { server } = await served();
    const socket = await begin(server.url, `${method} /a HTTP/1.1`, "content-length: 1000000");
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 401 .*\r\nconnection: close\r\n/is);
    await once(socket, "close");
  });

  it("takes files while others, however many, come slowly", async () => {
    const { server } = await served();
    for (let at = 0; at < 8; at++) {
      const size = ["content-length: 90000000", "expect: 100-continue"];
      const socket = await begin(
        server.url,
        `PUT /a${at} HTTP/1.1`,
        `authorization: ${authorization}`,
        ...size,
      );
      const [answer] = (await once(socket, "data")) as [Buffer];
      expect(answer.toString()).toMatch(/^HTTP\/1.1 100 /);
      socket.write("a");
    }
    const store = httpStore(server.url, { token: TOKEN });
    await store.write("b", Uint8Array.of(1));
    expect(await store.list("")).toContain("b");
  });

  it("serves on after clients, however many, have left before their answer", async () => {
    const gate = new Gate();
    const bytes = new Uint8Array(90 << 20);
    const read = vi.fn(async () => {
      await gate.opened;
      return { bytes, size: bytes.length, version: "1" };
    });
    const store = Object.assign(new SharedFolder(temporaryFolder()), { read });
    const server = await serveFiles(store, { token: TOKEN });
    open.push(server);
    const headers = { authorization, range: "bytes=0-99999999" };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    for (let at = 1; at <= 5; at++) {
      const socket = await begin(server.url, "GET /a HTTP/1.1", ...lines);
      await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(at), { timeout: 500_000 });
      socket.destroy();
      await once(socket, "close");
    }
    await macrotasks(10);
    gate.open();
    await vi.waitFor(async () => expect(await ask(server.url, "/a", { headers })).toBe(206), {
      timeout: 500_000,
    });
  });

  it("follows no links in its folder", async () => {
    const { server, path } = await served();
    const outside = temporaryFolder();
    writeFileSync(join(outside, "secret"), "secret");
    symlinkSync(join(outside, "secret"), join(path, "file"));
    symlinkSync(outside, join(path, "folder"));
    const headers = { authorization, range: "bytes=0-9" };
    for (const name of ["/file", "/folder/secret", "/folder/"])
      expect(await ask(server.url, name, { headers })).toBe(503);
    const put = { method: "PUT", headers: { authorization, "content-length": "0" } };
    expect(await ask(server.url, "/folder/new", put)).toBe(503);
    for (const name of ["/folder/secret", "/folder/"])
      expect(await ask(server.url, name, { method: "DELETE", headers })).toBe(503);
    expect(readdirSync(outside)).toEqual(["secret"]);
  });

  it("is refused by name for a wrong token, address or folder", async () => {
    const path = temporaryFolder();
    await expect(serveFiles(path, { token: "short" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await expect(serveFiles(path, { token: TOKEN, host: "192.0.2.1" })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringContaining("cannot listen on 192.0.2.1"),
    });
    await expect(serveFiles(join(path, "missing"), { token: TOKEN })).rejects.toMatchObject({
      code: "NETWORK_ERROR",
    });
  });
});

describe("The store of a server", () => {
  /** A server that answers as a test says. */
  async function answering(answer: Parameters<typeof createServer>[1]): Promise<FileStore> {
    const server: Server = createServer(answer);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    open.push({
      async [Symbol.asyncDispose]() {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    });
    return httpStore(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
      token: TOKEN,
      timeout: 200,
    });
  }

  it.each<[string, Parameters<typeof createServer>[1]]>([
    ["an error", (_, response) => response.writeHead(500).end()],
    ["no answer", () => undefined],
    ["a redirect", (_, response) => response.writeHead(307, { location: "http://127.0.0.1:1/" }).end()],
    [
      "more bytes than asked for",
      (_, response) => response.writeHead(206, { etag: "v", "content-range": "bytes 0-3/4" }).end("12345678"),
    ],
    [
      "fewer bytes than asked for",
      (_, response) => response.writeHead(206, { etag: "v", "content-range": "bytes 0-3/4" }).end("123"),
    ],
    [
      "other bytes than asked for",
      (_, response) => response.writeHead(206, { etag: "v", "content-range": "bytes 1-4/5" }).end("1234"),
    ],
    ["no version", (_, response) => response.writeHead(206, { "content-range": "bytes 0-3/4" }).end("1234")],
    ["no size", (_, response) => response.writeHead(206, { etag: "v" }).end("1234")],
    [
      "a page of a portal",
      (_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>Sign in"),
    ],
    ["the end of the connection", ({ socket }) => socket.destroy()],
  ])("calls %s a failure of the network, and never tells the token", async (_, answer) => {
    const store = await answering(answer);
    const all = [store.read("a", 4), store.list("a"), store.write("a", Uint8Array.of(1)), store.remove("a")];
    const failures = (await Promise.allSettled(all)).filter((one) => one.status === "rejected");
    for (const { reason } of failures) {
      expect(reason).toMatchObject({ code: "NETWORK_ERROR" });
      expect(`${reason.stack} ${reason.cause?.stack} ${reason.cause?.cause}`).not.toContain(TOKEN);
    }
    await expect(store.read("a", 4)).rejects.toMatchObject({ code: "NETWORK_ERROR" });
  });

  it.each([
    ["an answer of a missing file", 404],
    ["an answer without a size", 206],
    ["an answer with a wrong status", 500],
  ])("keeps no connection for the rest of %s", async (_, status) => {
    const answers: ServerResponse[] = [];
    const store = await answering((_, response) => {
      answers.push(response);
      response.writeHead(status, { "content-length": 1 << 24 }).write(Buffer.alloc(1 << 20));
    });
    for (let count = 0; count < 3; count++) await store.read("a", 4).catch(() => undefined);
    await vi.waitFor(() => expect(answers.map(({ destroyed }) => destroyed)).toEqual([true, true, true]), {
      timeout: 500_000,
    });
  });

  it.each([
    ["ftp://example.org/", TOKEN],
    ["example.org", TOKEN],
    ["https://user:secret@example.org/", TOKEN],
    ["https://example.org/?token=secret", TOKEN],
    ["https://example.org/", "too short"],
    ["https://example.org/", "with spaces and long enough"],
    ["https://example.org/", "with\nline-feeds-and-long-enough"],
  ])("refuses the URL %s or the token, without telling secrets", (url, token) => {
    const message = expect.not.stringMatching(/secret|spaces and|too short|feeds/);
    expect(() => httpStore(url, { token })).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT", message }),
    );
  });
});

describe("Devices that sync through a server", () => {
  const device = (number: number, store: FileStore, key?: string) => devices.add(number, { store, key });
  const key = "5f".repeat(32);

  it("have the same entries, large values too, and the folder is one that devices reach as files", async () => {
    const { server, path } = await served();
    const store = httpStore(server.url, { token: TOKEN });
    const [one, two] = [await device(1, store, key), await device(2, store, key)];
    const large = "0123456789".repeat(30_000);
    for (let at = 0; at < 30; at++) {
      await one.page.put(`key ${at}`, `${at}`);
      await one.cloud.sync(); // more packs than stay apart
    }
    await one.page.put("large", large);
    await one.cloud.sync();
    expect(await two.cloud.sync()).toEqual({ waiting: 0 });
    expect(await contents(two.page)).toEqual(await contents(one.page));
    expect(await contents(two.page)).toMatchObject({ large });
    await two.page.put("key 0", "other");
    await two.cloud.sync();
    const three = await device(3, new SharedFolder(path), key);
    await three.cloud.sync();
    expect(await contents(three.page)).toEqual(await contents(two.page));
  });

  it("name a server without room, and do not quote its other answers", async () => {
    const full = Object.assign(new Error("no room"), { code: "ENOSPC" });
    const refusal = new MerostoreError("NETWORK_ERROR", "a: no room", { cause: full });
    const folder: FileStore = Object.assign(new SharedFolder(temporaryFolder()), {
      write: () => Promise.reject(refusal),
    });
    const server = await serveFiles(folder, { token: TOKEN });
    open.push(server);
    await expect(httpStore(server.url, { token: TOKEN }).write("a", Uint8Array.of(1))).rejects.toMatchObject({
      code: "NETWORK_ERROR",
      message: expect.stringContaining("it has no room"),
    });
    const portal = createServer((_, response) => response.end("<html>\u001b[31mSign in"));
    await once(portal.listen(0, "127.0.0.1"), "listening");
    open.push({ [Symbol.asyncDispose]: async () => portal.closeAllConnections() });
    const url = `http://127.0.0.1:${(portal.address() as AddressInfo).port}/`;
    await expect(httpStore(url, { token: TOKEN }).list("")).rejects.toMatchObject({
      code: "NETWORK_ERROR",
      message: `${url}: the answer is not a list of names`,
    });
    expect(() => httpStore(url, undefined as never)).toThrow("the token");
    await expect(serveFiles(folder, undefined as never)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  it("wait for a server that is away, and go on when it is back", async () => {
    const path = temporaryFolder();
    const first = await serveFiles(path, { token: TOKEN });
    const port = Number(new URL(first.url).port);
    const { cloud, page } = await device(1, httpStore(first.url, { token: TOKEN }));
    await cloud.sync();
    await first.close();
    await page.put("a", "1");
    await expect(cloud.sync()).rejects.toMatchObject({ code: "NETWORK_ERROR" });
    expect(page.syncState).toEqual({ download: "pending", upload: "pending" });
    open.push(await serveFiles(path, { token: TOKEN, port }));
    expect(await cloud.sync()).toEqual({ waiting: 0 });
    expect(page.syncState).toEqual({ download: "idle", upload: "idle" });
  });

  it("fail by name with a wrong token and with a wrong key", async () => {
    const { server } = await served();
    const { cloud } = await device(1, httpStore(server.url, { token: TOKEN }), key);
    await cloud.sync();
    const stranger = await device(2, httpStore(server.url, { token: `${TOKEN}x` }), key);
    await expect(stranger.cloud.sync()).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    expect(stranger.page.syncState.download).toBe("error");
    const other = await device(3, httpStore(server.url, { token: TOKEN }), "60".repeat(32));
    await expect(other.cloud.sync()).rejects.toMatchObject({ code: "WRONG_KEY" });
  });

  it("leave no readable name or value on the server", async () => {
    const { server, path } = await served();
    const { cloud, page } = await device(1, httpStore(server.url, { token: TOKEN }), key);
    await page.put("a name", "a secret value");
    await cloud.sync();
    const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    expect(files.length).toBeGreaterThan(1);
    for (const { parentPath, name } of files)
      expect(readFileSync(join(parentPath, name), "latin1")).not.toMatch(/a name|a secret/);
  });
});
