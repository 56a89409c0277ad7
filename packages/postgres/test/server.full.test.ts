/**
 * Errors and limits that users of a server meet: names of nodes and families, limits, errors, passwords, TLS, other
 * programs.
 */
import { chmodSync, chownSync, copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { fromHex } from "../../../src/bytes/hex.js";
import type { Engine, RawRow } from "../../../src/engines/index.js";
import { isMerostoreError } from "../../../src/errors.js";
import { core010, core011, detectRevision, revisions, type Schema } from "../../../src/schemas/index.js";
import { openStore } from "../../../src/store/index.js";
import { fixtureRows, temporaryFolder } from "../../../test/support/fixtures.js";
import { listOf } from "../../../test/support/lists.js";
import { openPostgresEngine } from "../src/index.js";
import { fillPostgres } from "../src/open.js";
import { otherProgram } from "./faults/rows.js";
import { GUARDED, PASSWORD, PostgresServer, TLS_ONLY } from "./support/postgres-server.js";
import { TcpProxy } from "./support/tcp-proxy.js";

let server: PostgresServer;
const tls = join(import.meta.dirname, "../../../test/support/tls");
const environment = { ...process.env };

/** Restores the environment. `process.env` stays the same object: Node itself reads no other. */
function restoreEnvironment(): void {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
}

beforeAll(async () => {
  server = await PostgresServer.start({ settings: { fsync: "off" } });
  const client = await otherProgram(server.url());
  await client.query(`create role ${GUARDED} login password '${PASSWORD}'; create role ${TLS_ONLY} login`);
  await client.end();
});
afterAll(() => server?.stop());
afterEach(restoreEnvironment);

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));
const put = (column: string, key: Uint8Array, value: Uint8Array) =>
  ({ type: "put", column, key, value }) as const;

function create(node: string, columns: readonly string[] = ["State"]): Promise<Engine> {
  return openPostgresEngine(server.url(node), { create: true, columns });
}

/** The code and message of the error of a call. No message has the password. */
async function failure(call: Promise<unknown>): Promise<string> {
  try {
    const opened = await call;
    await (opened as Partial<Engine> | undefined)?.close?.();
    return "no error";
  } catch (error) {
    expect(isMerostoreError(error), String(error)).toBe(true);
    const { code, message, stack, cause } = error as {
      code: string;
      message: string;
      stack: string;
      cause?: Error;
    };
    expect(`${message} ${stack} ${cause?.message} ${cause?.stack}`).not.toContain(PASSWORD);
    return `${code}: ${message}`;
  }
}

async function all(engine: Engine, column: string): Promise<RawRow[]> {
  return (await listOf(engine.scan(column).chunks())).flat();
}

it("two programs cannot fill the same new database, and the second one leaves the first one's alone", async () => {
  const url = server.url("filled twice");
  const columns = ["default", "State"];
  const load = (engine: Engine, value: string) =>
    engine.write([put("State", bytes("key"), bytes(value))]).then(() => value);
  const filled = await fillPostgres(url, { columns }, async (first) => {
    const second = fillPostgres(url, { columns }, (engine) => load(engine, "second"));
    expect(await failure(second)).toMatch(/^DATABASE_EXISTS: another program is copying into/);
    expect(await failure(create("filled twice"))).toMatch(/^DATABASE_EXISTS: another program is copying/);
    return load(first, "first");
  });
  expect(filled).toBe("first");
  const engine = await openPostgresEngine(url);
  expect((await all(engine, "State")).map(({ value }) => Buffer.from(value).toString())).toEqual(["first"]);
  await engine.close();
});

