/** Stores on encrypted databases: the fixtures, wrong and missing keys, mixed rows, writing. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { UndecryptedBytes } from "../../src/bytes/undecrypted.js";
import {
  countEncryption,
  type EncryptedEngine,
  type EncryptionRule,
  openCipher,
  recogniseEncryption,
} from "../../src/encryption/index.js";
import { openEngine, openMemoryEngine } from "../../src/engines/index.js";
import { ContextConfig, Generic, GroupMember } from "../../src/keys/index.js";
import { core010, core011, rowToJson } from "../../src/schemas/index.js";
import { openStore, storeOn } from "../../src/store/index.js";
import {
  copyOfDatabase,
  distinct,
  fixtureLines,
  fixturePath,
  fixtureRows,
  temporaryFolder,
} from "../support/fixtures.js";
import { MASTER_KEY } from "./vectors.js";

const twins = [
  { name: "core-0.10/encrypted", twin: "core-0.10/tables", rows: 507, versions: [250, 257], schema: core010 },
  { name: "core-0.11/encrypted", twin: "core-0.11/log", rows: 935, versions: [400, 535], schema: core011 },
] as const;

/** An engine in memory with rows of a fixture, some of them encrypted. */
async function memoryOf(
  name: string,
  rowsOf: (value: Uint8Array, at: number) => Promise<Uint8Array> | Uint8Array,
) {
  const rows = fixtureRows(name);
  const engine = openMemoryEngine({
    columns: [...(name.startsWith("core-0.10") ? core010 : core011).columns],
  });
  for (const [at, { column, key, value }] of rows.entries())
    await engine.write([{ type: "put", column, key: fromHex(key), value: await rowsOf(fromHex(value), at) }]);
  return engine;
}

async function encrypting(rule: EncryptionRule, key = MASTER_KEY) {
  const cipher = await openCipher(key);
  return async (value: Uint8Array) => (await cipher.encrypt([value], rule))[0] as Uint8Array;
}

