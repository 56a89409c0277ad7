/** Files in a bucket: the answers of a service, and devices that sync through it. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type FileStore, type S3StoreOptions, s3Store } from "../../src/index.js";
import { parseList } from "../../src/sync/s3/s3-store.js";
import { contents } from "../support.js";
import { FolderDevices } from "./folder-devices.js";
import { BUCKET, KEYS, s3Server } from "./s3-server.js";

const devices = new FolderDevices();
const open: AsyncDisposable[] = [];
afterEach(async () => {
  await devices.remove();
  for (const one of open.splice(0).reverse()) await one[Symbol.asyncDispose]();
});

const options = { bucket: BUCKET, folder: "ledgers", ...KEYS };

async function served() {
  const server = await s3Server();
  open.push(server);
  return { server, store: s3Store(server.url, options) };
}

const device = (number: number, store: FileStore, key?: string) => devices.add(number, { store, key });

describe("Devices that sync through a bucket", () => {
  const key = "5f".repeat(32);

  it("have the same entries, and leave no readable value there", async () => {
    const { server, store } = await served();
    server.files.set("ledgers/", new Uint8Array(0)); // consoles create folders so
    server.files.set("other/file", Uint8Array.of(1));
    const [one, two] = [await device(1, store, key), await device(2, store, key)];
    for (let at = 0; at < 8; at++) {
      await one.page.put(`key ${at}`, `secret ${at}`);
      await one.cloud.sync(); // more packs than a page of a list has
    }
    await one.page.put("large", "0123456789".repeat(30_000));
    await one.cloud.sync();
    expect(await two.cloud.sync()).toEqual({ waiting: 0 });
    await two.page.put("key 0", "other");
    await two.cloud.sync();
    await one.cloud.sync();
    expect(await contents(two.page)).toEqual(await contents(one.page));
    expect(Object.keys(await contents(two.page))).toHaveLength(9);
    const all = [...server.files]
      .map(([name, bytes]) => `${name} ${Buffer.from(bytes).toString("latin1")}`)
      .join();
    expect(all).not.toContain("secret");
    expect([...server.files.keys()].filter((name) => !name.startsWith("ledgers/"))).toEqual(["other/file"]);
  });

  it("wait while the service is busy, and go on afterwards", async () => {
    const { server, store } = await served();
    const { cloud, page } = await device(1, store);
    await cloud.sync();
    await page.put("a", "1");
    server.failures.push(...Array<number>(50).fill(503));
    await expect(cloud.sync()).rejects.toMatchObject({ code: "NETWORK_ERROR" });
    server.failures.length = 0;
    expect(await cloud.sync()).toEqual({ waiting: 0 });
  });
});

describe("The store of a bucket", () => {
  it("names the reason why the service refuses it, and never the secret", async () => {
    const { server } = await served();
    for (const [changed, reason] of [
      [{ secretAccessKey: "another-secret" }, "SignatureDoesNotMatch"],
      [{ accessKeyId: "another" }, "InvalidAccessKeyId"],
      [{ region: "eu-west-1" }, "AuthorizationHeaderMalformed"],
    ] as const) {
      const error = await s3Store(server.url, { ...options, ...changed })
        .list("")
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        code: "PERMISSION_DENIED",
        message: `${server.url}/${BUCKET}/ledgers refuses the request: ${reason} (status 403)`,
      });
    }
    const missing = s3Store(server.url, { ...options, bucket: "not-there" });
    await expect(missing.checkIsThere()).rejects.toMatchObject({ code: "NETWORK_ERROR" });
  });

  it("sends the token of temporary credentials", async () => {
    let token: unknown;
    const server = createServer(({ headers }, response) => {
      token = headers["x-amz-security-token"];
      response.end("<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    open.push({
      async [Symbol.asyncDispose]() {
        server.closeAllConnections();
        server.close();
      },
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await s3Store(url, { ...options, sessionToken: "made-up-session" }).list("")).toEqual([]);
    expect(token).toBe("made-up-session");
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ["https://user:secret@example.org", {}],
    ["https://example.org/bucket", {}],
    ["example.org", {}],
    ["https://example.org", { bucket: undefined }],
    ["https://example.org", { bucket: "A/b" }],
    ["https://example.org", { folder: "a/../b" }],
    ["https://example.org", { folder: "/a" }],
    ["https://example.org", { accessKeyId: undefined }],
    ["https://example.org", { secretAccessKey: "secret with spaces" }],
    ["https://example.org", { secretAccessKey: 7 }],
    ["https://example.org", { timeout: 0 }],
    ["https://example.org", { key: "secret" }],
  ])("refuses %s with %j, without telling secrets", (url, changed) => {
    expect(() => s3Store(url, { ...options, ...changed } as S3StoreOptions)).toThrow(
      expect.objectContaining({
        code: "INVALID_ARGUMENT",
        message: expect.not.stringMatching(/secret@|with spaces/),
      }),
    );
  });
});

describe("A list of keys", () => {
  it("has keys and folders below the prefix", () => {
    const xml = `<?xml version="1.0"?><ListBucketResult xmlns="x"><Prefix>a/</Prefix><IsTruncated>true</IsTruncated>
      <Contents><Key>a/b&amp;c&#x41;</Key></Contents><Contents><Key>other</Key></Contents><Contents><Key>a/</Key></Contents>
      <CommonPrefixes><Prefix>a/d/</Prefix></CommonPrefixes><NextContinuationToken>t&lt;1</NextContinuationToken></ListBucketResult>`;
    expect(parseList(xml, "a/")).toEqual({ names: ["b&cA", "d"], next: "t<1" });
  });

  it.each(["", "<p>Sign in</p>", "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>"])(
    "is nothing else: %s",
    (xml) => {
      expect(parseList(xml, "")).toBeUndefined();
    },
  );
});
