/** Values inside values: decoded on demand, shown in place, and harmless to the row if they do not decode. */
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { type Codec, DecodeError, Payload } from "../../src/codec/index.js";
import { openMemoryEngine } from "../../src/engines/index.js";
import { GroupOpLog } from "../../src/keys/index.js";
import * as payloads from "../../src/payloads/index.js";
import { core010, core011, explainRow, rowToJson, type Schema } from "../../src/schemas/index.js";
import { openStore } from "../../src/store/index.js";
import { GroupOpLogValue011, NamespaceGovOpValue010 } from "../../src/values/index.js";
import { fixtureRows } from "../support/fixtures.js";

const rows = fixtureRows("core-0.11/node-a");
const rowOf = (kind: string) => rows.find((row) => row.kind === kind) as (typeof rows)[number];

describe("a payload", () => {
  const stored = fromHex(rowOf("GroupOpLog").value);

  it("returns its value and the original bytes", () => {
    const payload = GroupOpLogValue011.decode(stored);
    expect(payload.value?.op.kind).toBe("SubgroupVisibilitySet");
    expect(payload.value).toBe(payload.value);
    expect(toHex(payload.bytes)).toBe(toHex(stored.subarray(4)));
    expect(payload.bytes.buffer).toBe(stored.buffer);
  });

  it("is made of a value, and encodes to the same row", () => {
    const { value } = GroupOpLogValue011.decode(stored);
    const made = Payload.of(payloads.SignedGroupOp011, value as payloads.SignedGroupOp011);
    expect(toHex(GroupOpLogValue011.encode(made))).toBe(toHex(stored));
    expect(() => Payload.of(payloads.SignedGroupOp011, { version: 10 } as never)).toThrow(
      /groupId: expected b32/,
    );
  });

  it("with other content has no value, reports why, and stays hex in JSON", () => {
    const cut = stored.slice(0, -1);
    cut[0] = (cut[0] as number) - 1;
    const payload = GroupOpLogValue011.decode(cut);
    expect(payload.value).toBeUndefined();
    expect(() => payload.decode()).toThrow(
      expect.objectContaining({ code: "DECODE_FAILED", path: "signature" }),
    );
    expect(GroupOpLogValue011.toJson(payload)).toBe(toHex(cut.subarray(4)));
    expect(GroupOpLogValue011.fromJson(toHex(cut.subarray(4))).bytes).toEqual(cut.subarray(4));
  });

  it("does not stop a scan, its own row included", async () => {
    await using store = await openStore(openMemoryEngine({ columns: core011.columns }), { schema: core011 });
    const key = (sequence: bigint) => new GroupOpLog({ groupId: new Uint8Array(32), sequence });
    const good = GroupOpLogValue011.decode(stored);
    await store
      .batch()
      .put(key(1n), good)
      .put(key(2n), new Payload(payloads.SignedGroupOp011, Uint8Array.of(1, 2, 3)))
      .put(key(3n), good)
      .write();
    const kinds: (string | undefined)[] = [];
    for await (const { value, error } of store.table(GroupOpLog).scan()) {
      expect(error).toBeUndefined();
      kinds.push(value?.value?.op.kind);
    }
    expect(kinds).toEqual(["SubgroupVisibilitySet", undefined, "SubgroupVisibilitySet"]);
  });
});