describe.each(twins)("$name", ({ name, twin, rows, versions, schema }) => {
  const path = fixturePath(name, "db");

  it.each(["files", "rocksdb"] as const)("has the rows of its plain twin: %s", async (engine) => {
    await using store = await openStore(path, { masterKey: () => Promise.resolve(MASTER_KEY), engine });
    expect(store.schema.name).toBe(schema.name);
    expect(store.warnings).toEqual([]);
    const found: string[] = [];
    for (const column of store.columns)
      for await (const row of store.raw.scan(column))
        found.push(JSON.stringify(rowToJson(store.schema, column, row, { revealSecrets: true })));
    expect(found).toEqual(fixtureLines(twin));
    expect(found.length).toBe(rows);
    const [first] = fixtureRows(twin).filter(({ column }) => column === "Config");
    const key = fromHex(first?.key ?? "");
    expect(toHex((await store.raw.get("Config", key)) as Uint8Array)).toBe(first?.value);
    await using snapshot = await store.snapshot();
    expect(toHex((await snapshot.raw.get("Config", key)) as Uint8Array)).toBe(first?.value);
  });

  it("is counted with the key, and recognised without it", async () => {
    {
      await using store = await openStore(path, { masterKey: MASTER_KEY });
      expect(await countEncryption(store.raw)).toEqual({
        ...{ state: "encrypted", withKey: true, encrypted: rows, plain: 0, foreign: 0 },
        ...{ versions: [1, 2], rules: [schema.name] },
      });
    }
    await using engine = await openEngine(path);
    expect(await recogniseEncryption(engine)).toBe("encrypted");
    const count = await countEncryption(engine);
    expect(count).toMatchObject({ state: "encrypted", withKey: false, plain: 0, versions: [1, 2] });
    expect(count.encrypted).toBe(rows === 507 ? 62 : 85);
    expect(versions[0] + versions[1]).toBe(rows);
  });

  it("is refused with another key, and without one", async () => {
    const wrong = openStore(path, { masterKey: new Uint8Array(48).fill(0x43) });
    await expect(wrong).rejects.toThrow(expect.objectContaining({ code: "WRONG_KEY" }));
    await expect(wrong).rejects.not.toThrow(/43|C{4}/);
    await expect(openStore(path)).rejects.toThrow(expect.objectContaining({ code: "DATABASE_ENCRYPTED" }));
  });

  it("scans keys without touching values", async () => {
    await using store = await openStore(path, { masterKey: MASTER_KEY });
    const keys: string[] = [];
    for (const column of store.columns)
      for await (const { key, value } of store.raw.scan(column, undefined, { keysOnly: true })) {
        expect(value.length).toBe(0);
        keys.push(`${column} ${toHex(key)}`);
      }
    expect(keys).toEqual(fixtureRows(twin).map(({ column, key }) => `${column} ${key}`));
  });

  it("takes writes by its rule, each with a nonce of its own", async () => {
    using copy = copyOfDatabase(name);
    const key = new ContextConfig({ contextId: new Uint8Array(32).fill(9) });
    const value = { applicationRevision: 1n, membersRevision: 2n };
    await expect(openStore(copy.path, { writable: true, schema })).rejects.toThrow(
      expect.objectContaining({ code: "DATABASE_ENCRYPTED" }),
    );
    {
      await using store = await openStore(copy.path, { writable: true, masterKey: MASTER_KEY });
      await store.put(key as never, value as never);
      await store.put(key as never, value as never);
    }
    await using engine = await openEngine(copy.path);
    const stored = (await engine.get("Config", key.bytes)) as Uint8Array;
    const cipher = await openCipher(MASTER_KEY);
    const [found] = await cipher.decrypt([stored]);
    expect(found).toMatchObject({ version: 1, rule: schema.name });
    expect(toHex(found?.plain as Uint8Array)).toBe("01000000000000000200000000000000");
  });
});

it.each(distinct)("$name is recognised as plain", async ({ name }) => {
  await using engine = await openEngine(fixturePath(name, "db"));
  expect(await recogniseEncryption(engine)).toBe("plain");
  expect(await countEncryption(engine)).toMatchObject({ state: "plain", encrypted: 0, withKey: false });
});

it("random databases with random keys of any length are read as they were", async () => {
  for (let round = 0; round < 8; round++) {
    const rule = round % 2 === 0 ? "core-0.10" : "core-0.11";
    const key = Uint8Array.from(randomBytes(round % 2 === 0 ? 1 + round * 5 : 32 + round * 30));
    const engine = openMemoryEngine({ columns: ["State", "Meta"] });
    await using store = await storeOn(engine, { schema: core011, masterKey: key, encryptionRule: rule });
    const rows = new Map<string, Uint8Array>();
    for (let at = 0; at < 400; at++) {
      const value = Uint8Array.from(randomBytes(at % 7 === 0 ? 3000 : at % 90));
      const name = randomBytes(64);
      rows.set(name.toString("hex"), value);
      await store.raw.write([{ type: "put", column: "State", key: name, value }]);
    }
    for await (const { key: name, value } of store.raw.scan("State"))
      expect(toHex(value)).toBe(toHex(rows.get(toHex(name)) as Uint8Array));
    const names = [...rows.keys()].slice(0, 50).map((name) => fromHex(name));
    expect(await store.raw.getMany("State", names)).toEqual(names.map((name) => rows.get(toHex(name))));
    let stored = 0;
    for await (const { key: name, value } of engine.scan("State")) {
      expect(value.length).toBe((rows.get(toHex(name)) as Uint8Array).length + 29);
      stored++;
    }
    expect(stored).toBe(rows.size);
  }
});

