/** Every type of Borsh, against values and damaged bytes that a program on borsh-rs wrote and read. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import {
  array,
  b32,
  bool,
  type Codec,
  DecodeError,
  enumOf,
  f32,
  f64,
  i8,
  i16,
  i32,
  i64,
  i128,
  type Json,
  map,
  option,
  recursive,
  result,
  set,
  str,
  struct,
  tuple,
  u8,
  u16,
  u32,
  u64,
  u128,
  unit,
  vec,
} from "../../src/codec/index.js";
import { fixturePath } from "../support/fixtures.js";

interface Line {
  readonly type: string;
  readonly bytes: string;
  readonly refused?: true;
  readonly value?: Json;
  readonly written?: string;
}
interface Tree {
  readonly name: string;
  readonly children: readonly Tree[];
}

const Shape = enumOf("Shape", { Dot: {}, Circle: { radius: u16 }, Text: { text: str, mark: option(i8) } });
const codecs = [
  ...[u8, u16, u32, u64, u128, i8, i16, i32, i64, i128, f32, f64, bool, str, Shape],
  ...[array(3, u16), array(2, option(u8)), vec(tuple(u8, str))],
  ...[tuple(i8, u16, bool), tuple(str, array(2, i32), u128, option(f64))],
  ...[result(u8, str), result(vec(i16), tuple(bool, u8))],
  ...[set(i16), set(str), set(u64), set(tuple(i8, str)), set(vec(option(u8))), set(Shape)],
  ...[map(str, u8), map(i32, str), map(u64, i8), map(i128, bool), map(bool, u8)],
  ...[map(tuple(u8, str), vec(i8)), map(Shape, option(u8)), map(map(u8, i8), u8)],
  recursive<Tree>("Tree", (tree) => struct("Tree", { name: str, children: vec(tree) })),
] as unknown as readonly Codec<unknown>[];
const lines = gunzipSync(readFileSync(fixturePath("borsh.jsonl.gz")))
  .toString()
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Line);

it("has a codec for each type of the lines, and lines for each codec", () => {
  const names = [...new Set(lines.map(({ type }) => type))].sort();
  expect(codecs.map(({ signature }) => signature).sort()).toEqual(names);
});

it.each(codecs.map((codec) => [codec.signature, codec] as const))("reads and writes %s", (name, codec) => {
  const of = lines.filter(({ type }) => type === name);
  expect(of.length).toBe(60);
  for (const { bytes, refused, value, written = bytes } of of) {
    const stored = fromHex(bytes);
    if (refused) {
      expect(() => codec.decode(stored), bytes).toThrow(DecodeError);
      continue;
    }
    const decoded = codec.decode(stored);
    expect(codec.toJson(decoded), bytes).toEqual(value);
    expect(toHex(codec.encode(decoded)), bytes).toBe(written);
    expect(codec.canonical(stored), bytes).toBe(written === bytes);
    expect(toHex(codec.encode(codec.fromJson(value as Json))), bytes).toBe(written);
  }
});

it("refuses values that Rust cannot have", () => {
  expect(() => u16.encode(65_536)).toThrow("expected a whole number from 0 to 65535");
  expect(() => i8.encode(-129)).toThrow("expected a whole number from -128 to 127");
  expect(() => i64.encode(2n ** 63n)).toThrow("expected a bigint from -2^63 to 2^63 - 1");
  expect(() => f32.encode(0.1)).toThrow("expected a number that 32 bits can hold");
  expect(() => f64.encode(Number.NaN)).toThrow("expected a number, found NaN");
  expect(() => array(2, u8).encode([1])).toThrow("expected a list of 2, found a list of 1");
  expect(() => set(str).encode(["a", "b", "a"])).toThrow("expected distinct elements");
  expect(() => tuple(u8, u8).encode([1, 2, 3] as never)).toThrow("expected a list of 2, found a list of 3");
  expect(() => set(set(u8)).encode([[2, 1], [], [1, 2]])).toThrow("expected distinct elements");
  expect(toHex(set(set(u8)).encode([[3, 1], [2]]))).toBe("02000000" + "020000000103" + "0100000002");
  expect(set(set(u8)).toJson([[3, 1], [2]])).toEqual([[1, 3], [2]]);
  const ids = ["ab", "AB"].map((digits, at) => [digits.repeat(32), at] as const);
  expect(() => map(b32, u8).encode(new Map(ids))).toThrow("expected distinct keys, found one of them twice");
  expect(() => map(b32, u8).fromJson(Object.fromEntries(ids))).toThrow("expected distinct keys");
  expect(() => set(f64)).toThrow("Rust does not sort such numbers");
  expect(() => map(tuple(u8, f32), u8)).toThrow("Rust does not sort such numbers");
  expect(() => array(2, array(2, unit))).toThrow("an array of values without bytes");
  expect(() => array(-1, u8)).toThrow("an array has 0 to 65535 elements");
  expect(() => recursive("Nothing", () => 7 as never)).toThrow("a codec is expected");
});

it("sorts sets of a type in itself as Rust sorts them", () => {
  const Node = recursive<{ a: number; children: readonly unknown[] }>("Node", (node) =>
    struct("Node", { a: u8, children: set(node) as never }),
  );
  const leaf = (a: number) => ({ a, children: [] });
  const sorted = Node.encode({ a: 0, children: [leaf(10), leaf(9)] });
  expect(toHex(sorted)).toBe("0002000000" + "0900000000" + "0a00000000");
  expect(Node.decode(sorted)).toEqual({ a: 0, children: [leaf(9), leaf(10)] });
  const outer = set(Node).encode([
    { a: 1, children: [leaf(3)] },
    { a: 1, children: [leaf(2), leaf(4)] },
  ]);
  expect(toHex(outer)).toBe("02000000" + "0102000000" + "02000000000400000000" + "0101000000" + "0300000000");
  expect(() => recursive("F", (f) => struct("F", { v: f64, c: set(f) }) as never)).toThrow(
    "Rust does not sort such numbers",
  );
});

it("refuses a type nested in itself without end, at little cost", () => {
  const Nest = recursive<unknown>("Nest", (nest) => option(struct("Inner", { nest })) as Codec<unknown>);
  expect(Nest.encode({ nest: { nest: null } })).toEqual(Uint8Array.of(1, 1, 0));
  expect(() => Nest.decode(new Uint8Array(100_000).fill(1))).toThrow(
    "expected at most 256 levels of a type in itself",
  );
  let deep: unknown = null;
  for (let level = 0; level < 10_000; level++) deep = { nest: deep };
  expect(() => Nest.encode(deep)).toThrow("at most 256 levels");
  expect(() => Nest.toJson(deep)).toThrow("at most 256 levels");
  expect(() => Nest.fromJson(deep as Json)).toThrow("at most 256 levels");
});
