/** Plain rows beside encrypted ones when a database is decrypted, or encrypted with another key. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import { openCipher } from "../../src/encryption/index.js";
import { openEngine } from "../../src/engines/index.js";
import { openStore } from "../../src/store/index.js";
import { type RewriteOptions, rewriteDatabase } from "../../src/transfer/index.js";
import { copyOfDatabase, fixturePath, temporaryFolder } from "../support/fixtures.js";
import { MASTER_KEY } from "./vectors.js";

const failing = (code: string) => expect.objectContaining({ code });
const OTHER_KEY = new Uint8Array(40).fill(7);
const rewrites: readonly [string, RewriteOptions][] = [
  ["decrypt", { masterKey: MASTER_KEY }],
  ["rekey", { masterKey: MASTER_KEY, newMasterKey: OTHER_KEY }],
];

describe.each(rewrites)("%s", (_name, options) => {
  it("refuses rows of which nobody can tell that they are plain, and takes them when it is told to", async () => {
    using copy = copyOfDatabase("core-0.11/encrypted");
    using folder = temporaryFolder();
    const spoilt = [
      (value: Uint8Array) => Uint8Array.from(value, (byte, at) => (at === 0 ? byte ^ 0x80 : byte)),
      (value: Uint8Array) => value.subarray(0, 20),
      () => new Uint8Array(60).fill(3), // a plain value that begins as encrypted ones do
    ];
    const keys: string[] = [];
    {
      await using engine = await openEngine(copy.path, { writable: true });
      for await (const { key, value } of engine.scan("State")) {
        const spoil = spoilt[keys.length];
        if (spoil === undefined) break;
        keys.push(toHex(key));
        await engine.write([{ type: "put", column: "State", key, value: spoil(value) }]);
      }
      // Plain, and it shows: no option is needed.
      await engine.write([
        { type: "put", column: "Config", key: new Uint8Array(32), value: new Uint8Array(16) },
      ]);
    }
    const target = join(folder.path, "new");
    const refused = rewriteDatabase(copy.path, target, options);
    await expect(refused).rejects.toThrow(failing("UNDECRYPTED_ROWS"));
    await expect(refused).rejects.toThrow(`does not decrypt 3 rows; the first is ContextState ${keys[0]}`);
    await expect(refused).rejects.toThrow("--accept-plain");
    await expect(openEngine(target)).rejects.toThrow(failing("DATABASE_NOT_FOUND"));
    const { rows } = await rewriteDatabase(copy.path, target, { ...options, acceptPlain: true });
    expect(rows).toBe(936);
    await using store = await openStore(target, { masterKey: options.newMasterKey });
    const key = Uint8Array.from(Buffer.from(keys[2] as string, "hex"));
    expect(await store.raw.get("State", key)).toEqual(new Uint8Array(60).fill(3));
  });

  it("refuses a row of another key that no layout reads, whatever it is told", async () => {
    using copy = copyOfDatabase("core-0.11/encrypted");
    using folder = temporaryFolder();
    const cipher = await openCipher(OTHER_KEY);
    const [value] = (await cipher.encrypt([new Uint8Array(16)], "core-0.11")) as [Uint8Array];
    {
      await using engine = await openEngine(copy.path, { writable: true });
      await engine.write([{ type: "put", column: "Config", key: new Uint8Array(32), value }]);
    }
    for (const acceptPlain of [undefined, true]) {
      const refused = rewriteDatabase(copy.path, join(folder.path, "new"), { ...options, acceptPlain });
      await expect(refused).rejects.toThrow("does not decrypt 1 row; the first is ContextConfig");
    }
  });

  it("refuses a database that is not encrypted", async () => {
    using folder = temporaryFolder();
    const refused = rewriteDatabase(fixturePath("core-0.11/log", "db"), join(folder.path, "new"), options);
    await expect(refused).rejects.toThrow(failing("DATABASE_NOT_ENCRYPTED"));
    await expect(openEngine(join(folder.path, "new"))).rejects.toThrow(failing("DATABASE_NOT_FOUND"));
  });
});

it("acceptPlain needs a key to read with", async () => {
  const refused = rewriteDatabase("a", "b", { newMasterKey: OTHER_KEY, acceptPlain: true });
  await expect(refused).rejects.toThrow("acceptPlain has an effect only with masterKey");
});
