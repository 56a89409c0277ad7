/** The parts that need no server: URLs, the password file, batches as statements, the systems. */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { isPostgresUrl } from "../../../src/engines/server.js";
import { withoutSecretsOfUrls } from "../../../src/url-secrets.js";
import { checkLimits, statementsOf } from "../src/batch.js";
import { openPostgresEngine } from "../src/open.js";
import { passwordIn } from "../src/password-file.js";
import { systemOf } from "../src/system.js";
import { sizeOfPart } from "../src/table-reader.js";
import { parsePostgresUrl } from "../src/url.js";

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));

describe("a URL", () => {
  it("names a server, a database and a node", () => {
    const url =
      "postgresql://me%40home:p%40ss@db.example:6543/nodes?node=berlin%201&sslmode=verify-full&connect_timeout=3";
    expect(parsePostgresUrl(url, {})).toEqual({
      host: "db.example",
      port: 6543,
      user: "me@home",
      database: "nodes",
      password: "p@ss",
      node: "berlin 1",
      sslMode: "verify-full",
      sslRootCert: undefined,
      connectTimeout: 3,
      shown: "postgresql://db.example:6543/nodes?node=berlin%201&sslmode=verify-full&connect_timeout=3",
    });
    const environment = { PGHOST: "h", PGPORT: "1", PGUSER: "u", PGDATABASE: "d", PGSSLMODE: "require" };
    expect(parsePostgresUrl("postgres://", environment)).toMatchObject({
      ...{ host: "h", port: 1, user: "u", database: "d", node: "default", sslMode: "require" },
    });
    expect(parsePostgresUrl("postgres://u@[::1]/", {})).toMatchObject({
      host: "::1",
      port: 5432,
      database: "u",
    });
    expect(parsePostgresUrl("postgres://u@h/a%2Fb", {})).toMatchObject({ host: "h", database: "a/b" });
    expect(isPostgresUrl("postgres/data")).toBe(false);
  });

  it("with a port that no server has is refused, not taken for one without a port", () => {
    const message = "must be a whole number from 1 to 65535";
    expect(() => parsePostgresUrl("postgres://u@h:0/d", {})).toThrow(message);
    for (const PGPORT of ["0", "http", "65536", "-1", "5432.5"])
      expect(() => parsePostgresUrl("postgres://u@h/d", { PGPORT }), PGPORT).toThrow(message);
    expect(parsePostgresUrl("postgres://u@h:7/d", { PGPORT: "http" }).port).toBe(7);
  });

  it("of a server that accepts and says nothing names the seconds", async () => {
    const server = createServer(() => undefined).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const opened = openPostgresEngine(`postgres://u:secret@127.0.0.1:${port}/d?connect_timeout=1`);
    await expect(opened).rejects.toThrow(/does not answer within 1 second: the connect_timeout/);
    server.close();
  });

  it("is refused without its password", () => {
    for (const url of [
      "postgres://u:secret@h/d?nod=x",
      "postgres://u:secret@h/d/e",
      "postgres://u:secret@h:port/d",
      "postgres://u:secret@h/d?sslmode=allow",
      "postgres://u:secret@h/d?connect_timeout=0",
      "postgres://u:secret%zz@h/d",
      "postgres://u:p/secret@h/d",
      "postgres://u:p#secret@h/d",
      "postgres://u:p?secret@h/d",
      "postgres://u:12/secret@h/d",
      "postgres://u:12?secret@h/d",
      "postgres://u:p secret@h/d?nod=x",
      "postgres://u@h/d?sslpassword=secret",
      "postgres://u@h/d?password=secret",
      "postgres://u:secret@h/d?node=a&node=b",
      `postgres://u:secret@h/d?node=${"x".repeat(54)}`,
    ]) {
      let message = "";
      try {
        parsePostgresUrl(url, {});
      } catch (error) {
        message = (error as Error).message;
      }
      expect(message, url).not.toBe("");
      expect(message).not.toContain("secret");
    }
    expect(withoutSecretsOfUrls("see postgres://u:a@b:c@h/d, postgresql://u:s@h")).toBe(
      "see postgres://h/d, postgresql://h",
    );
    expect(
      withoutSecretsOfUrls("postgres://h:5432/d?node=a@b, http://h:80/@scope/ and http://u:s@h/a@b"),
    ).toBe("postgres://h:5432/d?node=a@b, http://h:80/@scope/ and http://h/a@b");
    expect(parsePostgresUrl("postgres://u:p secret@h/d", {}).shown).toBe("postgres://h/d");
  });
});

