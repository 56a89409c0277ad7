/** Databases on a web server that behaves well, and on servers that do not. */
import { createHash, randomBytes } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { httpFiles, openFiles } from "../../../../src/engines/files/index.js";
import { backupDatabase, type Engine, openEngine, openFilesEngine } from "../../../../src/engines/index.js";
import { openStore } from "../../../../src/index.js";
import { readLog } from "../../../../src/lsm/format/log-records.js";
import { logsOf } from "../../../support/files.js";
import { databases, fixturePath } from "../../../support/fixtures.js";
import { rejection } from "../../../support/rejection.js";
import { samplePath, sampleRows, samples } from "../../../support/samples.mjs";
import { temporaryFolder } from "../../temporary.js";
import { type Server, serve } from "./serve.mjs";

/** The number of rows in the column families, and the hash of all of them. */
async function rowsOf(engine: Engine): Promise<string> {
  const hash = createHash("sha256");
  let count = 0;
  for (const column of engine.columns)
    for await (const { key, value } of engine.scan(column)) {
      hash.update(`${column} ${key.length} ${value.length} `).update(key).update(value);
      count++;
    }
  return `${count} rows ${hash.digest("hex")}`;
}

async function rowsAt(path: string): Promise<string> {
  await using engine = await openFilesEngine(path);
  return await rowsOf(engine);
}

/** A database with files that are read in several parts. */
const source = join(temporaryFolder(), "db");
const folder = join(temporaryFolder(), "backup");
let server: Server;

beforeAll(async () => {
  await cp(fixturePath("core-0.11/tables", "db"), source, { recursive: true });
  await using engine = await openEngine(source, { writable: true });
  for (let part = 0; part < 4; part++)
    await engine.write(
      Array.from({ length: 1000 }, (_, number) => ({
        type: "put",
        column: "Generic",
        key: createHash("sha256").update(`${part} ${number}`).digest(),
        value: randomBytes(700),
      })),
    );
  await engine.flush();
  await backupDatabase(source, folder);
  server = await serve(folder);
});
afterAll(() => server.close());

