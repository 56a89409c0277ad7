/** Values that are refused in reading and in writing, and the errors. */
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import {
  b32,
  bool,
  bytes,
  type Codec,
  checked,
  EncodeError,
  enumOf,
  fixedBytes,
  map,
  names,
  option,
  secret,
  str,
  struct,
  u8,
  u32,
  u64,
  u128,
  unit,
  vec,
} from "../../src/codec/index.js";
import { HybridTimestamp010, UpgradePolicy } from "../../src/payloads/index.js";
import { GroupMetaValue010, GroupUpgradeValue010 } from "../../src/values/index.js";

const Pair = struct("Pair", { left: u8, right: vec(struct("Inner", { name: str })) });
const Choice = enumOf("Choice", { None: {}, Some: { value: u32 }, Both: { a: bool, b: option(u8) } });

describe("reading refuses", () => {
  it.each<[string, Codec<unknown>, string, string, string, number]>([
    ["bool 2", bool, "02", "", "byte 2", 0],
    ["option tag 2", option(u8), "0200", "", "byte 2", 0],
    ["unknown enum tag", Choice, "03", "", "tag 3", 0],
    ["unknown name", names("Role", ["A", "B"]), "02", "", "tag 2", 0],
    ["invalid UTF-8", str, "02000000c328", "", "other bytes", 4],
    ["overlong UTF-8", str, "02000000c080", "", "other bytes", 4],
    ["a surrogate in UTF-8", str, "03000000eda080", "", "other bytes", 4],
    ["text that is cut", str, "0500000061", "", "1", 4],
    ["a wrong byte deep inside", Pair, "07020000000100000061010000009f", "right[1].name", "other bytes", 14],
    ["a length beyond the end", Pair, "07ffffffff", "right", "0 bytes", 5],
    // The bytes would do for smaller elements: the least size of each decides, before any is read.
    ["a list of more than fits", vec(u32), "030000000100000002000000", "", "8 bytes", 4],
    ["a map of more than fits", map(b32, u32), `02000000${"00".repeat(70)}`, "", "70 bytes", 4],
    [
      "a value that is not allowed",
      checked(u32, "less than 3", (n) => n < 3),
      "03000000",
      "",
      "another value",
      0,
    ],
    [
      "nanoseconds of a second and more",
      UpgradePolicy,
      "0201010000000000000000ca9a3b",
      "deadline.nanos",
      "another value",
      10,
    ],
    ["one byte too many", u8, "0102", "", "1 more", 1],
    ["anything in an empty value", unit, "00", "", "1 more", 0],
  ])("%s", (_, codec, hex, path, found, offset) => {
    expect(() => codec.decode(fromHex(hex))).toThrow(
      expect.objectContaining({ code: "DECODE_FAILED", path, found, offset }),
    );
  });

  it("name type, path, offset, expected and found", () => {
    const value = fromHex(`0100000061010000006200${"00".repeat(8)}${"11".repeat(32)}02`);
    expect(() => GroupUpgradeValue010.decode(value)).toThrow(
      "GroupUpgradeValue.status at byte 51: expected a tag of GroupUpgradeStatus, found tag 2",
    );
  });
});

describe("bytes that Rust accepts and would not write", () => {
  it("is decoded, and is not canonical: a timestamp whose id is 0", () => {
    const zero = fromHex("0807060504030201".padEnd(48, "0"));
    expect(HybridTimestamp010.decode(zero)).toEqual({ time: 0x0102030405060708n, id: 1n });
    expect(HybridTimestamp010.canonical(zero)).toBe(false);
    expect(HybridTimestamp010.canonical(fromHex(`${"00".repeat(8)}01${"00".repeat(15)}`))).toBe(true);
  });
});

