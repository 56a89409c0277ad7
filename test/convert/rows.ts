/** The rows of converted databases: their number, that core-0.11 reads them, and that nothing is lost. */
import { statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import { equalBytes } from "../../src/bytes/order.js";
import { Payload } from "../../src/codec/index.js";
import { sha256 } from "../../src/crypto/index.js";
import { EntityIndex011 } from "../../src/payloads/index.js";
import { type AnyRow, core011 } from "../../src/schemas/index.js";
import { openStore } from "../../src/store/index.js";
import { filesOf } from "../support/files.js";
import { fixtureRows } from "../support/fixtures.js";
import { conversion, type Name, names, source } from "./support.js";

/** Rows left behind by default, and kinds of rows left behind with `asBytes`. */
const LEFT: Readonly<Record<Name, readonly [Readonly<Record<string, number>>, readonly string[]]>> = {
  tables: [
    {
      ContextState: 6,
      ContextDagDelta: 9,
      GroupMeta: 8,
      GroupMember: 22,
      GroupSigningKey: 3,
      GroupMemberCapability: 9,
      GroupContextLastMigration: 3,
      GroupMemberAlias: 7,
      GroupOpLog: 51,
      GroupOpHead: 4,
      GroupMemberContext: 3,
      GroupContextMemberCap: 2,
      NamespaceIdentity: 3,
      NamespaceGovOp: 93,
      NamespaceGovHead: 3,
    },
    [
      "GroupSigningKey",
      "GroupMemberCapability",
      "GroupContextLastMigration",
      "GroupOpLog",
      "GroupMemberContext",
      "GroupContextMemberCap",
      "NamespaceGovOp",
    ],
  ],
  "node-a": [
    {
      ContextState: 4,
      ContextDagDelta: 6,
      GroupMeta: 5,
      GroupMember: 4,
      GroupSigningKey: 3,
      GroupMemberCapability: 1,
      GroupOpLog: 7,
      GroupOpHead: 3,
      NamespaceIdentity: 4,
      NamespaceGovOp: 14,
      NamespaceGovHead: 3,
    },
    ["GroupSigningKey", "GroupMemberCapability", "GroupOpLog", "NamespaceGovOp"],
  ],
  "node-b": [
    {
      GroupMeta: 3,
      GroupMember: 1,
      GroupSigningKey: 1,
      NamespaceIdentity: 1,
      NamespaceGovOp: 6,
      NamespaceGovHead: 1,
    },
    ["GroupSigningKey", "NamespaceGovOp"],
  ],
};

/** Rows of the old database, and of the new one: by default, and with `asBytes`. */
const ROWS = { tables: [507, 281, 344], "node-a": [495, 441, 471], "node-b": [371, 358, 365] } as const;

describe.each(names)("%s", (name) => {
  it("has as many rows as are written, and leaves the others behind by kind", async () => {
    const before = filesOf(source(name));
    const [plain, asBytes] = [await conversion(name, false), await conversion(name, true)];
    expect([plain.converted.rows, plain.converted.written, asBytes.converted.written]).toEqual(ROWS[name]);
    const leftOf = ({ converted: { kinds } }: typeof plain) =>
      Object.fromEntries(
        kinds
          .filter(({ rows, converted }) => converted < rows)
          .map(({ kind, rows, converted }) => [kind, rows - converted]),
      );
    const [left, stillLeft] = LEFT[name];
    expect(leftOf(plain)).toEqual(left);
    expect(leftOf(asBytes)).toEqual(Object.fromEntries(stillLeft.map((kind) => [kind, left[kind]])));
    expect([...plain.converted.warnings, ...asBytes.converted.warnings]).toEqual([]);
    expect(filesOf(source(name))).toEqual(before);
  });

  it.each([false, true])("has every row in one place: asBytes %s", async (asBytes) => {
    const { path, converted, lines } = await conversion(name, asBytes);
    await using store = await openStore(path, { schema: core011 });
    const old = fixtureRows(`core-0.10/${name}`);
    const kept = new Map(lines.flatMap((line) => (line.value === undefined ? [] : [[at(line), line]])));
    let written = 0;
    for (const row of old) {
      const line = kept.get(at(row));
      const moved = row.kind === "GroupLocalGovNonce" ? { ...row, key: `3c${row.key.slice(2)}` } : row;
      const now = await store.raw.get(row.column, Buffer.from(moved.key, "hex"));
      if (line === undefined) written++;
      else expect([line.value, now]).toEqual([row.value, undefined]);
      expect(now !== undefined).toBe(line === undefined);
    }
    expect([kept.size, written]).toEqual([converted.left, converted.converted]);
    if (process.platform !== "win32")
      expect(statSync(converted.leftBehind as string).mode & 0o777).toBe(0o600);
  });

  it.each([false, true])("has rows that core-0.11 reads and writes alike: asBytes %s", async (asBytes) => {
    const { path, converted } = await conversion(name, asBytes);
    await using store = await openStore(path);
    expect(store.schema.name).toBe("core-0.11");
    let rows = 0;
    for (const column of store.raw.columns) {
      for await (const { key, value } of store.raw.scan(column)) {
        const row: AnyRow | undefined = core011.identify(column, key);
        const codec = row?.shown(row.key.view(key), value);
        const decoded = codec?.decode(value);
        expect(toHex(codec?.encode(decoded) as Uint8Array), `${column} ${toHex(key)}`).toBe(toHex(value));
        for (const field of Object.values((decoded ?? {}) as object))
          if (field instanceof Payload) expect(toHex(field.encode())).toBe(toHex(field.bytes));
        rows++;
      }
    }
    expect(rows).toBe(converted.written);
  });
});

/** Index rows; index rows with a new full hash; contexts with a root hash; contexts with a new root hash. */
const HASHES = { tables: [82, 9, 3, 3], "node-a": [132, 3, 3, 2], "node-b": [115, 2, 1, 1] } as const;

describe.each(names)("%s", (name) => {
  it("has the full hashes of core-0.11, where they differ", async () => {
    const { path } = await conversion(name, true);
    await using old = await openStore(source(name));
    await using store = await openStore(path);
    let [indexes, changed, contexts, roots] = [0, 0, 0, 0];
    for await (const { key, value } of store.raw.scan("State")) {
      const row: AnyRow | undefined = core011.identify("State", key);
      if (row === undefined || row.shown(row.key.view(key), value) === row.value) continue;
      indexes++;
      const { id, fullHash, deletedAt, ownHash, children } = EntityIndex011.decode(value);
      const before = (await old.raw.get("State", key)) as Uint8Array;
      if (!Buffer.from(before).includes(Buffer.from(fullHash))) changed++;
      if (deletedAt === null) {
        const sorted = [...(children ?? [])].sort((a, b) => Buffer.compare(a.id, b.id));
        expect(toHex(fullHash)).toBe(toHex(sha256(ownHash, ...sorted.map(({ merkleHash }) => merkleHash))));
      }
      if (!equalBytes(id, key.subarray(0, 32))) continue;
      const meta = (await store.raw.get("Meta", id))?.subarray(32, 64);
      if (meta === undefined || meta.every((byte) => byte === 0)) continue;
      contexts++;
      expect(toHex(meta)).toBe(toHex(fullHash));
      if (!equalBytes(meta, ((await old.raw.get("Meta", id)) as Uint8Array).subarray(32, 64))) roots++;
    }
    expect([indexes, changed, contexts, roots]).toEqual(HASHES[name]);
  });

  it("counts the references of blobs", async () => {
    const { path } = await conversion(name, false);
    await using old = await openStore(source(name));
    await using store = await openStore(path);
    const blobs = await old.table("BlobMeta").scan().toArray();
    const links = blobs.flatMap(({ value }) => value?.links ?? []).map(toHex);
    for await (const { key, value } of store.table("BlobMeta").scan()) {
      const times = links.filter((link) => link === toHex(key.bytes)).length;
      expect((value as { refs: number }).refs).toBe(Math.max(1, times));
    }
  });
});

function at({ column, key }: { readonly column: string; readonly key: string }): string {
  return `${column} ${key}`;
}
