/** A ciphertext is never shown or exported as if it were a value: without the key, and with another one. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it, vi } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import { UndecryptedBytes } from "../../src/bytes/undecrypted.js";
import { openCipher, openEncrypted, recogniseEncryption } from "../../src/encryption/index.js";
import { openEngine, openMemoryEngine } from "../../src/engines/index.js";
import { core010, core011 } from "../../src/schemas/index.js";
import { differencesOf } from "../../src/store/compare-states.js";
import { openStore, type Store, storeOn } from "../../src/store/index.js";
import { copyDatabase, exportStore, importExport } from "../../src/transfer/index.js";
import { intoPipe, type Outcome } from "../cli/run.js";
import { copyOfDatabase, fixturePath, temporaryFolder } from "../support/fixtures.js";
import { MASTER_KEY } from "./vectors.js";

const failing = (code: string) => expect.objectContaining({ code });

async function exported(store: Store): Promise<string> {
  const text: string[] = [];
  for await (const piece of exportStore(store, { revealSecrets: true }))
    text.push(Buffer.from(piece).toString());
  return text.join("");
}

describe("the votes of values", () => {
  /** A group's row. A plain value has 32 bytes; an encrypted one has 61, with version, nonce and tag. */
  const row = (value: Uint8Array, at: number) =>
    ({ type: "put", column: "Group", key: new Uint8Array(33).fill(0x23, 0, 1).fill(at, 1), value }) as const;
  const encrypted = [0, 1, 2].map((at) => row(randomBytes(61).fill(1, 0, 1), at));

  it.each([
    ["empty: it is plain, as nothing encrypted is", new Uint8Array(0), "mixed"],
    ["not empty and of another length: it has no vote", new Uint8Array(7), "encrypted"],
    ["of the plain length", new Uint8Array(32), "mixed"],
  ])("%s", async (_, value, state) => {
    await using engine = openMemoryEngine({ columns: ["Group"] });
    await engine.write([...encrypted, row(value, 3)]);
    expect(await recogniseEncryption(engine)).toBe(state);
  });
});

describe.each([
  ["core-0.10/encrypted", core010],
  ["core-0.11/encrypted", core011],
])("%s without the key", (name, schema) => {
  const path = fixturePath(name, "db");

  it("has keys, and no value that is shown", async () => {
    await using engine = await openEngine(path);
    const stored = new Set<string>();
    for (const column of engine.columns)
      for await (const { value } of engine.scan(column)) stored.add(toHex(value));
    await using store = await openStore(path, { schema });
    expect(store.warnings.map(({ code, message }) => `${code}: ${message}`).join()).toMatch(
      /^KEY_MISSING: .*the master key is missing/,
    );
    let rows = 0;
    for (const column of store.columns)
      for await (const { key, value } of store.raw.scan(column)) {
        rows++;
        expect(value).toBeInstanceOf(UndecryptedBytes);
        expect(await store.raw.get(column, key)).toBeInstanceOf(UndecryptedBytes);
      }
    expect(rows).toBe(stored.size);
    for (const { key: kind } of schema.rows)
      for await (const { value, error } of store.table(kind as never).scan() as AsyncIterable<{
        value: unknown;
        error: Error | undefined;
      }>) {
        expect(value).toBeUndefined();
        expect(error?.message).toContain("no given master key decrypts");
      }
    const text = await exported(store as unknown as Store);
    for (const value of stored) expect(text.includes(value)).toBe(false);
    using folder = temporaryFolder();
    const imported = importExport(() => Readable.from([Buffer.from(text)]), join(folder.path, "new"));
    await expect(imported).rejects.toThrow(failing("UNDECRYPTED_ROWS"));
    await expect(openEngine(join(folder.path, "new"))).rejects.toThrow(failing("DATABASE_NOT_FOUND"));
  });

  it("is copied with its values as they are stored", async () => {
    using folder = temporaryFolder();
    const { rows } = await copyDatabase(path, join(folder.path, "copy"));
    await using store = await openStore(join(folder.path, "copy"), { masterKey: MASTER_KEY });
    expect(rows).toBe(name === "core-0.10/encrypted" ? 507 : 935);
    expect(store.schema.name).toBe(schema.name);
  });
});

