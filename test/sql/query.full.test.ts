import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance, type DuckDBType } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import { str, struct, u8 } from "../../src/codec/index.js";
import { openMemoryEngine } from "../../src/engines/index.js";
import {
  GroupAlias,
  GroupLocalGovNonce,
  GroupMember010,
  id32,
  keyParts,
  u64be,
} from "../../src/keys/index.js";
import { type Core010, core010, defineSchema, row } from "../../src/schemas/index.js";
import { exportParquet, openSql, parquetOf, type SqlDatabase, type SqlOptions } from "../../src/sql/index.js";
import { sqlToJson } from "../../src/sql/value.js";
import { openStore, type Store, type StoreReader } from "../../src/store/index.js";
import { memoryStore as storeOf } from "../../src/testing/index.js";
import { fixturePath, fixtureRows, temporaryFolder } from "../support/fixtures.js";
import { listOf } from "../support/lists.js";

const nodeA = "core-0.11/node-a";

async function withSql<T>(
  names: string | readonly string[],
  work: (sql: SqlDatabase, stores: readonly StoreReader[]) => Promise<T>,
  options: SqlOptions = {},
): Promise<T> {
  const list = typeof names === "string" ? [names] : names;
  const stores = await Promise.all(list.map((name) => openStore(fixturePath(name, "db"))));
  try {
    const [only] = stores;
    const named = Object.fromEntries(stores.map((store, at) => [list[at] as string, store]));
    await using sql = await openSql(typeof names === "string" && only !== undefined ? only : named, options);
    return await work(sql, stores);
  } finally {
    for (const store of stores) await store.close();
  }
}

const rowsOf = async (sql: SqlDatabase, statement: string) => listOf(await sql.query(statement));