describe("a mixed database", () => {
  it("returns plain rows as they are, and counts them", async () => {
    const encrypt = await encrypting("core-0.11");
    const engine = await memoryOf("core-0.11/log", (value, at) => (at % 3 === 0 ? value : encrypt(value)));
    expect(await recogniseEncryption(engine)).toBe("mixed");
    await using store = await storeOn(engine, { masterKey: MASTER_KEY });
    expect(store.schema.name).toBe("core-0.11");
    const count = await countEncryption(store.raw);
    expect(count.state).toBe("mixed");
    expect(count.encrypted).toBe(Math.floor((935 * 2) / 3));
    // Rows whose values may be any bytes do not show that they are plain.
    expect(count.plain + count.foreign).toBe(312);
    expect(count.plain).toBeGreaterThan(280);
    const typed = fixtureRows("core-0.11/log");
    for (const { column, key, value } of typed) {
      const found = (await store.raw.get(column, fromHex(key))) as Uint8Array;
      expect(toHex(found)).toBe(value);
      if (column === "Group") expect(found).not.toBeInstanceOf(UndecryptedBytes);
    }
  });

  it("decodes no row of another key, and says so", async () => {
    const [ours, theirs] = [await encrypting("core-0.11"), await encrypting("core-0.11", randomBytes(32))];
    const engine = await memoryOf("core-0.11/log", (value, at) => (at % 2 === 0 ? ours : theirs)(value));
    await using store = await storeOn(engine, { masterKey: MASTER_KEY, schema: core011 });
    expect(store.warnings.map(({ code, message }) => `${code}: ${message}`).join()).toMatch(
      /^ROWS_UNDECRYPTED: .*decrypts only some rows/,
    );
    expect(await countEncryption(store.raw)).toMatchObject({ encrypted: 468, plain: 0, foreign: 467 });
    let [right, wrong] = [0, 0];
    for (const kind of [Generic, GroupMember]) {
      for await (const { error, value } of store.table(kind as typeof Generic).scan()) {
        if (error === undefined) right++;
        else {
          wrong++;
          expect(value).toBeUndefined();
          expect(error.message).toContain("no given master key decrypts");
        }
      }
    }
    expect(right).toBeGreaterThan(0);
    expect(wrong).toBeGreaterThan(0);
  });

  it("of both rules is read, and written only by a named one", async () => {
    const [older, newer] = [await encrypting("core-0.10"), await encrypting("core-0.11")];
    const engine = await memoryOf("core-0.10/tables", (value, at) => (at % 2 === 0 ? older : newer)(value));
    const key = Uint8Array.from(randomBytes(64));
    const put = [{ type: "put", column: "State", key, value: key }] as const;
    await using store = await storeOn(engine, { masterKey: MASTER_KEY });
    expect(store.warnings.map(({ code, message }) => `${code}: ${message}`).join()).toMatch(
      /ENCRYPTION_MIXED: .*some as by nodes of core-0.11/,
    );
    expect((await countEncryption(store.raw)).rules).toEqual(["core-0.10", "core-0.11"]);
    await expect(store.raw.write(put)).rejects.toThrow(expect.objectContaining({ code: "ENCRYPTION_MIXED" }));
    expect(await engine.get("State", key)).toBeUndefined();
    const told = await storeOn(engine, { masterKey: MASTER_KEY, encryptionRule: "core-0.10" });
    await told.raw.write(put);
    const cipher = await openCipher(MASTER_KEY);
    const stored = (await engine.get("State", key)) as Uint8Array;
    expect(await cipher.decrypt([stored])).toEqual([{ plain: key, version: 1, rule: "core-0.10" }]);
  });
});

