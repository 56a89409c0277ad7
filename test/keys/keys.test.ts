import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { u32 } from "../../src/codec/index.js";
import * as keys from "../../src/keys/index.js";
import {
  core010,
  core011,
  defineSchema,
  documented,
  row,
  rowsToLines,
  rowToJson,
  type Schema,
} from "../../src/schemas/index.js";

const id = (byte: number) => new Uint8Array(32).fill(byte);

/** A part of another program, which throws for one value in each of its functions. */
const thrower = {
  ...{ name: "part", type: "part", layout: { span: 1 } },
  refuse: (value: unknown) => thrownFor(value, 1, "refuse"),
  write: (to: Uint8Array, at: number, value: number) => {
    to[at] = thrownFor(value, 2, "write") ?? value;
  },
  refuseBytes: ([byte]: Uint8Array) => thrownFor(byte, 1, "refuseBytes"),
  read: ([byte = 0]: Uint8Array) => thrownFor(byte, 2, "read") ?? byte,
  toJson: (value: number) => thrownFor(value, 3, "toJson") ?? value,
  parse: Number,
} as const satisfies keys.Part<"part", number>;

function thrownFor(value: unknown, wrong: number, message: string): undefined {
  if (value === wrong) throw new Error(message);
}

class Thrower extends keys.keyParts("Thrower", "Group", 0x99, thrower) {}
const throwing = defineSchema("throwing", [row(Thrower, u32)]);

describe("bytes of keys", () => {
  it("of an alias are those that the node writes", () => {
    const key = new keys.Alias({ aliasKind: keys.AliasKind.Context, scope: keys.noScope, name: "dev" });
    expect(toHex(key.toBytes())).toBe(`01${"00".repeat(32)}646576${"00".repeat(47)}`);
    expect(keys.Alias.fromBytes(key.bytes).name).toBe("dev");
  });

  it("of a log entry end in the big-endian sequence", () => {
    const key = new keys.GroupOpLog({ groupId: id(0xaa), sequence: 1n });
    expect(toHex(key.toBytes())).toBe(`30${"aa".repeat(32)}0000000000000001`);
    expect(keys.GroupOpLog.fromBytes(key.bytes).sequence).toBe(1n);
  });

  it("have the sizes and prefixes of the schema", () => {
    const sizes = (schema: Schema) =>
      Object.fromEntries(
        schema.rows
          .filter(({ column }) => column === "Group")
          .map(({ kind, key }) => [key.PREFIX, `${kind} ${key.SIZE}`] as const),
      );
    expect(Object.keys(sizes(documented))).toHaveLength(23);
    expect(Object.keys(sizes(core010))).toHaveLength(24);
    expect(Object.keys(sizes(core011))).toHaveLength(40);
    const byLength = (length: number) =>
      core010.rows
        .filter(({ key }) => key.COLUMN === "Group" && key.SIZE === length)
        .map(({ key }) => key.PREFIX);
    expect(byLength(33)).toEqual([0x20, 0x23, 0x24, 0x29, 0x2a, 0x2e, 0x31, 0x34, 0x36, 0x39]);
    expect(byLength(41)).toEqual([0x30]);
    expect(byLength(65)).toEqual([0x21, 0x22, 0x25, 0x26, 0x2b, 0x2c, 0x2d, 0x2f, 0x35, 0x38, 0x3a]);
    expect(byLength(97)).toEqual([0x32, 0x33]);
    expect([
      documented.row("GroupParentRef").key.PREFIX,
      documented.row("NamespaceIdentity").key.PREFIX,
    ]).toEqual([0x36, 0x37]);
    const others = core010.rows
      .filter(({ column }) => column !== "Group")
      .map(({ kind, key }) => [kind, key.SIZE]);
    expect(Object.fromEntries(others)).toEqual({
      ContextMeta: 32,
      ContextConfig: 32,
      ContextIdentity: 64,
      ContextState: 64,
      ContextPrivateState: 64,
      ContextDagDelta: 64,
      BlobMeta: 32,
      ApplicationMeta: 32,
      Alias: 83,
      Generic: 48,
    });
  });

  it("are copied by fromBytes and not by view; parts are views", () => {
    const bytes = new Uint8Array(100).fill(7).subarray(10, 42);
    const viewed = keys.ContextMeta.view(bytes);
    expect(viewed.bytes).toBe(bytes);
    const copied = keys.ContextMeta.fromBytes(bytes);
    expect(copied.bytes).toEqual(bytes);
    expect(copied.bytes.buffer).not.toBe(bytes.buffer);
    for (const key of [viewed, copied]) {
      expect(key.contextId.buffer).toBe(key.bytes.buffer);
      expect(key.contextId).toEqual(bytes);
    }
    expect(() => keys.ContextMeta.view(bytes.subarray(1))).toThrow(/expected 32 bytes, found 31/);
  });

  it("of the document's state keys may have any end, also an empty one", () => {
    const empty = new keys.ContextStateDocumented({ contextId: id(1), stateKey: new Uint8Array() });
    expect(empty.bytes).toHaveLength(32);
    expect(keys.ContextStateDocumented.fromBytes(empty.bytes).stateKey).toHaveLength(0);
    const long = new keys.ContextStateDocumented({ contextId: id(1), stateKey: id(2) });
    expect(toHex(keys.ContextStateDocumented.fromBytes(long.bytes).stateKey)).toBe("02".repeat(32));
    expect(keys.ContextStateDocumented.VARIABLE).toBe(true);
    expect(keys.ContextStateDocumented.SIZE).toBe(32);
  });
});