describe("writing refuses", () => {
  const meta = {
    appKey: new Uint8Array(32),
    targetApplicationId: new Uint8Array(32),
    upgradePolicy: { kind: "LazyOnAccess" as const },
    createdAt: 0n,
    adminIdentity: new Uint8Array(32),
    migration: null,
    autoJoin: false,
  };

  it("no valid value", () => {
    expect(GroupMetaValue010.encode(meta)).toHaveLength(107);
  });

  it.each<[string, Codec<unknown>, unknown, RegExp]>([
    [
      "a missing field",
      GroupMetaValue010,
      { ...meta, autoJoin: undefined },
      /GroupMetaValue.autoJoin: expected bool, found no such field/,
    ],
    [
      "a surplus field",
      GroupMetaValue010,
      { ...meta, owner: 1 },
      /GroupMetaValue.owner: expected no such field, found one/,
    ],
    ["a number for a bigint", GroupMetaValue010, { ...meta, createdAt: 1 }, /createdAt: expected a bigint/],
    [
      "a wrong length",
      GroupMetaValue010,
      { ...meta, appKey: new Uint8Array(31) },
      /appKey: expected 32 bytes, found 31 bytes/,
    ],
    [
      "a string for bytes",
      GroupMetaValue010,
      { ...meta, appKey: "00" },
      /appKey: expected 32 bytes, found a string of \d+ characters?/,
    ],
    [
      "an unknown variant",
      GroupMetaValue010,
      { ...meta, upgradePolicy: { kind: "Never" } },
      /upgradePolicy.kind: expected one of/,
    ],
    [
      "a surplus field of a variant",
      Choice,
      { kind: "Some", value: 1, more: 1 },
      /Choice.more: expected no such field/,
    ],
    ["a variant without its field", Choice, { kind: "Some" }, /Choice.value: expected u32/],
    ["null for a struct", Pair, null, /Pair: expected an object, found null/],
    ["a list for a struct", Pair, [], /expected an object, found a list/],
    ["an object for a list", vec(u8), {}, /expected a list, found an object/],
    ["an element of another type", vec(u8), [1, "2"], /\[u8\]\[1\]: expected a whole number/],
    ["u8 256", u8, 256, /from 0 to 255, found a number out of range/],
    ["u8 1.5", u8, 1.5, /from 0 to 255, found a number that is not whole/],
    ["u8 1.5", u8, 1.5, /whole number/],
    ["u32 -1", u32, -1, /whole number/],
    ["u64 2^64", u64, 1n << 64n, /found a bigint out of range/],
    ["u128 -1", u128, -1n, /found a bigint out of range/],
    ["a lone surrogate", str, "a\ud800", /lone surrogate/],
    ["bool 1", bool, 1, /expected true or false, found a number/],
    ["a timestamp with id 0", HybridTimestamp010, { time: 0n, id: 0n }, /id: expected an id other than 0/],
    ["a value for an empty one", unit, {}, /expected null/],
    ["an ordinary array for bytes", bytes, [1], /expected bytes, found a list/],
  ])("%s", (_, codec, value, message) => {
    expect(() => codec.encode(value)).toThrow(
      expect.objectContaining({ code: "ENCODE_FAILED", message: expect.stringMatching(message) }),
    );
  });

  it("shows a map in the order of its keys, whatever their order in the bytes", () => {
    const codec = map(str, u8);
    const unsorted = Uint8Array.of(2, 0, 0, 0, 1, 0, 0, 0, 0x62, 2, 1, 0, 0, 0, 0x61, 1);
    const sorted = Uint8Array.of(2, 0, 0, 0, 1, 0, 0, 0, 0x61, 1, 1, 0, 0, 0, 0x62, 2);
    expect(codec.encode(codec.decode(unsorted))).toEqual(sorted);
    for (const bytes of [unsorted, sorted])
      expect(JSON.stringify(codec.toJson(codec.decode(bytes)))).toBe('{"a":1,"b":2}');
  });

  it("names an entry of a map by its index, never by its key, which may be a secret", () => {
    const codec = map(str, u8);
    const place = /^map<str, u8>\[1\]: expected a whole number from 0 to 255, found a number out of range$/;
    expect(() => codec.encode(new Map(Object.entries({ a: 1, key: 300 })))).toThrow(place);
    expect(() => codec.fromJson({ a: 1, key: 300 })).toThrow(place);
    const cut = codec.encode(new Map(Object.entries({ aaaaaa: 1, key: 3 }))).subarray(0, -1);
    expect(() => codec.decode(cut)).toThrow(/^map<str, u8>\[1\] at byte 22: /);
  });

  it("and encodes the next value correctly afterwards", () => {
    expect(() => vec(u8).encode([1, 2, 300])).toThrow(/\[2\]/);
    expect(toHex(vec(u8).encode([1]))).toBe("0100000001");
  });
});