describe("a database on a server", () => {
  it("has one schema for each node, and keeps every name of a column family", async () => {
    const columns = ["State", 'a "quoted" name', "_merostore", "ünï", "x".repeat(300), "back\\slash'"];
    const url = server.url('node "one"');
    await using engine = await openPostgresEngine(url, { create: true, columns, revision: "it's core-0.11" });
    await engine.write(columns.map((column, at) => put(column, bytes("key"), bytes(`${at}`))));
    await using again = await openPostgresEngine(url);
    expect(again.columns).toEqual(["default", ...columns]);
    for (const [at, column] of columns.entries())
      expect(await again.get(column, bytes("key"))).toEqual(bytes(`${at}`));
    const client = await otherProgram(server.url());
    const { rows } = await client.query(
      `select name, table_name from "merostore_node ""one"""._merostore where kind in ('layout', 'revision') or name = 'State' order by kind`,
    );
    await client.end();
    expect(rows).toEqual([
      { name: "State", table_name: "State" },
      { name: "1", table_name: null },
      { name: "it's core-0.11", table_name: null },
    ]);
  });

  it.each(revisions)("created as $name is read as it, while its rows leave that open", async (schema) => {
    const url = server.url(`created as ${schema.name}`);
    await (await openStore(url, { create: true, schema: schema as Schema })).close();
    await using empty = await openStore(url);
    expect(empty.schema.name).toBe(schema.name);
    await using state = await empty.raw.snapshot();
    expect((await detectRevision(state)).revision?.name).toBe(schema.name);
  });

  it("is read as its rows are, whatever it was created as", async () => {
    const rows = fixtureRows("core-0.11/node-c").map(({ column, key, value }) =>
      put(column, fromHex(key), fromHex(value)),
    );
    for (const [node, revision] of [
      ["of an old one", "core-0.10"],
      ["of an unknown one", "core-0.99"],
    ]) {
      const at = server.url(node);
      const engine = await openPostgresEngine(at, { create: true, columns: core011.columns, revision });
      await engine.write(rows);
      await engine.close();
      await using store = await openStore(at);
      expect(store.schema.name).toBe("core-0.11");
    }
  });

  it("created as an unknown revision needs rows that show a known one", async () => {
    const url = server.url("of the future");
    const { columns } = core010;
    await (await openPostgresEngine(url, { create: true, columns, revision: "core-0.99" })).close();
    expect(await failure(openStore(url))).toMatch(/^REVISION_AMBIGUOUS/);
  });

  it("of one node does not show the rows of another", async () => {
    await using first = await create("first");
    await using second = await create("second");
    await first.write([put("State", bytes("key"), bytes("of the first"))]);
    expect(await second.get("State", bytes("key"))).toBeUndefined();
  });

  it("is opened by openStore, and created with a schema", async () => {
    const url = server.url("store");
    await using store = await openStore(url, { create: true, schema: core011 });
    expect(store.raw.columns).toContain("Group");
    expect(store.raw.capabilities).toMatchObject({ engine: "postgres", writable: true, persistent: true });
    await using again = await openStore(url, { schema: core011 });
    expect(again.raw.capabilities.writable).toBe(false);
    expect(await failure(openStore(url, { schema: core011, engine: "files" }))).toMatch(
      /^INVALID_ARGUMENT: .*leave it out/,
    );
  });

  it("says whether a settled write survives a power failure, by the server's setting", async () => {
    await using engine = await create("synced");
    expect(engine.capabilities.syncedWrites).toBe(false); // this server runs with fsync = off
  });

  it("shows what another program writes", async () => {
    await using engine = await create("others");
    const client = await otherProgram(server.url());
    await client.query(`insert into "merostore_others"."State" values ('\\x6b', '\\x00ff')`);
    await client.end();
    expect(await engine.get("State", bytes("k"))).toEqual(Uint8Array.of(0, 255));
  });
});