it("commands show keys without the key, and say what they do not show", async () => {
  const db = fixturePath("core-0.11/encrypted", "db");
  const run = (...words: readonly string[]): Promise<Outcome> =>
    intoPipe(...words, "--revision", "core-0.11");
  await using engine = await openEngine(db);
  const values: string[] = [];
  for (const column of ["State", "Generic"])
    for await (const { value } of engine.scan(column)) values.push(toHex(value));
  expect(values.length).toBeGreaterThan(10);
  const keys = await run("scan", db, "ContextState", "--keys-only", "--json");
  expect(keys.status).toBe(0);
  expect(keys.stdout).not.toContain("undecrypted");
  for (const words of [
    ["scan", db, "ContextState", "--json", "--reveal-secrets"],
    ["scan", db, "--column", "Generic", "--reveal-secrets"],
    ["export", db, "--reveal-secrets"],
    ["sql", db, "from ContextState", "--reveal-secrets", "--json"],
    ["sql", db, "from UnknownRow", "--reveal-secrets", "--json"],
  ]) {
    const { status, stdout, stderr } = await run(...words);
    expect(stderr).toMatch(
      /^[^\n]* the master key is missing: .*--key-file FILE, or MEROSTORE_MASTER_KEY.*\n/,
    );
    expect(stderr.match(/master key is missing/g)).toHaveLength(1);
    if (words[0] === "scan") expect(status).toBe(3);
    for (const value of values) expect(stdout.includes(value.slice(0, 40))).toBe(false);
  }
  expect(await run("groups", db)).toMatchObject({ status: 3, stdout: "", stderr: keys.stderr });
  const { status, stderr } = await run("export", db, "--reveal-secrets");
  expect(status).toBe(1);
  expect(stderr).toContain("935 of 935 rows are exported without a value");
});

it("rows of another key are exported without values, and such an export is not imported", async () => {
  using copy = copyOfDatabase("core-0.11/encrypted");
  using folder = temporaryFolder();
  const other = await openCipher(new Uint8Array(32).fill(7));
  const [value] = (await other.encrypt([new Uint8Array(40)], "core-0.11")) as [Uint8Array];
  {
    await using engine = await openEngine(copy.path, { writable: true });
    await engine.write([{ type: "put", column: "State", key: new Uint8Array(64), value }]);
  }
  await using store = await openStore(copy.path, { masterKey: MASTER_KEY });
  const text = await exported(store as unknown as Store);
  expect(text).not.toContain(toHex(value));
  expect(text.match(/"undecrypted":true/g)?.length).toBe(1);
  for (const masterKey of [undefined, MASTER_KEY]) {
    const imported = importExport(() => Readable.from([Buffer.from(text)]), join(folder.path, "new"), {
      masterKey,
    });
    await expect(imported).rejects.toThrow(failing("UNDECRYPTED_ROWS"));
  }
});

it("a database with a plain row among encrypted ones asks for the key, not for a revision", async () => {
  using copy = copyOfDatabase("core-0.11/encrypted");
  {
    await using engine = await openEngine(copy.path, { writable: true });
    const [{ key } = { key: new Uint8Array() }] = await engine.scan("Alias").toArray();
    await engine.write([{ type: "put", column: "Alias", key, value: new Uint8Array(32).fill(200) }]);
  }
  await expect(openStore(copy.path)).rejects.toThrow(failing("DATABASE_ENCRYPTED"));
  await using store = await openStore(copy.path, { masterKey: MASTER_KEY });
  expect(store.schema.name).toBe("core-0.11");
});

