/** Writes that would lose data or leave a plain value among encrypted ones: each is refused. */
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import { deriveKey, openCipher, openEncrypted } from "../../src/encryption/index.js";
import { openEngine, openMemoryEngine, type RawRow } from "../../src/engines/index.js";
import { core011 } from "../../src/schemas/index.js";
import { openStore, storeOn } from "../../src/store/index.js";
import { copyDatabase, exportStore, importExport, rewriteDatabase } from "../../src/transfer/index.js";
import { cli } from "../cli/run.js";
import { copyOfDatabase, fixturePath, temporaryFolder } from "../support/fixtures.js";
import { MASTER_KEY } from "./vectors.js";

const failing = (code: string) => expect.objectContaining({ code });

/** Encrypts some rows of a copy of a plain database, as a node that got its key later does. */
async function partlyEncrypted(path: string, column: string, key = MASTER_KEY): Promise<void> {
  await using engine = await openEngine(path, { writable: true });
  const cipher = await openCipher(key);
  const rows: RawRow[] = [];
  for await (const row of engine.scan(column)) rows.push(row);
  for (const row of rows.slice(12, 30)) {
    const [value] = await cipher.encrypt([row.value], "core-0.11");
    await engine.write([{ type: "put", column, key: row.key, value: value as Uint8Array }]);
  }
}

it("encrypting rows that are encrypted already, wherever they are", async () => {
  using copy = copyOfDatabase("core-0.11/log");
  using folder = temporaryFolder();
  const target = join(folder.path, "new");
  await partlyEncrypted(copy.path, "State");
  await expect(rewriteDatabase(copy.path, target, { newMasterKey: MASTER_KEY })).rejects.toThrow(
    failing("DATABASE_ENCRYPTED"),
  );
  await expect(openEngine(target)).rejects.toThrow(failing("DATABASE_NOT_FOUND"));
});

it("plain rows in a database with encrypted ones: put, import, an engine that is open already", async () => {
  using encrypted = copyOfDatabase("core-0.11/encrypted");
  await using source = await openStore(fixturePath("core-0.11/log", "db"));
  const text: string[] = [];
  for await (const piece of exportStore(source, { revealSecrets: true }))
    text.push(Buffer.from(piece).toString());
  const open = () => Readable.from([Buffer.from(text.join(""))]);
  for (const schema of [undefined, core011])
    await expect(importExport(open, encrypted.path, { intoExisting: true, schema })).rejects.toThrow(
      failing("DATABASE_ENCRYPTED"),
    );
  await using engine = await openEngine(encrypted.path, { writable: true });
  await expect(storeOn(engine, { schema: core011 })).rejects.toThrow(failing("DATABASE_ENCRYPTED"));
  await expect(openStore(engine, { schema: core011 })).rejects.toThrow(failing("DATABASE_ENCRYPTED"));
  await engine.write([{ type: "put", column: "Config", key: new Uint8Array(32), value: new Uint8Array(16) }]);
  await expect(storeOn(engine, { schema: core011 })).rejects.toThrow("some values look encrypted");
});

it("writing or copying a value that was not decrypted", async () => {
  using copy = copyOfDatabase("core-0.11/encrypted");
  using folder = temporaryFolder();
  await using base = await openEngine(copy.path, { writable: true });
  const other = await openCipher(new Uint8Array(32).fill(7));
  const [value] = await other.encrypt([new Uint8Array(40)], "core-0.11");
  const key = new Uint8Array(64);
  await base.write([{ type: "put", column: "State", key, value: value as Uint8Array }]);
  const engine = await openEncrypted(base, { masterKey: MASTER_KEY });
  const foreign = (await engine.get("State", key)) as Uint8Array;
  const write = engine.write([
    { type: "put", column: "State", key: new Uint8Array(64).fill(1), value: foreign },
  ]);
  await expect(write).rejects.toThrow(failing("UNDECRYPTED_ROWS"));
  await expect(copyDatabase(engine, join(folder.path, "copy"))).rejects.toThrow(failing("UNDECRYPTED_ROWS"));
});

it("a named rule that the existing rows do not have, and any in a plain database", async () => {
  const rows = [
    { type: "put", column: "State", key: new Uint8Array(64), value: new Uint8Array(50) },
  ] as const;
  const plain = openMemoryEngine({ columns: ["State"] });
  await plain.write(rows);
  const named = { masterKey: MASTER_KEY, encryptionRule: "core-0.11" } as const;
  await expect((await openEncrypted(plain, named)).write(rows)).rejects.toThrow(failing("ENCRYPTION_MIXED"));
  const empty = openMemoryEngine({ columns: ["State"] });
  await (await openEncrypted(empty, named)).write(rows);
  const older = await openEncrypted(empty, { ...named, encryptionRule: "core-0.10" });
  await expect(older.write(rows)).rejects.toThrow(failing("ENCRYPTION_MIXED"));
});

it("a cipher whose keys were overwritten, impossible versions, unknown rules", async () => {
  const cipher = await openCipher(MASTER_KEY);
  for (const version of [256, -1, 1.5, Number.NaN]) {
    expect(() => deriveKey(MASTER_KEY, version)).toThrow(failing("INVALID_ARGUMENT"));
    await expect(cipher.encrypt([MASTER_KEY], "core-0.11", version)).rejects.toThrow(
      failing("INVALID_ARGUMENT"),
    );
  }
  await expect(cipher.encrypt([MASTER_KEY], "core-0.12" as "core-0.11")).rejects.toThrow(
    failing("INVALID_ARGUMENT"),
  );
  const [stored] = await cipher.encrypt([MASTER_KEY], "core-0.11");
  cipher.wipe();
  await expect(cipher.encrypt([MASTER_KEY], "core-0.11")).rejects.toThrow(failing("CLOSED"));
  expect(() => cipher.decrypt([stored as Uint8Array])).toThrow(failing("CLOSED"));
});

it("a key in the place of its file, without showing it", async () => {
  const key = toHex(new Uint8Array(48).fill(0xab));
  for (const word of [key, key.repeat(6), `/${key}`]) {
    const { status, stdout, stderr } = await cli(
      "status",
      fixturePath("core-0.11/encrypted", "db"),
      "--key-file",
      word,
    );
    expect(status).not.toBe(0);
    expect(stdout + stderr).not.toContain("abababab");
    expect(stderr).toContain("key");
  }
});