describe("sizes", () => {
  it("declares its limits, and refuses what is larger before anything is sent", async () => {
    await using engine = await create("limits");
    const { keyBytes, valueBytes } = engine.capabilities.limits as { keyBytes: number; valueBytes: number };
    expect(keyBytes).toBe(2690);
    // Bytes that cannot be compressed: PostgreSQL compresses keys in its index.
    const random = (size: number) =>
      Uint8Array.from({ length: size }, (_, at) => (at * 7919 * (at + 3)) >>> 3);
    await engine.write([put("State", random(keyBytes), bytes("longest"))]);
    expect(await engine.get("State", random(keyBytes))).toEqual(bytes("longest"));
    const tooLong = engine.write([
      put("State", bytes("a"), bytes("a")),
      put("State", random(keyBytes + 1), bytes("")),
    ]);
    expect(await failure(tooLong)).toBe(
      "ROW_TOO_LARGE: a key of State has 2,691 bytes; PostgreSQL holds at most 2,690. Nothing was written",
    );
    const tooLarge = engine.write([put("State", bytes("a"), new Uint8Array(valueBytes + 1))], {
      owned: true,
    });
    expect(await failure(tooLarge)).toMatch(/^ROW_TOO_LARGE: a value of State has 134,217,729 bytes/);
    expect(await engine.get("State", bytes("a"))).toBeUndefined();
  });

  it("scans values of every size in order, in chunks that fit into memory", async () => {
    await using engine = await create("large");
    const sizes = [3, 16_384, 16_385, 5_000_000, 0, 3_000_000, 2_000_000, 100_000, 7];
    const rows = sizes.map((size, at) => ({ key: Uint8Array.of(at), value: new Uint8Array(size).fill(at) }));
    await engine.write(rows.map(({ key, value }) => put("State", key, value)));
    expect((await all(engine, "State")).map(({ key, value }) => [...key, value.length])).toEqual(
      sizes.map((size, at) => [at, size]),
    );
    await using snapshot = await engine.snapshot();
    let largest = 0;
    const found: RawRow[] = [];
    for await (const chunk of snapshot.scan("State", {}, { reverse: true }).chunks()) {
      largest = Math.max(
        largest,
        chunk.reduce((sum, { value }) => sum + value.length, 0),
      );
      found.push(...chunk);
    }
    expect(found.map(({ value }) => value.length)).toEqual(sizes.toReversed());
    expect(found.every(({ key, value }) => value.every((byte) => byte === key[0]))).toBe(true);
    expect(largest).toBe(5_000_000);
    expect((await engine.scan("State", {}, { limit: 4, keysOnly: true }).chunks().next()).value).toHaveLength(
      4,
    );
  });

  it.each([
    ["text", "bytea", "'0123'", "'\\x01'"],
    ["bytea", "text", "'\\x01'", "'abcdef'"],
    ["int", "bytea", "5", "'\\x01'"],
    ["bytea null unique", "bytea", "null", "'\\x01'"],
  ])("refuses a table with a key of %s and a value of %s", async (key, value, oneKey, oneValue) => {
    const node = `types ${key} ${value}`;
    await (await create(node)).close();
    const table = `"merostore_${node}"."State"`;
    const client = await otherProgram(server.url());
    await client.query(`drop table ${table}; create table ${table} (key ${key}, value ${value})`);
    await client.query(`insert into ${table} values (${oneKey}, ${oneValue})`);
    await client.end();
    const engine = await openPostgresEngine(server.url(node));
    expect(await failure(all(engine, "State"))).toMatch(/^DATABASE_DAMAGED: .*"State".*bytea/);
    await engine.close();
  });

  it("estimates the bytes of a range", async () => {
    await using engine = await create("sizes");
    const rows = Array.from({ length: 20_000 }, (_, at) =>
      put("State", Uint8Array.of(at >> 8, at & 255), new Uint8Array(100)),
    );
    await engine.write(rows);
    const whole = await engine.approximateSize("State");
    expect(whole).toBeGreaterThan(20_000 * 100);
    const half = await engine.approximateSize("State", { gte: Uint8Array.of(39, 16) });
    expect(half).toBeLessThanOrEqual(whole);
  });
});

it("getMany is one round trip, however many keys", async () => {
  await (await create("rounds")).close();
  const { hostname, port } = new URL(server.url());
  const proxy = await TcpProxy.to(hostname, Number(port));
  try {
    await using engine = await openPostgresEngine(proxy.through(server.url("rounds")), { writable: true });
    const keys = Array.from({ length: 1000 }, (_, at) => bytes(`key ${at}`));
    await engine.write(keys.map((key) => put("State", key, key)));
    let rounds = 0;
    // The server answers each round with ReadyForQuery: `Z`, its length, and I outside a transaction.
    proxy.toClient = (piece) => {
      rounds += piece.toString("latin1").split("Z\0\0\0\u0005I").length - 1;
      return "forward";
    };
    expect(await engine.getMany("State", keys.toReversed())).toEqual(keys.toReversed());
    expect(rounds).toBe(1);
  } finally {
    await proxy.close();
  }
});