it("a mixed database shows the rows that show that they are plain", async () => {
  const engine = openMemoryEngine({ columns: ["Config", "State"] });
  const cipher = await openCipher(MASTER_KEY);
  const key = (byte: number, size: number) => new Uint8Array(size).fill(byte);
  const [encrypted] = (await cipher.encrypt([key(1, 16)], "core-0.11")) as [Uint8Array];
  await engine.write([
    { type: "put", column: "Config", key: key(1, 32), value: key(9, 16) },
    { type: "put", column: "Config", key: key(2, 32), value: encrypted },
    { type: "put", column: "State", key: key(1, 64), value: key(9, 70) },
  ]);
  // An engine in memory is writable, which is refused; a reader of it is taken.
  await expect(storeOn(engine, { schema: core011 })).rejects.toThrow(failing("DATABASE_ENCRYPTED"));
  using folder = temporaryFolder();
  await copyDatabase(engine, join(folder.path, "mixed"));
  await using store = await openStore(join(folder.path, "mixed"), { schema: core011 });
  expect(await store.raw.get("Config", key(1, 32))).not.toBeInstanceOf(UndecryptedBytes);
  expect(await store.raw.get("Config", key(2, 32))).toBeInstanceOf(UndecryptedBytes);
  expect(await store.raw.get("State", key(1, 64))).toBeInstanceOf(UndecryptedBytes);
});

it("a plain database of values that begin alike is not taken for an encrypted one", async () => {
  const engine = openMemoryEngine({ columns: ["State"] });
  const value = (byte: number) => new Uint8Array(64).fill(1, 0, 8).fill(byte, 8);
  await engine.write(
    Array.from({ length: 40 }, (_, at) => {
      return { type: "put", column: "State", key: new Uint8Array(64).fill(at), value: value(at) };
    }),
  );
  using folder = temporaryFolder();
  await copyDatabase(engine, join(folder.path, "plain"));
  await using store = await openStore(join(folder.path, "plain"), { schema: core011 });
  expect(store.warnings).toEqual([]);
  expect(await store.raw.get("State", new Uint8Array(64).fill(3))).not.toBeInstanceOf(UndecryptedBytes);
});

it("lengths of the rows that have votes are enough: no other column family is read at the opening", async () => {
  await using engine = await openEngine(fixturePath("core-0.11/node-a", "db"));
  const scanned = vi.spyOn(engine, "scan");
  await using store = await storeOn(engine, { schema: core011 });
  expect(store.warnings).toEqual([]);
  expect(new Set(scanned.mock.calls.map(([column]) => column))).toEqual(
    new Set(["Config", "Alias", "Group"]),
  );
  for (const [column, range] of scanned.mock.calls)
    expect(column === "Group" && range === undefined).toBe(false);
});

it("a database without rows that have votes is recognised by the others", async () => {
  const cipher = await openCipher(MASTER_KEY);
  const engine = openMemoryEngine({ columns: core011.columns });
  const values = await cipher.encrypt(new Array<Uint8Array>(20).fill(new Uint8Array(40)), "core-0.11");
  for (const [at, value] of values.entries())
    await engine.write([{ type: "put", column: "State", key: new Uint8Array(64).fill(at), value }]);
  expect(await recogniseEncryption(engine)).toBe("probably encrypted");
});

it("a difference between two states has an undecrypted value as such, not as bytes of the application", async () => {
  const base = openMemoryEngine({ columns: core011.columns });
  const cipher = await openCipher(MASTER_KEY);
  const [plain] = await cipher.encrypt([new Uint8Array(16)], "core-0.11");
  const put = (column: string, value: Uint8Array | undefined) =>
    base.write([{ type: "put", column, key: new Uint8Array(64), value: value ?? new Uint8Array() }]);
  await put("Config", plain);
  await using engine = await openEncrypted(base, { masterKey: MASTER_KEY });
  await using before = await engine.snapshot();
  await put("State", new Uint8Array(40).fill(1));
  await using after = await engine.snapshot();
  for await (const found of differencesOf(before, after))
    for (const { operation } of found)
      expect(operation.type === "put" && operation.value).toBeInstanceOf(UndecryptedBytes);
  expect.assertions(1);
});