it("the password file is read as PostgreSQL's own programs read it", () => {
  const file =
    "#h:1:d:u:no\n\nh:2:d:u:other port\nh:1:*:u\\:x:with a colon\nh:*:d:u:a\\:b\\\\c:d\n*:*:*:*:any\r\n";
  const of = (place: object) => passwordIn(file, { host: "h", port: 1, database: "d", user: "u", ...place });
  expect(of({})).toBe("a:b\\c:d");
  expect(of({ user: "u:x" })).toBe("with a colon");
  expect(of({ port: 2 })).toBe("other port");
  expect(of({ host: "elsewhere" })).toBe("any");
  expect(passwordIn("h:1:d:u", { host: "h", port: 1, database: "d", user: "u" })).toBeUndefined();
});

describe("a batch", () => {
  const at = (column: string) => `"${column}"`;
  const shown = (statements: Iterable<{ text: string; values?: readonly unknown[] }>) =>
    Array.from(
      statements,
      ({ text, values }) =>
        `${text.split(" ", 3).join(" ")} ${values?.map((value) => elements(value as Buffer)).join(" ")}`,
    );
  /** The elements of an array, or the bytes, as text. */
  function elements(value: Buffer): string {
    if (value.length < 20 || value.readInt32BE(8) !== 17) return value.toString();
    const found: string[] = [];
    for (let offset = 20; offset < value.length; ) {
      const length = value.readInt32BE(offset);
      found.push(value.toString("utf8", offset + 4, offset + 4 + length));
      offset += 4 + length;
    }
    return `[${found.join(",")}]`;
  }

  it("has the last operation on each key, in key order, apart by ranges", () => {
    const put = (column: string, key: string, value: string) =>
      ({ type: "put", column, key: bytes(key), value: bytes(value) }) as const;
    const remove = (column: string, key: string) => ({ type: "delete", column, key: bytes(key) }) as const;
    const range = { type: "deleteRange", column: "A", gte: bytes("a"), lt: bytes("c") } as const;
    const batch = [
      put("A", "b", "1"),
      put("A", "a", "2"),
      put("A", "b", "3"),
      put("B", "z", "4"),
      remove("B", "y"),
      range,
      put("A", "b", "5"),
      remove("A", "b"),
    ];
    expect(shown(statementsOf(batch, at))).toEqual([
      'insert into "A" [a,b] [2,3]',
      'delete from "A" a c',
      'delete from "A" [b]',
      'insert into "B" [z] [4]',
      'delete from "B" [y]',
    ]);
  });

  it("is sent in statements of a bounded size", () => {
    const batch = Array.from(
      { length: 9 },
      (_, row) =>
        ({ type: "put", column: "A", key: Uint8Array.of(row), value: new Uint8Array(1_000_000) }) as const,
    );
    expect([...statementsOf(batch, at)].length).toBe(3);
    const many = Array.from(
      { length: 12_000 },
      (_, row) => ({ type: "delete", column: "A", key: Uint8Array.of(row >> 8, row & 255) }) as const,
    );
    expect([...statementsOf(many, at)].length).toBe(3);
    expect(() =>
      checkLimits(batch, { keyBytes: 10, valueBytes: 1_000_000, batchBytes: 8_000_000 }, "it"),
    ).toThrow("the batch has 9,000,009 bytes; it holds at most 8,000,000. Nothing was written");
  });
});

it("a system is known by its version, and gets the statements that it needs", async () => {
  expect(systemOf("PostgreSQL 18.4 on x86_64").name).toBe("PostgreSQL");
  expect(systemOf("PostgreSQL 15.2-YB-2.25.0.0-b0 on x86_64")).toMatchObject({
    name: "YugabyteDB",
    columns: "key bytea, value bytea not null, primary key (key asc)",
  });
  const cockroach = systemOf("CockroachDB CCL v25.1.0 (x86_64-pc-linux-gnu)");
  expect(cockroach.limits.valueBytes).toBe(8 * 1024 * 1024);
  const sent: string[] = [];
  const connection = {
    async query({ text }: { text: string }) {
      sent.push(text);
      return { command: "SELECT", rows: [["1700000000000000000.0000000001"]] };
    },
    run: async (text: string) => void sent.push(text),
  };
  await cockroach.beginSnapshot(connection as never);
  expect(sent).toEqual([
    "select cluster_logical_timestamp()::string",
    "begin as of system time 1700000000000000000.0000000001",
  ]);
});

describe("the size of a part of a table", () => {
  it("follows the rows that the planner expects, and is never more than that of the table", () => {
    expect([0, 1, 50, 100, 101, 5000].map((within) => sizeOfPart(2000, within, 100))).toEqual([
      0, 20, 1000, 2000, 2000, 2000,
    ]);
    expect(sizeOfPart(8192, 1, 0)).toBe(0);
  });
});