describe("load", () => {
  async function* rows(count: number): AsyncGenerator<readonly RawRow[]> {
    for (let at = 0; at < count; at += 100)
      yield Array.from({ length: 100 }, (_, row) => ({
        key: bytes(String(at + row).padStart(6, "0")),
        value: bytes(`${at}`),
      }));
  }

  it("writes all rows, or none", async () => {
    await using engine = await create("load");
    expect(await engine.load?.("State", rows(2_500))).toBe(2_500);
    expect(await all(engine, "State")).toHaveLength(2_500);
    expect(await failure(engine.load?.("State", rows(100)) as Promise<number>)).toMatch(
      /^ENGINE_FAILED: loading State failed/,
    );
    async function* failing(): AsyncGenerator<readonly RawRow[]> {
      yield [{ key: bytes("x"), value: bytes("x") }];
      throw new Error("the rows ended in an error");
    }
    await expect(engine.load?.("State", failing())).rejects.toThrow("the rows ended in an error");
    async function* large(): AsyncGenerator<readonly RawRow[]> {
      yield [{ key: new Uint8Array(3000), value: bytes("x") }];
    }
    expect(await failure(engine.load?.("State", large()) as Promise<number>)).toMatch(/^ROW_TOO_LARGE/);
    expect(await all(engine, "State")).toHaveLength(2_500);
    await engine.write([put("State", bytes("after"), bytes(""))]);
  });
});

describe("opening fails by name", () => {
  it("when there is no server, no database, no node, or no database of ours", async () => {
    const absent = `postgres://tester:${PASSWORD}@127.0.0.1:1/postgres`;
    for (const location of [absent, new URL(absent)])
      expect(await failure(openPostgresEngine(location))).toMatch(
        /^SERVER_UNREACHABLE: postgres:\/\/127\.0\.0\.1:1\/postgres cannot be reached: .*ECONNREFUSED/,
      );
    const elsewhere = server.url().replace("/postgres?", "/nowhere?");
    expect(await failure(openPostgresEngine(elsewhere))).toMatch(
      /^DATABASE_NOT_FOUND: .*"nowhere" does not exist/,
    );
    await (await create("that is there")).close();
    expect(await failure(openPostgresEngine(server.url("missing")))).toMatch(
      /^DATABASE_NOT_FOUND: .* has no node "missing" \(\?node=NAME\); it has .*that is there/,
    );
    const client = await otherProgram(server.url());
    await client.query('create schema "merostore_foreign"');
    expect(await failure(openPostgresEngine(server.url("foreign")))).toMatch(/^NOT_A_DATABASE: /);
    await client.query(`update "merostore_that is there"._merostore set name = '2' where kind = 'layout'`);
    await client.end();
    expect(await failure(openPostgresEngine(server.url("that is there")))).toMatch(
      /^FORMAT_UNSUPPORTED: .*"2"/,
    );
    expect(await failure(create("that is there"))).toMatch(/^DATABASE_EXISTS: /);
  });

  it("when the password is wrong or missing; it is read from the URL, PGPASSWORD and the password file", async () => {
    await (await create("guarded")).close();
    const client = await otherProgram(server.url());
    await client.query(`grant usage on schema "merostore_guarded" to ${GUARDED}`);
    await client.query(`grant select on all tables in schema "merostore_guarded" to ${GUARDED}`);
    await client.end();
    const open = (password?: string) => openPostgresEngine(server.url("guarded", GUARDED, password ?? ""));
    using folder = temporaryFolder();
    const file = join(folder.path, "pgpass");
    process.env.PGPASSFILE = file;
    expect(await failure(open())).toMatch(
      /^ACCESS_DENIED: .* wants a password: give it in PGPASSWORD, in ~\/\.pgpass/,
    );
    expect(await failure(open("wrong"))).toMatch(/^ACCESS_DENIED: .*password authentication failed/);
    expect(await failure(open(PASSWORD))).toBe("no error");
    writeFileSync(
      file,
      `# hosts\nelsewhere:*:*:*:wrong\n127.0.0.1:${server.port}:*:${GUARDED}:${PASSWORD}\n`,
      { mode: 0o600 },
    );
    expect(await failure(open())).toBe("no error");
    chmodSync(file, 0o644);
    expect(await failure(open())).toMatch(/^ACCESS_DENIED/);
    process.env.PGPASSWORD = PASSWORD;
    expect(await failure(open())).toBe("no error");
  });

  it("when the user may not write, or the session only reads", async () => {
    await (await create("readable")).close();
    const client = await otherProgram(server.url());
    await client.query(`grant usage on schema "merostore_readable" to ${GUARDED}`);
    await client.query(`grant select on all tables in schema "merostore_readable" to ${GUARDED}`);
    const url = server.url("readable", GUARDED);
    await using engine = await openPostgresEngine(url, { writable: true });
    const write = () => engine.write([put("State", bytes("key"), bytes("value"))]);
    expect(await failure(write())).toMatch(
      /^ACCESS_DENIED: writing failed: the user of .* has no right to do this/,
    );
    expect(
      await failure(openPostgresEngine(server.url("new", GUARDED), { create: true, columns: [] })),
    ).toMatch(/^ACCESS_DENIED/);
    await client.query(`alter role ${GUARDED} set default_transaction_read_only = on`);
    await using standby = await openPostgresEngine(url, { writable: true });
    expect(await failure(standby.write([put("State", bytes("key"), bytes("value"))]))).toMatch(
      /^READ_ONLY: /,
    );
    await client.query(`alter role ${GUARDED} reset default_transaction_read_only`);
    await client.end();
    await using reading = await openPostgresEngine(server.url("readable"));
    expect(await failure(reading.write([]))).toMatch(/^READ_ONLY: .*pass writable: true/);
  });
});

