/** Servers that take requests and do not answer: a page closes nevertheless. */
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it, vi } from "vitest";
import { cleanUpAfterEach, temporaryFolder } from "../../../../test/engines/temporary.js";
import { rejection } from "../../../../test/support/rejection.js";
import {
  type FileStore,
  folderCloud,
  httpStore,
  memoryPlace,
  newDevice,
  s3Store,
  serveFiles,
  startDevices,
} from "../../src/index.js";
import { SharedFolder } from "../../src/sync/folder/shared-folder.js";
import { contents, Gate, testLedger, text, ticking } from "../support.js";

const TOKEN = "made-up-token-0123456789";
/** Milliseconds for a request: a test that waits for its end never ends. */
const timeout = 2 ** 31 - 1;
const open: (() => void)[] = [];
cleanUpAfterEach();
afterEach(() => {
  for (const close of open.splice(0)) close();
});

async function serverWith(answer: (...given: Parameters<RequestListener>) => unknown): Promise<string> {
  const server = createServer((...given) => void answer(...given));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

it.each<[string, (url: string) => FileStore]>([
  ["httpStore", (url) => httpStore(url, { token: TOKEN, timeout })],
  [
    "s3Store",
    (url) => s3Store(url, { bucket: "bucket", accessKeyId: "id", secretAccessKey: "secret", timeout }),
  ],
])("closing waits some seconds for one, and ends its request: %s", async (_, storeOf) => {
  const asked: IncomingMessage[] = [];
  const store = storeOf(await serverWith((request) => void asked.push(request)));
  const ledger = await testLedger({ cloud: folderCloud(store) });
  const page = await ledger.rootPage();
  await page.put("name", "Alice");
  await vi.waitFor(() => expect(asked).toHaveLength(1), { timeout: 500_000 });
  await ledger.close();
  await vi.waitFor(() => expect(asked[0]?.socket.destroyed).toBe(true), { timeout: 500_000 });
});

it("closing waits some seconds for one that does not tell the devices of a folder, and ends its request", async () => {
  const folder = temporaryFolder();
  const { secret } = newDevice();
  const roster = await startDevices(folder, { secret, name: "laptop" });
  const server = await serveFiles(folder, { token: TOKEN });
  const asked: IncomingMessage[] = [];
  const url = await serverWith(async (request, response) => {
    const { method = "GET", url: path = "", headers } = request;
    if (path.startsWith("/devices")) return void asked.push(request);
    const { authorization = "", range = "" } = headers;
    const answer = await fetch(new URL(path, server.url), { method, headers: { authorization, range } });
    response.writeHead(
      answer.status,
      Object.fromEntries([...answer.headers].filter(([name]) => name !== "connection")),
    );
    response.end(new Uint8Array(await answer.arrayBuffer()));
  });
  const cloud = folderCloud(httpStore(url, { token: TOKEN, timeout }), { device: { secret, roster } });
  const ledger = await testLedger({ cloud });
  await (await ledger.rootPage()).put("name", "Alice");
  await vi.waitFor(() => expect(asked.map(({ url }) => url)).toEqual(["/devices/"]), { timeout: 500_000 });
  await ledger.close();
  await vi.waitFor(() => expect(asked[0]?.socket.destroyed).toBe(true), { timeout: 500_000 });
  await server.close();
});

it("the end of reading ends no writing", async () => {
  const asked: string[] = [];
  const url = await serverWith((request, response) => {
    asked.push(request.method ?? "");
    if (request.method === "PUT")
      request.resume().on("end", () => setTimeout(() => response.writeHead(204).end(), 300));
  });
  const closing = new AbortController();
  const store = httpStore(url, { token: TOKEN }).within?.(closing.signal) as FileStore;
  const [reading, writing] = [rejection(store.list(""), "NETWORK_ERROR"), store.write("a", Uint8Array.of(1))];
  await vi.waitFor(() => expect(asked.sort()).toEqual(["GET", "PUT"]), { timeout: 500_000 });
  closing.abort(new Error("the page was closed"));
  expect((await reading).message).toContain("the page was closed");
  await writing;
  await rejection(store.list(""), "NETWORK_ERROR");
  expect(asked).toHaveLength(2);
});

it("reads and changes do not wait for a common ancestor that only the cloud has; it is shown when it comes", async () => {
  const folder = new SharedFolder(temporaryFolder());
  let gate: Gate | undefined;
  const read: FileStore["read"] = async (...given) => {
    await gate?.opened;
    return folder.read(...given);
  };
  const store: FileStore = Object.assign(Object.create(folder) as FileStore, { read });
  for (const name of ["checkIsThere", "list", "write", "remove"] as const)
    Object.assign(store, { [name]: folder[name].bind(folder) });
  const device = async (at: number, place = memoryPlace()) => {
    const cloud = folderCloud(store, { interval: 100_000 });
    const ledger = await testLedger({ cloud, clock: ticking(BigInt(1000 * at), 10_000n) }, place);
    return { cloud, ledger, place, page: await ledger.rootPage() };
  };
  const [one, two] = [await device(1), await device(2)];
  await Promise.all(Array.from({ length: 50 }, (_, at) => one.page.put(`key ${at}`, "value ".repeat(20))));
  for (const { cloud } of [one, two]) await cloud.sync();
  await one.page.put("one", "1");
  await two.page.put("two", "2");
  for (const { cloud } of [one, two]) await cloud.sync();
  const fresh = await device(3);
  await fresh.cloud.sync();
  await fresh.ledger.close();
  gate = new Gate();
  const three = await device(4, fresh.place);
  expect(await three.page.heads()).toHaveLength(2);
  await three.page.put("three", "3");
  const changes: string[] = [];
  await three.page.watch({}, ({ changed }) => void changes.push(...changed.map(({ key }) => text(key))));
  const { three: own, ...others } = await contents(three.page);
  expect(own).toBe("3");
  expect("one" in others).not.toBe("two" in others);
  gate.open();
  await vi.waitFor(
    async () => expect(await contents(three.page)).toMatchObject({ one: "1", two: "2", three: "3" }),
    { timeout: 500_000 },
  );
  await vi.waitFor(() => expect(changes).toEqual(["one" in others ? "two" : "one"]), { timeout: 500_000 });
  for (const { ledger } of [one, two, three]) await ledger.close();
});