describe("errors inside payloads", () => {
  const types: readonly (readonly [string, Codec<unknown>, string])[] = [
    ["SignedGroupOp", payloads.SignedGroupOp010, rowsOfKind("core-0.10/tables", "GroupOpLog").slice(8)],
    ["SignedGroupOp", payloads.SignedGroupOp011, rowsOfKind("core-0.11/log", "GroupOpLog").slice(8)],
    [
      "StoredNamespaceEntry",
      payloads.StoredNamespaceEntry010,
      rowsOfKind("core-0.10/tables", "NamespaceGovOp").slice(8),
    ],
    [
      "StoredNamespaceEntry",
      payloads.StoredNamespaceEntry011,
      rowsOfKind("core-0.11/log", "NamespaceGovOp").slice(8),
    ],
    ["Op", payloads.Op011, rowsOfKind("core-0.11/log", "ScopeUnifiedOp")],
    ["AbsorbRecord", payloads.AbsorbRecord011, rowsOfKind("core-0.11/log", "AbsorbBufferKey").slice(8)],
  ];

  /** The value of the longest row of a kind. */
  function rowsOfKind(database: string, kind: string): string {
    const values = fixtureRows(database).flatMap((row) => (row.kind === kind ? [row.value] : []));
    return values.sort((a, b) => b.length - a.length)[0] as string;
  }

  it.each(types)("of %s name path and offset, at every byte where it is cut", (_, codec, hex) => {
    const bytes = fromHex(hex);
    codec.decode(bytes);
    for (let length = 0; length < bytes.length; length++) {
      let error: unknown;
      try {
        codec.decode(bytes.subarray(0, length));
      } catch (caught) {
        error = caught;
      }
      expect(error).toBeInstanceOf(DecodeError);
      const { path, offset } = error as DecodeError;
      expect(path === "" ? length : 1).toBeLessThanOrEqual(1);
      expect(offset).toBeLessThanOrEqual(length);
    }
  });

  it("lead through enums and lists", () => {
    const bytes = fromHex(rowsOfKind("core-0.11/node-a", "NamespaceGovOp").slice(8));
    const { value } = payloads.StoredNamespaceEntry011.decode(bytes) as {
      value: payloads.SignedNamespaceOp011;
    };
    expect(value.op.kind).toMatch(/Root|Group/);
    const tag = bytes.indexOf(value.op.kind === "Root" ? 0 : 1, 150);
    const broken = bytes.slice();
    broken[tag === -1 ? 0 : 1 + 1 + 32 + 4 + 32 * value.parentOpHashes.length + 32 + 8] = 9;
    expect(() => payloads.StoredNamespaceEntry011.decode(broken)).toThrow(
      expect.objectContaining({ path: "value.op", found: "tag 9" }),
    );
  });
});

describe("entries of namespaces without a tag", () => {
  const row = fixtureRows("core-0.10/tables").find(
    ({ kind, decoded }) => kind === "NamespaceGovOp" && JSON.stringify(decoded).includes('"Signed"'),
  ) as (typeof rows)[number];
  const untagged = fromHex(row.value).subarray(5);

  it("are read as the node reads them, and kept as they are", () => {
    const value = { skeletonBytes: new Payload(payloads.ReadableNamespaceEntry010, untagged) };
    const bytes = NamespaceGovOpValue010.encode(value);
    const read = NamespaceGovOpValue010.decode(bytes).skeletonBytes;
    expect(read.value?.kind).toBe("Signed");
    expect(toHex(NamespaceGovOpValue010.encode({ skeletonBytes: read }))).toBe(toHex(bytes));
    expect(NamespaceGovOpValue010.toJson({ skeletonBytes: read })).toEqual({
      skeletonBytes: toHex(untagged),
    });
    expect(() => payloads.StoredNamespaceEntry010.decode(untagged)).toThrow(DecodeError);
  });
});

describe("index rows of the state", () => {
  it.each<[string, Schema]>([
    ["core-0.10/node-a", core010],
    ["core-0.11/node-a", core011],
  ])(
    "of %s are explained down to their children, and distinguished from entries by their key",
    (name, schema) => {
      const all = fixtureRows(name).filter(({ kind }) => kind === "ContextState");
      const index = all.filter(
        ({ decoded }) => typeof decoded === "object" && decoded !== null && "children" in decoded,
      );
      expect(index.length).toBeGreaterThan(50);
      const withChildren = index.find(({ decoded }) =>
        Array.isArray((decoded as { children: unknown }).children),
      ) as (typeof rows)[number];
      const [, value] = explainRow(schema, "State", fromHex(withChildren.key), fromHex(withChildren.value));
      expect(value?.title).toBe("Value: EntityIndex");
      expect(value?.pieces.find(({ name }) => name === "merkleHash")?.depth).toBe(2);
      // Under another key, the same bytes are not an index row.
      const moved = {
        key: fromHex(`${withChildren.key.slice(0, -2)}00`),
        value: fromHex(withChildren.value),
      };
      expect(rowToJson(schema, "State", moved, { revealSecrets: true }).decoded).toBe(withChildren.value);
    },
  );
});