/** These tests have a place of their own, because other programs make such folders too. */
let place: ReturnType<typeof temporaryFolder>;
const usual = process.env.TMPDIR;
beforeAll(() => {
  place = temporaryFolder();
  process.env.TMPDIR = place.path;
});
afterAll(() => {
  if (usual === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = usual;
  place[Symbol.dispose]();
});

const temporary = () => {
  expect(tmpdir()).toBe(place.path);
  return readdirSync(tmpdir()).filter((name) => name.startsWith("merostore-sql-"));
};

describe("a statement", () => {
  it("answers with the rows of one database", async () => {
    const members = fixtureRows(nodeA).filter(({ kind }) => kind === "GroupMember");
    const admins = members.filter(({ decoded }) => (decoded as { role: string }).role === "Admin");
    await withSql(nodeA, async (sql) => {
      expect(await rowsOf(sql, "select count(*) as n from groupmember where role = 'Admin'")).toEqual([
        { n: BigInt(admins.length) },
      ]);
      const answer = await sql.query("select groupId, role from GroupMember limit 1");
      expect(answer.columns).toEqual([
        { name: "groupId", type: "VARCHAR" },
        { name: "role", type: "VARCHAR" },
      ]);
    });
    expect(members.length).toBeGreaterThan(3);
  });

  it("joins the rows of several databases, of several revisions, by node", async () => {
    const names = ["core-0.11/node-a", "core-0.11/node-b", "core-0.10/node-a", "documented/tables"];
    const expected = names.map((node) => ({
      node,
      n: BigInt(fixtureRows(node).filter(({ kind }) => kind === "GroupMember").length),
    }));
    await withSql(names, async (sql) => {
      expect(
        await rowsOf(sql, "select node, count(*) as n from GroupMember group by node order by node"),
      ).toEqual(expected.toSorted((a, b) => (a.node < b.node ? -1 : 1)));
      // In `documented` the value is the role alone, which is not a struct.
      const [documented] = await rowsOf(
        sql,
        "select role, value from GroupMember where node ^@ 'documented' limit 1",
      );
      expect(documented).toEqual({ role: null, value: expect.stringMatching(/^(Admin|Member|ReadOnly)$/) });
    });
  });

  it("keeps numbers of 64 bits", async () => {
    await using store = await memoryStore();
    await using sql = await openSql(store);
    expect(await rowsOf(sql, "select value from GroupLocalGovNonce order by value")).toEqual([
      { value: 2n ** 53n + 1n },
      { value: 2n ** 64n - 1n },
    ]);
    const answer = await sql.query("select value, 1 as one from GroupLocalGovNonce order by value");
    for await (const rows of answer.jsonChunks())
      expect(rows).toEqual([
        ["9007199254740993", 1],
        ["18446744073709551615", 1],
      ]);
  });

  it("has null for secrets, unless they are shown", async () => {
    const count = "select count(groupKey) as n from GroupKeyEntry";
    expect(await withSql(nodeA, (sql) => rowsOf(sql, count))).toEqual([{ n: 0n }]);
    const shown = await withSql(nodeA, (sql) => rowsOf(sql, count), { revealSecrets: true });
    const kept = fixtureRows(nodeA).filter(({ kind }) => kind === "GroupKeyEntry");
    expect(shown).toEqual([{ n: BigInt(kept.length) }]);
    expect(kept.length).toBeGreaterThan(0);
  });

  it("has no byte of a secret in any table", async () => {
    const secrets = fixtureRows(nodeA).flatMap(({ kind, decoded }) =>
      kind === "GroupKeyEntry" ? [(decoded as { groupKey: string }).groupKey] : [],
    );
    expect(secrets.length).toBeGreaterThan(0);
    await withSql(nodeA, async (sql) => {
      for (const { name } of sql.tables) {
        const answer = await sql.query(`from "${name}"`);
        for await (const rows of answer.jsonChunks())
          for (const secret of secrets) expect(JSON.stringify(rows)).not.toContain(secret);
      }
    });
  });

  it("counts values that do not decode, and keeps their rows", async () => {
    await using store = await memoryStore();
    await store.raw.write([
      {
        type: "put",
        column: "Group",
        key: new GroupMember010({ groupId: id(1), identity: id(2) }).toBytes(),
        value: Uint8Array.of(9),
      },
    ]);
    await using sql = await openSql(store);
    const answer = await sql.query("select role, error is null as fine from GroupMember");
    expect(answer.undecoded).toBe(1);
    expect((await answer.chunks().next()).value).toEqual([[null, false]]);
  });

  it("reads only the kinds that it names", async () => {
    let read = 0;
    await withSql(nodeA, (sql) =>
      sql.query("select 1 as one from BlobMeta limit 1", { onProgress: ({ done }) => (read = done) }),
    );
    expect(read).toBe(fixtureRows(nodeA).filter(({ kind }) => kind === "BlobMeta").length);
  });

  it("reads many rows in chunks, and removes its temporary files", async () => {
    const before = temporary();
    await withSql(nodeA, async (sql) => {
      expect(await rowsOf(sql, "select count(*) as n from range(100000)")).toEqual([{ n: 100_000n }]);
      let rows = 0;
      for await (const chunk of (await sql.query("from range(5000)")).chunks()) rows += chunk.length;
      expect(rows).toBe(5_000);
    });
    expect(temporary().filter((name) => !before.includes(name))).toEqual([]);
  });

  it("names the folder for temporary files that is missing", async () => {
    vi.stubEnv("TMPDIR", "/nowhere");
    try {
      await expect(withSql(nodeA, (sql) => rowsOf(sql, "select 1"))).rejects.toThrow(
        "a folder for temporary files (TMPDIR) cannot be created",
      );
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it("ends when its signal aborts", async () => {
    await withSql(nodeA, async (sql) => {
      const stop = new AbortController();
      const endless = sql.query(
        "select count(*) from range(1000000000000) a, range(1000) b where a.range % 7 = b.range",
        {
          signal: stop.signal,
        },
      );
      setTimeout(() => stop.abort(new Error("enough")), 50);
      await expect(endless.then((answer) => answer.chunks().next())).rejects.toThrow("enough");
      expect(await rowsOf(sql, "select 1 as one")).toEqual([{ one: 1 }]);
    });
  });
});

describe("a hostile statement is refused", () => {
  it.each([
    "copy (select 1) to '/tmp/merostore-refused.csv'",
    "copy BlobMeta from '/etc/passwd'",
    "attach '/tmp/merostore-refused.db'",
    "attach ':memory:' as other",
    "select * from read_csv('/etc/passwd')",
    "select * from read_text('/etc/hostname')",
    "select * from '/etc/passwd'",
    "select * from glob('/etc/*')",
    "select * from read_parquet('https://example.com/x.parquet')",
    "install httpfs",
    "load httpfs",
    "export database '/tmp/merostore-refused'",
    "import database '/tmp/merostore-refused'",
    "set enable_external_access = true",
    "reset lock_configuration",
    "pragma enable_profiling",
    "/* /* */ select 1 */ pragma enable_profiling",
    "explain analyze copy (select 1) to '/tmp/merostore-refused.csv'",
    "call enable_logging(storage = 'stdout')",
    "select * from enable_logging(storage = 'stdout')",
    "select * from enable_profiling(format='json', save_location='/tmp/x.json')",
    "from disable_profiling()",
    "select * from query('select 1')",
    "select * from \"query\" /* */ ('select 1')",
    "create secret s (type s3)",
    "select getenv('HOME')",
    "checkpoint",
    "select 1; copy (select 1) to '/tmp/merostore-refused.csv'",
    "select ?",
    "",
  ])("%s", async (statement) => {
    await withSql(nodeA, async (sql) => {
      await expect(sql.query(statement)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
      expect(await rowsOf(sql, "select 1 as one")).toEqual([{ one: 1 }]);
    });
    expect(readdirSync("/tmp").filter((name) => name.startsWith("merostore-refused"))).toEqual([]);
  });
});

it("views over rows of one's own are empty", async () => {
  class Note extends keyParts("Note", "Notes", 0x01, u64be("number")) {}
  await using store = storeOf(defineSchema("notes", [row(Note, u8)]));
  await store.table(Note).put({ number: 1n }, 5);
  await using sql = await openSql(store);
  for (const { name } of sql.views) expect(await rowsOf(sql, `from ${name}`), name).toEqual([]);
  expect(await rowsOf(sql, "from Note")).toEqual([{ number: 1n, value: 5, error: null }]);
});

it("parts and fields with the names of other columns have names of their own", async () => {
  class Note extends keyParts("Note", "Notes", 0x01, id32("node"), u64be("number")) {}
  const fields = struct("NoteValue", { error: str, number: u8 });
  await using store = storeOf(defineSchema("notes", [row(Note, fields)]));
  await store.table(Note).put({ node: id(1), number: 1n }, { error: "late", number: 2 });
  await using sql = await openSql({ here: store });
  const cells = { node: "here", keyNode: toHex(id(1)), number: 1n, valueError: "late", valueNumber: 2 };
  expect(await rowsOf(sql, "from Note")).toEqual([{ ...cells, error: null }]);
});

it("an answer that the next statement or the closing ends is not taken as complete", async () => {
  await withSql(nodeA, async (sql) => {
    const first = (await sql.query("from range(10000)")).chunks();
    expect((await first.next()).value).toHaveLength(2_048);
    const second = (await sql.query("from range(10000)")).chunks();
    await expect(first.next()).rejects.toThrow("must be read before the next statement");
    expect((await second.next()).value).toHaveLength(2_048);
    await sql.close();
    await expect(second.next()).rejects.toThrow(expect.objectContaining({ code: "CLOSED" }));
  });
});

describe("Parquet", () => {
  it("has every row of a database, in one file for each kind", async () => {
    using folder = temporaryFolder();
    await using store = await openStore(fixturePath(nodeA, "db"));
    const out = join(folder.path, "parquet");
    const { rows, undecoded, files } = await exportParquet(store, out, { revealSecrets: true });
    const all = fixtureRows(nodeA);
    expect({ rows, undecoded }).toEqual({ rows: all.length, undecoded: 0 });
    expect(readdirSync(out).toSorted()).toEqual(files.toSorted());
    const duckdb = await DuckDBInstance.create();
    const connection = await duckdb.connect();
    await using sql = await openSql(store, { revealSecrets: true });
    for (const file of files) {
      const name = file.replace(".parquet", "");
      const read = await connection.runAndReadAll(`from read_parquet('${join(out, file)}')`);
      const answer = await sql.query(`from "${name}"`);
      const types = read.columnTypes();
      const found = read
        .getRows()
        .map((row) => row.map((cell, at) => sqlToJson(cell, types[at] as DuckDBType)));
      const expected = (await listOf(answer.jsonChunks())).flat();
      expect(found.length).toBe(all.filter(({ kind }) => (kind ?? "UnknownRow") === name).length);
      expect(found, name).toEqual(expected);
    }
    connection.closeSync();
    duckdb.closeSync();
  });

  it("is written into a missing or empty folder only, and leaves nothing when it fails", async () => {
    using folder = temporaryFolder();
    await using store = await openStore(fixturePath(nodeA, "db"));
    writeFileSync(join(folder.path, "notes"), "");
    await expect(exportParquet(store, folder.path)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    const out = join(folder.path, "out");
    const fails = exportParquet(store, out, {
      onProgress: () => {
        throw new Error("stopped");
      },
    });
    await expect(fails).rejects.toThrow("stopped");
    expect(readdirSync(folder.path)).toEqual(["notes"]);
  });

  it("keeps the order of rows over many row groups, and the values of long and short ones", async () => {
    using folder = temporaryFolder();
    await using store = await openStore(openMemoryEngine({ columns: core010.columns }), { schema: core010 });
    const all = Array.from({ length: 70_000 }, (_, at) => ({ at, signer: numbered(at) }));
    const batch = store.batch();
    for (const { at, signer } of all)
      batch.put(new GroupLocalGovNonce({ groupId: id(1), signer }), BigInt(at) ** 3n);
    for (const [at, length] of [200, 3_000_000, 1, 700_000].entries())
      batch.put(new GroupAlias({ groupId: numbered(at) }), "ä".repeat(length));
    await batch.write();
    const out = join(folder.path, "out");
    expect(await exportParquet(store, out, { memoryBytes: 64 * 1024 * 1024 })).toMatchObject({
      rows: 70_004,
    });
    const duckdb = await DuckDBInstance.create();
    const connection = await duckdb.connect();
    const nonces = `'${join(out, "GroupLocalGovNonce.parquet")}'`;
    const read = await connection.runAndReadAll(
      `select signer, value from ${nonces} order by file_row_number`,
    );
    expect(read.getRows()).toEqual(all.map(({ at, signer }) => [toHex(signer), BigInt(at) ** 3n]));
    const groups = await connection.runAndReadAll(
      `select num_row_groups >= 2 from parquet_file_metadata(${nonces})`,
    );
    expect(groups.getRows()).toEqual([[true]]);
    const texts = await connection.runAndReadAll(
      `select length(value), value = repeat('ä', length(value)::int) from '${join(out, "GroupAlias.parquet")}'`,
    );
    expect(texts.getRows()).toEqual([200n, 3_000_000n, 1n, 700_000n].map((length) => [length, true]));
    connection.closeSync();
    duckdb.closeSync();
  });

  it("fails as its writing or its signal does, and leaves nothing", async () => {
    using folder = temporaryFolder();
    await using store = await openStore(fixturePath(nodeA, "db"));
    const before = temporary();
    const out = join(folder.path, "out");
    const refused = exportParquet(store, out, {
      onProgress: () => {
        // Files cannot have the names of folders.
        const [made = ""] = readdirSync(folder.path);
        for (const { kind } of store.schema.rows)
          mkdirSync(join(folder.path, made, `${kind}.parquet`, "taken"), { recursive: true });
      },
    });
    await expect(refused).rejects.toThrow(/directory/i);
    const stop = new AbortController();
    const ended = exportParquet(store, out, {
      signal: stop.signal,
      onProgress: () => stop.abort(new Error("enough")),
    });
    await expect(ended).rejects.toThrow("enough");
    expect(readdirSync(folder.path)).toEqual([]);
    expect(temporary().filter((name) => !before.includes(name))).toEqual([]);
  });

  it("has the rows of an answer, sums as decimals", async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "answer.parquet");
    await withSql(nodeA, async (sql) => {
      const pieces: Uint8Array[] = [];
      const answer = await sql.query("select range as n, (range * 2)::hugeint as twice from range(3000)");
      for await (const piece of parquetOf(answer)) pieces.push(piece);
      writeFileSync(path, Buffer.concat(pieces));
      await expect(async () => {
        for await (const _ of parquetOf(await sql.query("select [1::hugeint] as list")));
      }).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    });
    const duckdb = await DuckDBInstance.create();
    const connection = await duckdb.connect();
    const read = await connection.runAndReadAll(
      `select count(*)::varchar, sum(n)::varchar, sum(twice)::varchar, any_value(typeof(twice)) from '${path}'`,
    );
    expect(read.getRowsJson()).toEqual([["3000", "4498500", "8997000", "DECIMAL(38,0)"]]);
    connection.closeSync();
    duckdb.closeSync();
  });
});

it("takes stores, and options that are known", async () => {
  await expect(openSql({})).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  await using store = await openStore(fixturePath(nodeA, "db"));
  await expect(openSql(store, { memoryBytes: 1 })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  const sql = await openSql(store);
  await sql.close();
  await expect(sql.query("select 1")).rejects.toMatchObject({ code: "CLOSED" });
});

/** Four bytes of a number, then zeros: such keys are in the order of the numbers. */
function numbered(at: number): Uint8Array {
  const bytes = new Uint8Array(32);
  new DataView(bytes.buffer).setUint32(0, at);
  return bytes;
}

const id = (byte: number) => new Uint8Array(32).fill(byte);

/** A store of core-0.10 in memory, with two nonces. */
async function memoryStore(): Promise<Store<Core010>> {
  const store = await openStore(openMemoryEngine({ columns: core010.columns }), { schema: core010 });
  await store.put(new GroupLocalGovNonce({ groupId: id(1), signer: id(2) }), 2n ** 53n + 1n);
  await store.put(new GroupLocalGovNonce({ groupId: id(1), signer: id(3) }), 2n ** 64n - 1n);
  return store;
}