it("a key has no effect on a plain database: any bytes are read as they are, and nothing counts as encrypted", async () => {
  // State may begin with the version of a key.
  const value = Uint8Array.of(1, ...randomBytes(99));
  const engine = await memoryOf("core-0.11/node-a", (plain) => plain);
  const key = new Uint8Array(64).fill(7);
  await engine.write([{ type: "put", column: "State", key, value }]);
  await using store = await storeOn(engine, { masterKey: MASTER_KEY });
  expect(store.warnings).toEqual([
    { code: "KEY_UNUSED", message: "the database is not encrypted, so the master key has no effect" },
  ]);
  const read = await store.raw.get("State", key);
  expect(read).toEqual(value);
  expect(read).not.toBeInstanceOf(UndecryptedBytes);
  const counted = await countEncryption(store.raw);
  expect(counted).toMatchObject({ state: "plain", encrypted: 0, foreign: 0 });
  expect((store.raw as EncryptedEngine).isEncrypted).toBe(false);
  // One row decrypts, so the database is partly encrypted, and every value that does not decrypt may be a ciphertext.
  const cipher = await openCipher(MASTER_KEY);
  const after = new Uint8Array(64).fill(8);
  const [encrypted] = (await cipher.encrypt([after], "core-0.11")) as [Uint8Array];
  await engine.write([{ type: "put", column: "State", key: after, value: encrypted }]);
  const [before, decrypted] = await store.raw.getMany("State", [key, after]);
  expect(decrypted).toEqual(after);
  expect(before).toBeInstanceOf(UndecryptedBytes);
});

it("a plain database is read with a remark, and not written with a key", async () => {
  using copy = copyOfDatabase("core-0.11/tables");
  await using store = await openStore(copy.path, { writable: true, masterKey: MASTER_KEY });
  expect(store.warnings).toEqual([
    { code: "KEY_UNUSED", message: "the database is not encrypted, so the master key has no effect" },
  ]);
  const found: string[] = [];
  for (const column of store.columns)
    for await (const { key, value } of store.raw.scan(column)) found.push(`${toHex(key)} ${toHex(value)}`);
  expect(found).toEqual(fixtureRows("core-0.11/tables").map(({ key, value }) => `${key} ${value}`));
  const put = store.raw.write([
    { type: "put", column: "State", key: new Uint8Array(64), value: new Uint8Array(3) },
  ]);
  await expect(put).rejects.toThrow(expect.objectContaining({ code: "ENCRYPTION_MIXED" }));
});

describe("opening", () => {
  it("refuses wrong options before anything is touched", async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "new");
    const wrong = [
      { masterKey: "42" },
      { masterKey: new Uint8Array(0) },
      { masterKey: null },
      { masterKey: () => "42" },
      { masterkey: MASTER_KEY },
      { encryptionRule: "core-0.12", masterKey: MASTER_KEY },
      { encryptionRule: "core-0.11" },
      { masterKey: new Uint8Array(31) },
    ];
    for (const options of wrong.slice(0, 6).concat(wrong.slice(7)))
      await expect(
        openStore(path, { create: true, schema: core011, ...(options as object) }),
      ).rejects.toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
    await expect(openEngine(path)).rejects.toThrow(expect.objectContaining({ code: "DATABASE_NOT_FOUND" }));
    await expect(openStore(fixturePath("core-0.11/log", "db"), wrong[6] as object)).rejects.toThrow(
      "only with masterKey",
    );
    await expect(
      openStore(path, { masterKey: () => Promise.reject(new Error("no key service")) }),
    ).rejects.toThrow("no key service");
  });

  it("creates an encrypted database", async () => {
    using folder = temporaryFolder();
    for (const schema of [core010, core011]) {
      const path = join(folder.path, schema.name);
      const [key, value] = [Uint8Array.from(randomBytes(64)), new Uint8Array(0)];
      {
        await using store = await openStore(path, { create: true, schema, masterKey: MASTER_KEY });
        await store.raw.write([{ type: "put", column: "State", key, value }]);
      }
      await using engine = await openEngine(path);
      const cipher = await openCipher(MASTER_KEY);
      const stored = (await engine.get("State", key)) as Uint8Array;
      expect(await cipher.decrypt([stored])).toEqual([{ plain: value, version: 1, rule: schema.name }]);
    }
  });
});
