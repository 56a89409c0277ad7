/** The answers of the server of the explorer, byte by byte. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { copyOfDatabase, fixturePath, temporaryFolder } from "../support/fixtures.js";
import { exploring } from "./explorer.js";

const FILES = "/api/databases/0/files";

interface Listed {
  readonly name: string;
  readonly size: number;
  readonly modified: number;
  readonly file: string;
}

const listedIn = (body: Buffer) => (JSON.parse(body.toString()) as { files: readonly Listed[] }).files;

describe("the routes of data", () => {
  it("name the databases as the user typed them, and whether they have blobs", async () => {
    using folder = temporaryFolder();
    const home = join(folder.path, "node-a");
    mkdirSync(join(home, "blobs"), { recursive: true });
    symlinkSync(fixturePath("core-0.11/node-a/db"), join(home, "data"));
    const second = fixturePath("core-0.11/node-b/db");
    await using explorer = await exploring(home, second);
    const { status, headers, body } = await explorer.get("/api/databases");
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(JSON.parse(body.toString())).toEqual({
      databases: [
        { name: "node-a", path: home, blobs: true },
        { name: "node-b", path: second, blobs: false },
      ],
    });
    expect((await explorer.get("/api/databases/1/files")).status).toBe(200);
    expect((await explorer.get("/api/databases/2/files")).status).toBe(404);
    expect((await explorer.get("/api/databases/1/blobs/2")).status).toBe(404);
  });

  it("give the master key of --key-file with the token only, and say that there is one", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "key");
    writeFileSync(file, "42".repeat(48));
    const path = fixturePath("core-0.11/encrypted", "db");
    await using explorer = await exploring(path, "--key-file", file);
    expect(JSON.parse((await explorer.get("/api/databases")).body.toString()).databases).toMatchObject([
      { key: true },
    ]);
    const { status, body, headers } = await explorer.get("/api/databases/0/key");
    expect([status, headers["cache-control"]]).toEqual([200, "no-store"]);
    expect(body.toString("hex")).toBe("42".repeat(48));
    expect((await explorer.get("/api/databases/0/key", { "x-merostore-token": "0" })).status).toBe(403);
    for (const other of ["/api/databases/1/key", "/api/databases/0/key?", "/api/databases/0/key/"])
      expect((await explorer.get(other)).status).toBe(404);
    await using plain = await exploring(fixturePath("core-0.11/node-a/db"));
    expect((await plain.get("/api/databases/0/key")).status).toBe(404);
  });

  it("list the files that engines read, and no others", async () => {
    using copy = copyOfDatabase("core-0.11/node-a");
    const before = readdirSync(copy.path);
    writeFileSync(join(copy.path, "LOG"), "for people");
    writeFileSync(join(copy.path, "secret.txt"), "of somebody else");
    mkdirSync(join(copy.path, "sub"));
    writeFileSync(join(copy.path, "sub", "CURRENT"), "deeper");
    symlinkSync(join(copy.path, "secret.txt"), join(copy.path, "inside"));
    symlinkSync(fixturePath("core-0.11/node-b/db/CURRENT"), join(copy.path, "999998.sst"));
    symlinkSync("CURRENT", join(copy.path, "999999.sst"));
    await using explorer = await exploring(copy.path);
    const { headers, body } = await explorer.get(FILES);
    const files = listedIn(body);
    expect(headers["cache-control"]).toBe("no-store");
    expect(files.map(({ name }) => name).sort()).toEqual([...before, "999999.sst"].sort());
    for (const { name, size, modified } of files) {
      const found = statSync(join(copy.path, name));
      expect([name, size, modified]).toEqual([name, found.size, Math.floor(found.mtimeMs)]);
    }
    // A link that stays within the folder is a file of it; a link that leads out is not.
    expect((await explorer.get(`${FILES}/999999.sst`)).body.toString()).toBe("MANIFEST-000009\n");
    for (const name of ["999998.sst", "LOG", "secret.txt", "sub", "inside", "missing", "000001.sst"])
      expect((await explorer.get(`${FILES}/${name}`)).status, name).toBe(404);
    writeFileSync(join(copy.path, "888888.sst"), "later");
    expect(listedIn((await explorer.get(FILES)).body).map(({ name }) => name)).toContain("888888.sst");
  });

  it("serve files whole and in parts", async () => {
    using copy = copyOfDatabase("core-0.11/node-a");
    const content = randomBytes(700_000);
    writeFileSync(join(copy.path, "777777.sst"), content);
    writeFileSync(join(copy.path, "666666.sst"), "");
    await using explorer = await exploring(copy.path);
    const path = `${FILES}/777777.sst`;
    const whole = await explorer.get(path);
    expect([whole.status, whole.headers["content-length"], whole.headers["accept-ranges"]]).toEqual([
      200,
      "700000",
      "bytes",
    ]);
    expect(whole.body.equals(content)).toBe(true);
    expect(whole.headers["content-type"]).toBe("application/octet-stream");
    for (const [range, start, end] of [
      ["bytes=0-0", 0, 1],
      ["bytes=10-299999", 10, 300_000],
      ["bytes=699999-", 699_999, 700_000],
      ["bytes=699990-900000", 699_990, 700_000],
      ["bytes=-5", 699_995, 700_000],
      ["bytes=-900000", 0, 700_000],
    ] as const) {
      const { status, headers, body } = await explorer.get(path, { range });
      expect([status, headers["content-range"]], range).toEqual([206, `bytes ${start}-${end - 1}/700000`]);
      expect(body.equals(content.subarray(start, end)), range).toBe(true);
      const head = await explorer.get(path, { range }, "HEAD");
      expect([head.status, head.headers["content-length"], head.body.length], range).toEqual([
        206,
        String(end - start),
        0,
      ]);
    }
    const head = await explorer.get(path, {}, "HEAD");
    expect([head.status, head.headers["content-length"], head.body.length]).toEqual([200, "700000", 0]);
    expect((await explorer.get(`${FILES}/666666.sst`)).body.length).toBe(0);
  });

  it("refuse ranges that are malformed, several, or not in the file", async () => {
    using copy = copyOfDatabase("core-0.11/node-a");
    writeFileSync(join(copy.path, "777777.sst"), Buffer.alloc(700_000));
    await using explorer = await exploring(copy.path);
    for (const range of [
      "bytes=700000-",
      "bytes=5-4",
      "bytes=-0",
      "bytes=-",
      "bytes=a-b",
      "bytes=0-1,3-4",
      "bytes=0-1, 3-4",
      "bytes= 0-1",
      "bytes=1",
      "items=0-1",
      "bytes=0x0-0x1",
      "bytes=-1-2",
      "bytes=99999999999999999999-",
      "bytes=0-99999999999999999999",
      "",
    ]) {
      const { status, headers, body } = await explorer.get(`${FILES}/777777.sst`, { range });
      expect([status, headers["content-range"]], range).toEqual([416, "bytes */700000"]);
      expect(body.toString()).toBe("The file has no such range; it has 700000 bytes.\n");
    }
  });

  it("serve a file as it is now, and a deleted one to a page that has read it", async () => {
    using copy = copyOfDatabase("core-0.11/node-a");
    const log = join(copy.path, "999999.log");
    writeFileSync(log, "one");
    writeFileSync(join(copy.path, "999998.sst"), "first");
    await using explorer = await exploring(copy.path);
    const path = `${FILES}/999999.log`;
    const { headers } = await explorer.get(path, {}, "HEAD");
    const version = headers["x-merostore-file"] as string;
    expect(listedIn((await explorer.get(FILES)).body).find(({ name }) => name === "999999.log")?.file).toBe(
      version,
    );
    appendFileSync(log, "two");
    const grown = await explorer.get(`${path}?file=${version}`, { range: "bytes=3-9" });
    expect([grown.status, grown.headers["content-range"], grown.body.toString()]).toEqual([
      206,
      "bytes 3-5/6",
      "two",
    ]);
    rmSync(log);
    expect((await explorer.get(path)).status).toBe(404);
    expect((await explorer.get(`${path}?file=${version}`)).body.toString()).toBe("onetwo");

    const table = `${FILES}/999998.sst`;
    const first = (await explorer.get(table)).headers["x-merostore-file"] as string;
    writeFileSync(join(copy.path, "next"), "second");
    renameSync(join(copy.path, "next"), join(copy.path, "999998.sst"));
    const now = await explorer.get(table);
    expect([now.body.toString(), now.headers["x-merostore-file"] === first]).toEqual(["second", false]);
    expect((await explorer.get(`${table}?file=${first}`)).body.toString()).toBe("first");
    for (const query of [
      "file=",
      "file=nothing",
      "file=../x",
      "file=a&file=b",
      "x=1",
      `file=${"a".repeat(65)}`,
      "",
    ])
      expect((await explorer.get(`${table}?${query}`)).status, query).toBe(404);
  });

  it("serve blob files, and only names of blobs", async () => {
    using folder = temporaryFolder();
    const blobs = join(folder.path, "elsewhere");
    mkdirSync(blobs);
    const ids = ["2NEpo7TZRRrLZSi2U2h3Sj4Zb4tdbV3YzM1Y4cF6eVd1", "ab".repeat(32)];
    for (const id of ids) writeFileSync(join(blobs, id), `content of ${id}`);
    writeFileSync(join(blobs, "config.toml"), "secret");
    writeFileSync(join(folder.path, "2"), "outside");
    symlinkSync(join(folder.path, "2"), join(blobs, "3"));
    await using explorer = await exploring(fixturePath("core-0.11/node-a/db"), "--blobs", blobs);
    const path = "/api/databases/0/blobs";
    for (const id of ids)
      expect((await explorer.get(`${path}/${id}`)).body.toString()).toBe(`content of ${id}`);
    const part = await explorer.get(`${path}/${ids[0]}`, { range: "bytes=0-6" });
    expect([part.status, part.body.toString()]).toEqual([206, "content"]);
    for (const name of ["config.toml", "3", "4", "", "."])
      expect((await explorer.get(`${path}/${name}`)).status, name).toBe(404);
    expect((await explorer.get(path)).status).toBe(404);
    const databases = JSON.parse((await explorer.get("/api/databases")).body.toString()) as object;
    expect(databases).toMatchObject({ databases: [{ blobs: true }] });
  });

  it("end the connection where a file turns out to be shorter", async () => {
    using copy = copyOfDatabase("core-0.11/node-a");
    const path = join(copy.path, "777777.sst");
    writeFileSync(path, Buffer.alloc(64 * 1024 * 1024, 1));
    await using explorer = await exploring(copy.path);
    const socket = connect(explorer.port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write(
      `GET ${FILES}/777777.sst HTTP/1.1\r\nhost: 127.0.0.1:${explorer.port}\r\nx-merostore-token: ${explorer.token}\r\n\r\n`,
    );
    // The first bytes have arrived. Nobody takes the others, so most of them are still to be read.
    await once(socket, "readable");
    truncateSync(path, 1_000_000);
    let bytes = 0;
    socket.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
    });
    await once(socket, "close");
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(64 * 1024 * 1024);
    expect((await explorer.get("/api/databases")).status).toBe(200);
  });
});