describe("JSON refuses", () => {
  it.each<[string, Codec<unknown>, unknown]>([
    ["a number for a u64", u64, 5],
    ["a u64 out of range", u64, "18446744073709551616"],
    ["a u64 with a sign", u64, "-1"],
    ["hex of the wrong length", b32, "00"],
    ["hex of the wrong length", fixedBytes(4), "0000"],
    ["no hex", bytes, "zz"],
    ["an odd number of digits", bytes, "000"],
    ["an unknown name", names("Role", ["A"]), "B"],
    ["a missing field", Pair, { left: 1 }],
    ["a surplus field", Pair, { left: 1, right: [], more: 1 }],
    ["redacted for a key", b32, "redacted"],
  ])("%s", (_, codec, json) => {
    expect(() => codec.fromJson(json as never)).toThrow(expect.objectContaining({ code: "ENCODE_FAILED" }));
  });

  it("ids are also read from base58", () => {
    expect(toHex(b32.fromJson("11111111111111111111111111111112"))).toBe(`${"00".repeat(31)}01`);
  });
});

describe("secrets", () => {
  it("do not appear in errors, not even as a length", () => {
    const hex = "0102030405";
    expect(() => secret(bytes).decode(fromHex(hex))).toThrow(
      expect.objectContaining({ message: "bytes at byte 0: expected bytes, found other bytes" }),
    );
  });

  it("do not share a buffer with other encodings", () => {
    const key = new Uint8Array(32).fill(0x5e);
    const encoded = secret(b32).encode(key);
    expect(encoded).toEqual(key);
    const shared = new Uint8Array(str.encode("hi").buffer);
    expect(toHex(shared)).not.toContain("5e".repeat(16));
  });

  it.each([
    ["of a fixed size", secret(fixedBytes(96)), new Uint8Array(96).fill(0x5e)],
    ["of a small variable size", secret(bytes), new Uint8Array(20).fill(0x5e)],
    ["of a large variable size", secret(bytes), new Uint8Array(3000).fill(0x5e)],
  ])("get their own buffer, and the next one does not change it: %s", (_, codec, value) => {
    const first = codec.encode(value);
    const expected = toHex(first);
    const second = codec.encode(new Uint8Array(value.length));
    const shorter = secret(bytes).encode(new Uint8Array(3));
    expect(first.buffer).not.toBe(second.buffer);
    expect(first.buffer.byteLength).toBe(first.length);
    expect(toHex(new Uint8Array(second.buffer))).not.toContain("5e");
    expect(toHex(new Uint8Array(shorter.buffer))).toBe("03000000000000");
    expect(toHex(first)).toBe(expected);
  });

  it("of a fixed size leave nothing of a refused value in the next one", () => {
    const codec = secret(struct("Two", { first: fixedBytes(12), second: fixedBytes(12) }));
    const first = new Uint8Array(12).fill(0x5e);
    expect(() => codec.encode({ first, second: new Uint8Array(1) })).toThrow(EncodeError);
    const next = codec.encode({ first: new Uint8Array(12), second: new Uint8Array(12) });
    expect(toHex(new Uint8Array(next.buffer))).toBe("00".repeat(24));
    expect(toHex(new Uint8Array(secret(bytes).encode(new Uint8Array(2)).buffer))).toBe("020000000000");
  });
});

describe("values that are not a Uint8Array", () => {
  it.each([[Array(40).fill(7)], ["a"], [Int8Array.of(-1)], [undefined], [null]])(
    "is not decoded: %o",
    (input) => {
      expect(() => u8.decode(input as never)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
    },
  );
});

describe("encodings", () => {
  it("work after one of them was transferred", () => {
    const encoded = str.encode("gone");
    structuredClone(encoded, { transfer: [encoded.buffer as ArrayBuffer] });
    expect(toHex(str.encode("a"))).toBe("0100000061");
  });

  it("are views that later ones do not overwrite, of any size", () => {
    const values = Array.from({ length: 300 }, (_, at) => new Uint8Array(at * 97).fill(at));
    const encoded = values.map((value) => bytes.encode(value));
    encoded.forEach((one, at) => {
      // Comparing with toEqual takes 3 µs a byte.
      expect(Buffer.compare(bytes.decode(one), values[at] as Uint8Array)).toBe(0);
    });
  });

  it("of a value that encodes something itself while it is read", () => {
    const sneaky = {
      left: 1,
      get right() {
        return [{ name: toHex(u32.encode(7)) }];
      },
    };
    expect(toHex(Pair.encode(sneaky))).toBe(toHex(Pair.encode({ left: 1, right: [{ name: "07000000" }] })));
  });
});
