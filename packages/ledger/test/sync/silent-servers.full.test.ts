/** Servers that take requests and do not answer: a page closes nevertheless. */
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it, vi } from "vitest";
import { rejection } from "../../../../test/engines/rocksdb/helpers.js";
import { cleanUpAfterEach } from "../../../../test/engines/temporary.js";
import { type FileStore, folderCloud, httpStore, s3Store } from "../../src/index.js";
import { testLedger } from "../support.js";

const TOKEN = "made-up-token-0123456789";
const open: (() => void)[] = [];
cleanUpAfterEach();
afterEach(() => {
  for (const close of open.splice(0)) close();
});

async function serverWith(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

it.each<[string, (url: string) => FileStore]>([
  ["httpStore", (url) => httpStore(url, { token: TOKEN })],
  ["s3Store", (url) => s3Store(url, { bucket: "bucket", accessKeyId: "id", secretAccessKey: "secret" })],
])("closing waits some seconds for one, and ends its request: %s", async (_, storeOf) => {
  const asked: IncomingMessage[] = [];
  const store = storeOf(await serverWith((request) => void asked.push(request)));
  const ledger = await testLedger({ cloud: folderCloud(store) });
  const page = await ledger.rootPage();
  await page.put("name", "Alice");
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  const start = performance.now();
  await ledger.close();
  expect(performance.now() - start).toBeLessThan(30_000);
  await vi.waitFor(() => expect(asked[0]?.socket.destroyed).toBe(true));
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
  await vi.waitFor(() => expect(asked.sort()).toEqual(["GET", "PUT"]));
  closing.abort(new Error("the page was closed"));
  expect((await reading).message).toContain("the page was closed");
  await writing;
  await rejection(store.list(""), "NETWORK_ERROR");
  expect(asked).toHaveLength(2);
});