describe("A backup on a web server", () => {
  it.each(databases)("of $name has the rows of the database", async ({ name }) => {
    const path = fixturePath(name, "db");
    const copy = join(temporaryFolder(), "backup");
    await backupDatabase(path, copy);
    using own = await serve(copy);
    expect(await rowsAt(own.url("plain"))).toEqual(await rowsAt(path));
  });

  it.each(samples)(
    "of $name, whose tables are compressed with dictionaries, has its rows",
    async ({ name }) => {
      const copy = join(temporaryFolder(), "backup");
      await backupDatabase(samplePath(name), copy);
      using own = await serve(copy);
      const rows = await rowsAt(own.url("plain"));
      expect(rows).toEqual(await rowsAt(samplePath(name)));
      expect(rows).toMatch(new RegExp(`^${sampleRows(name).length} rows `));
    },
  );

  it("is opened by openStore and openEngine, for reading only", async () => {
    await using store = await openStore(server.url("plain"));
    expect(store.schema.name).toBe("core-0.11");
    await using engine = await openEngine(server.url("plain"));
    expect(engine.capabilities).toMatchObject({ engine: "files", writable: false });
    expect(engine.warnings).toEqual([]);
    await rejection(
      openStore(server.url("plain"), { writable: true }),
      "INVALID_ARGUMENT",
      "can only be read",
    );
  });

  it.each(["dated", "silent", "slow", "busy", "drops"])("is read from a server that is %s", async (how) => {
    expect(await rowsAt(server.url(how))).toEqual(await rowsAt(source));
  });

  it("lists its files with their sizes and hashes", async () => {
    const { files } = JSON.parse(readFileSync(join(folder, "merostore-files.json"), "utf8")) as {
      files: { name: string; size: number }[];
    };
    const names = readdirSync(folder).filter((name) => name !== "merostore-files.json");
    expect(files.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    for (const { name, size } of files) expect(readFileSync(join(folder, name))).toHaveLength(size);
  });

  it("sends the user and password of the URL, and its query with each file", async () => {
    await server.requests();
    const url = server.url("plain").replace("//", "//anna:p%40ss@");
    await rowsAt(`${url}?signature=abc`);
    const requests = await server.requests();
    const authorization = `Basic ${Buffer.from("anna:p@ss").toString("base64")}`;
    expect(requests.length).toBeGreaterThan(3);
    for (const request of requests) expect(request).toMatchObject({ authorization, query: "?signature=abc" });
    const error = await rowsAt(`${url.replace("plain", "down")}?signature=abc`).catch(
      (error: Error) => error,
    );
    expect(String(error)).not.toMatch(/p@ss|p%40ss|abc/);
  });
});

describe("A folder without a list of its files", () => {
  it("is read with its tables and its logs, whose numbers are tried", async () => {
    await using engine = await openFilesEngine(server.url("unlisted"));
    expect(engine.warnings).toEqual([]);
    expect(await rowsOf(engine)).toEqual(await rowsAt(source));
  });

  it.each([...databases.map(({ name }) => name), "formats/logs", "formats/log-blocks"])(
    "has the rows of %s; and is refused without its logs, unless the loss is accepted",
    async (name) => {
      const path = join(temporaryFolder(), "db");
      await cp(fixturePath(name, "db"), path, { recursive: true });
      using own = await serve(path);
      const url = own.url("plain");
      expect(await rowsAt(url)).toEqual(await rowsAt(path));
      for (const log of logsOf(path)) rmSync(join(path, log));
      const openListed = async (url: string) => openFiles(await httpFiles(url));
      for (const open of [openFilesEngine, openEngine, openStore, openListed])
        await expect(open(url), open.name).rejects.toMatchObject({
          code: "LOG_MISSING",
          message: expect.stringMatching(
            /of \d{6}\.log to \d{6}\.log none can be found\. .*\(acceptLogLoss\)$/,
          ),
        });
      await using engine = await openEngine(url, { acceptLogLoss: true });
      expect(engine.warnings).toEqual([
        { code: "LOG_MISSING", message: expect.stringContaining("write-ahead logs of http") },
      ]);
      await openFiles(await httpFiles(url), { acceptLogLoss: true });
      await using local = await openFilesEngine(path, { acceptLogLoss: true });
      expect(await rowsOf(engine)).toEqual(await rowsOf(local));
    },
  );

  it("has logs that were begun after the MANIFEST was written, and is refused without the first", async () => {
    const path = join(temporaryFolder(), "db");
    {
      await using engine = await openEngine(path, { create: true, columns: [], engine: "rocksdb" });
      for (let at = 0; at < 20; at++)
        await engine.write([
          { type: "put", column: "default", key: Uint8Array.of(at), value: randomBytes(9) },
        ]);
      await cp(path, `${path}-copy`, { recursive: true });
    }
    const copy = `${path}-copy`;
    const [first] = logsOf(copy) as [string];
    const log = readFileSync(join(copy, first));
    const { offset } = readLog(log).records[10] as { readonly offset: number };
    writeFileSync(join(copy, first), log.subarray(0, offset));
    writeFileSync(join(copy, "000030.log"), log.subarray(offset));
    using own = await serve(copy);
    const rows = await rowsAt(copy);
    expect(rows).toMatch(/^20 rows/);
    expect(await rowsAt(own.url("plain"))).toEqual(rows);
    rmSync(join(copy, first));
    await rejection(openFilesEngine(own.url("plain")), "LOG_MISSING", "only 000030.log can be found");
  });

  it("without CURRENT is no database", async () => {
    using empty = await serve(temporaryFolder());
    await expect(openFilesEngine(empty.url("plain"))).rejects.toMatchObject({ code: "NOT_A_DATABASE" });
  });
});

describe("A server that cannot be relied on is refused:", () => {
  it.each([
    ["ignores", "NETWORK_ERROR", "does not answer range requests"],
    ["lies", "NETWORK_ERROR", "answers with the range"],
    ["long", "NETWORK_ERROR", "sends more than"],
    ["short", "NETWORK_ERROR", "the answer ends after"],
    ["gzip", "NETWORK_ERROR", "compresses"],
    ["down", "NETWORK_ERROR", "500"],
    ["hangs", "NETWORK_ERROR", "sent neither whole headers nor data for"],
    ["trickles", "NETWORK_ERROR", "sends fewer than 4096 bytes a second"],
    ["shifted", "DATABASE_DAMAGED", "damaged"],
    ["changes", "ENGINE_FAILED", "has changed"],
    ["grows", "ENGINE_FAILED", "has changed"],
    ["forbidden", "NETWORK_ERROR", "403"],
  ])("one that %s", async (how, code, message) => {
    const read = async (): Promise<unknown> => {
      const timeout = ["hangs", "trickles"].includes(how) ? 100 : 20_000;
      await using engine = await openFiles(await httpFiles(server.url(how), { timeout }));
      return await rowsOf(engine);
    };
    const error = await read().catch((error: unknown) => error);
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
    expect(String(error)).toContain(`/${how}/`);
    expect(String(error)).not.toContain("\u001b");
  });

  it("one that is not there", async () => {
    const gone = await serve(folder);
    const url = gone.url("plain");
    gone.close();
    await rejection(openFilesEngine(url), "NETWORK_ERROR", "ECONNREFUSED");
  });

  it.each([
    ["not JSON", "DATABASE_DAMAGED"],
    ['{"format":"merostore-files","version":2,"files":[]}', "FORMAT_UNSUPPORTED"],
    [
      '{"format":"merostore-files","version":1,"files":[{"name":"../x","size":1,"sha256":"00"}]}',
      "DATABASE_DAMAGED",
    ],
  ])("one with the list %s", async (list, code) => {
    const copy = join(temporaryFolder(), "backup");
    await backupDatabase(source, copy);
    writeFileSync(join(copy, "merostore-files.json"), list);
    using own = await serve(copy);
    await expect(openFilesEngine(own.url("plain"))).rejects.toMatchObject({ code });
  });

  it("one whose files are not those of the list", async () => {
    const copy = join(temporaryFolder(), "backup");
    await backupDatabase(source, copy);
    writeFileSync(join(copy, "CURRENT"), "MANIFEST-999999\n");
    using own = await serve(copy);
    await rejection(
      openFilesEngine(own.url("plain")),
      "ENGINE_FAILED",
      "is not the file that merostore-files.json lists",
    );
  });
});

describe("Requests", () => {
  it("are for parts that are needed, near ones together, each byte once", async () => {
    const size = readdirSync(folder).reduce((sum, name) => sum + readFileSync(join(folder, name)).length, 0);
    await server.requests();
    await rowsAt(server.url("plain"));
    const requests = await server.requests();
    const sent = requests.reduce((sum, { bytes }) => sum + bytes, 0);
    expect(sent).toBeLessThanOrEqual(size);
    for (const { name, range, ifRange } of requests.slice(4))
      if (range !== undefined && requests.find((one) => one.name === name)?.range !== range)
        expect(ifRange).toBeDefined();
  });
});

afterAll(() => rmSync(join(folder, ".."), { recursive: true, force: true }));