describe("text form", () => {
  it("names the kind and its parts", () => {
    const key = new keys.GroupOpLog({ groupId: id(0xaa), sequence: 12n });
    expect(`${key}`).toBe(`GroupOpLog(groupId=${"aa".repeat(32)}, sequence=12)`);
  });
});

describe("known scopes of Generic", () => {
  it("are found by name and by bytes", () => {
    const scope = keys.scopeBytes("sse-sessions") as Uint8Array;
    expect(toHex(scope)).toBe(`${toHex(new TextEncoder().encode("sse-sessions"))}00000000`);
    expect(keys.genericScope(scope)?.name).toBe("sse-sessions");
    expect(keys.genericScope(new Uint8Array(16))).toBeUndefined();
    expect(keys.genericScope(keys.scopeBytes("ssl_certs:server") as Uint8Array)?.secret).toBe(true);
  });
});

describe("invalid keys are errors that name the expected parts", () => {
  const untyped = keys.GroupOpLog as unknown as new (parts: unknown) => keys.GroupOpLog;
  it.each<[string, () => unknown, RegExp]>([
    [
      "size",
      () => keys.GroupMember010.fromBytes(new Uint8Array(64)),
      /^GroupMember: expected 65 bytes, found 64$/,
    ],
    [
      "prefix",
      () => keys.GroupMember010.fromBytes(new Uint8Array(65)),
      /^GroupMember: expected prefix 0x21, found 0x00$/,
    ],
    [
      "least size",
      () => keys.ContextStateDocumented.fromBytes(id(0).subarray(1)),
      /expected at least 32 bytes, found 31$/,
    ],
    [
      "missing part",
      () => new untyped({ groupId: id(1) }),
      /^GroupOpLog.sequence: expected a bigint.*, found nothing$/,
    ],
    [
      "number for a bigint",
      () => new untyped({ groupId: id(1), sequence: 1 }),
      /sequence: expected a bigint.*, found the number 1$/,
    ],
    [
      "bigint out of range",
      () => new untyped({ groupId: id(1), sequence: 1n << 64n }),
      /from 0 to 2\^64 - 1, found 18446744073709551616n$/,
    ],
    [
      "part length",
      () => new untyped({ groupId: id(1).subarray(1), sequence: 1n }),
      /groupId: expected 32 bytes, found 31 bytes$/,
    ],
    [
      "surplus part",
      () => new untyped({ groupId: id(1), sequence: 1n, more: 1 }),
      /expected the parts groupId, sequence, found "more"$/,
    ],
    [
      "hole in a range",
      () => keys.GroupMember010.range({ identity: id(1) } as never),
      /GroupMember.groupId: expected 32 bytes/,
    ],
    [
      "alias text too long",
      () => new keys.Alias({ aliasKind: 1, scope: id(0), name: "ü".repeat(26) }),
      /at most 50 bytes/,
    ],
    [
      "alias text with NUL",
      () => new keys.Alias({ aliasKind: 1, scope: id(0), name: "a\0b" }),
      /without NUL/,
    ],
    [
      "alias kind",
      () => new keys.Alias({ aliasKind: 256, scope: id(0), name: "" }),
      /whole number from 0 to 255/,
    ],
  ])("%s", (_, make, message) => {
    expect(make).toThrow(
      expect.objectContaining({ code: "INVALID_KEY", message: expect.stringMatching(message) }),
    );
  });

  const { id32, keyParts, tail } = keys;

  it.each([
    ["a prefix that is not a byte", () => keyParts("Wrong", "Group", 300, id32("a")), /prefix 300/],
    [
      "a tail before another part",
      () => keyParts("Wrong", "Group", 1, tail("a"), id32("b")),
      /"a" takes the rest/,
    ],
    [
      "two parts of one name",
      () => keyParts("Wrong", "Group", 1, id32("a"), id32("a")),
      /two parts have the name "a"/,
    ],
    ["nothing", () => keyParts("Wrong", "Group", undefined), /a prefix or a part/],
    ["a part without a name", () => keyParts("Wrong", "Group", 1, id32("")), /a part has no name/],
    ["a part named 1", () => keyParts("Wrong", "Group", 1, id32("1")), /a part cannot be named "1"/],
    [
      "a part without a size",
      () => keyParts("Wrong", "Group", 1, { ...id32("a"), layout: {} as { span: number } }),
      /"a" needs a layout/,
    ],
    ...["bytes", "KIND", "COLUMN", "PREFIX", "PARTS", "toJSON", "__proto__"].map(
      (name) =>
        [
          `a part named ${name}`,
          () => keyParts("Wrong", "Group", 1, id32(name)),
          new RegExp(`"${name}" is reserved`),
        ] as const,
    ),
  ] as const)("a declaration with %s is an error", (_, declare, message) => {
    expect(declare).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringMatching(message) }),
    );
  });

  it("a part may have a layout of its own: its span is enough", () => {
    const layout = { span: 2 };
    const pair = {
      ...{ name: "pair", type: "pair", layout },
      refuse: (value: unknown) =>
        typeof value === "string" && value.length === 2 ? undefined : "two characters",
      write: (to: Uint8Array, at: number, value: string) => to.set(new TextEncoder().encode(value), at),
      read: (read: Uint8Array) => new TextDecoder().decode(read),
      toJson: (value: string) => value,
      parse: (text: string) => text,
    } as const satisfies keys.Part<"pair", string>;
    class Own extends keyParts("Own", "Group", 0x99, pair, { ...tail("rest"), layout: { span: -7 } }) {}
    const key = new Own({ pair: "ab", rest: Uint8Array.of(5, 6, 7) });
    expect(toHex(key.toBytes())).toBe("996162050607");
    expect([Own.SIZE, Own.VARIABLE, key.pair, key.rest]).toEqual([3, true, "ab", Uint8Array.of(5, 6, 7)]);
    expect(Own.fromBytes(key.toBytes()).pair).toBe("ab");
  });

  it.each([
    ["refuse", () => new Thrower({ part: 1 })],
    ["write", () => new Thrower({ part: 2 })],
    ["refuseBytes", () => Thrower.fromBytes(Uint8Array.of(0x99, 1))],
    ["read", () => Thrower.fromBytes(Uint8Array.of(0x99, 2)).part],
    ["toJson", () => String(Thrower.fromBytes(Uint8Array.of(0x99, 3)))],
    ["toJson", () => JSON.stringify(Thrower.fromBytes(Uint8Array.of(0x99, 3)))],
    ["toJson", () => rowToJson(throwing, "Group", { key: Uint8Array.of(0x99, 3), value: new Uint8Array(4) })],
    [
      "toJson",
      () => rowsToLines(throwing, "Group", [{ key: Uint8Array.of(0x99, 3), value: new Uint8Array(4) }]),
    ],
  ])(
    "what %s of a part of another program throws is the cause of an error that names the part",
    (where, run) => {
      expect(run).toThrow(
        expect.objectContaining({
          code: "INVALID_KEY",
          message: expect.stringMatching(/^Thrower\.part: the part threw an error/) as string,
          cause: expect.objectContaining({ message: where }) as Error,
        }),
      );
    },
  );

  it("a key whose alias is not text belongs to no kind, so its bytes are kept", () => {
    const bad = fromHex(`01${"00".repeat(32)}ff${"00".repeat(49)}`);
    const unpadded = fromHex(`01${"00".repeat(32)}61006200${"00".repeat(46)}`);
    for (const bytes of [bad, unpadded]) {
      expect(core010.identify("Alias", bytes)).toBeUndefined();
      expect(() => keys.Alias.fromBytes(bytes)).toThrow(/Alias.name: expected text.*, found other bytes$/);
    }
  });
});