describe("TLS", () => {
  it("is refused by name where the server has none", async () => {
    expect(await failure(openPostgresEngine(`${server.url()}&sslmode=require`))).toMatch(
      /^TLS_FAILED: .*does not support SSL/,
    );
    expect(await failure(openPostgresEngine(server.url("default", TLS_ONLY, "")))).toMatch(
      /^ACCESS_DENIED: .*no encryption.*add sslmode=verify-full/,
    );
  });

  it("checks the certificate as sslmode says", async () => {
    const key = join(server.data, "server.key");
    copyFileSync(join(tls, "server.key"), key);
    copyFileSync(join(tls, "server.crt"), join(server.data, "server.crt"));
    chmodSync(key, 0o600);
    if (process.getuid?.() === 0)
      for (const name of ["server.key", "server.crt"]) chownSync(join(server.data, name), 65534, 65534);
    const client = await otherProgram(server.url());
    await client.query("alter system set ssl = on");
    await client.query("select pg_reload_conf()");
    await client.end();
    await (await create("tls")).close();
    const url = (rest: string) => `${server.url("tls")}&${rest}`;
    const root = `sslrootcert=${encodeURIComponent(join(tls, "server.crt"))}`;
    const open = (rest: string) => failure(openPostgresEngine(url(rest)));
    await expect.poll(() => open("sslmode=require"), { timeout: 500_000 }).toBe("no error");
    expect(await open(`sslmode=verify-full&${root}`)).toBe("no error");
    expect(await open(`sslmode=verify-ca&${root}`)).toBe("no error");
    expect(await open("sslmode=verify-full")).toMatch(/^TLS_FAILED: .*self-signed certificate/);
    expect(await open("sslmode=require&sslrootcert=nowhere.crt")).toMatch(
      /^TLS_FAILED: .*nowhere\.crt, cannot be read/,
    );
    expect(await open("sslmode=prefer")).toMatch(/^INVALID_ARGUMENT: .*must be one of disable, require/);
    const encrypted = `${server.url("default", TLS_ONLY, "")}&sslmode=require`;
    expect(await failure(openPostgresEngine(encrypted))).toMatch(/^DATABASE_NOT_FOUND/);
  });
});
