/** Declarations that cannot work are refused when they are made; the error names the fault. */
import { describe, expect, it } from "vitest";
import {
  array,
  enumOf,
  f32,
  f64,
  fixedBytes,
  JsonText,
  map,
  names,
  option,
  result,
  secret,
  set,
  str,
  struct,
  tuple,
  u8,
  u32,
  unit,
  untagged,
  vec,
} from "../../src/codec/index.js";
import { GroupMember } from "../../src/keys/index.js";
import { row } from "../../src/schemas/index.js";

const tooMany = Array.from({ length: 257 }, (_, at) => `N${at}`);

describe("a declaration is refused", () => {
  it.each<[string, () => unknown, string]>([
    ["a field named 1", () => struct("T", { a: u8, "1": u8 }), '"1"'],
    ["a field named 007", () => struct("T", { "007": u8 }), '"007"'],
    ["a field named by a symbol", () => struct("T", { a: u8, [Symbol("x")]: u8 }), "Symbol(x)"],
    [
      "a field without a codec",
      () => struct("T", { a: undefined as never }),
      "T.a: a codec is expected, not nothing",
    ],
    ["no fields", () => struct("T", undefined as never), "T: an object of fields is expected, not nothing"],
    ["a variant without a codec", () => enumOf("E", { A: { a: {} as never } }), "E.A.a: a codec"],
    ["a variant without fields", () => enumOf("E", { A: undefined as never }), "E.A: an object of fields"],
    [
      "a layout without a codec",
      () => untagged("U", { a: null as never }),
      "U.a: a codec is expected, not null",
    ],
    ["a list of no codec", () => vec(undefined as never), "the elements of a list: a codec"],
    ["an option of no codec", () => option({} as never), "the value of an option: a codec"],
    ["a map to no codec", () => map(str, 7 as never), "the values of a map: a codec"],
    [
      "a row without a codec",
      () => row(GroupMember, {} as never),
      "the row GroupMember: a codec of its values",
    ],
    ["a field that sets the prototype", () => struct("T", { a: u8, __proto__: u8 }), '"__proto__"'],
    ["a field named __proto__", () => struct("T", { a: u8, ["__proto__"]: u8 }), '"__proto__"'],
    [
      "a variant with a field kind",
      () => enumOf("E", { A: { kind: u8 } }),
      'E.A: a field of a variant cannot be named "kind"',
    ],
    ["a variant with a field 0", () => enumOf("E", { A: { "0": u8 } }), 'E.A: a field cannot be named "0"'],
    ["a variant that is a codec", () => enumOf("E", { A: struct("S", { a: u8 }) as never }), "the codec S"],
    ["a variant with a field __proto__", () => enumOf("E", { A: { __proto__: u8 } }), "E.A"],
    ["a variant named 5", () => enumOf("E", { B: {}, "5": {} }), 'E: a variant cannot be named "5"'],
    ["a variant named __proto__", () => enumOf("E", { B: {}, __proto__: { a: u8 } }), '"__proto__"'],
    ["an enum without variants", () => enumOf("E", {}), "not 0"],
    ["names without a name", () => names("N", []), "not 0"],
    ["257 names", () => names("N", tooMany), "not 257"],
    ["a name twice", () => names("N", ["A", "B", "A"]), '"A" is declared twice'],
    ["too few tags", () => enumOf("E", { A: {}, B: {} }, [1]), "a tag of its own"],
    ["a tag twice", () => enumOf("E", { A: {}, B: {} }, [1, 1]), "a tag of its own"],
    ["a tag that is not a byte", () => enumOf("E", { A: {}, B: {} }, [1, 256]), "a tag of its own"],
    ["an option of an option", () => option(option(u8)), "u8?"],
    ["an option of a secret option", () => option(secret(option(u8))), "u8?"],
    ["an option of the empty value", () => option(unit), "()"],
    ["a list of values without bytes", () => vec(unit), "no bounded length"],
    ["a map of entries without bytes", () => map(fixedBytes(0), unit), "no bounded length"],
    ["a map with keys that have fractions", () => map(struct("K", { a: f32 }), u8), "keys of f32"],
    ["a map with secret keys that have fractions", () => map(secret(option(f64)), u8), "keys of f64"],
    ["a set of numbers with fractions", () => set(f64), "a set of f64"],
    ["a set of values without bytes", () => set(unit), "no bounded length"],
    ["an array of a negative length", () => array(-1, u8), "0 to 65535 elements"],
    ["a tuple with something else", () => tuple(u8, 7 as never), "the element 1 of a tuple: a codec"],
    ["a result without a codec", () => result(u8, undefined as never), "the error of a result: a codec"],
    ["a layout with a field kind", () => untagged("U", { a: struct("A", { kind: u8 }) }), "U.a: a field"],
    ["a layout named 1", () => untagged("U", { b: struct("B", {}), "1": struct("A", {}) }), '"1"'],
    ["a layout named __proto__", () => untagged("U", { ["__proto__"]: struct("A", {}) }), '"__proto__"'],
    ["a layout that is no struct", () => untagged("U", { a: u8 }), "U.a: a layout has to be a struct"],
    ["no layout", () => untagged("U", {}), "at least one layout"],
    ["bytes of a negative length", () => fixedBytes(-1), "not -1"],
    ["bytes of a broken length", () => fixedBytes(1.5), "not 1.5"],
    ["bytes of no length", () => fixedBytes("3" as never), "not 3"],
  ])("%s", (_, declare, message) => {
    expect(declare).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringContaining(message) }),
    );
  });

  it("but not names that only look unusual", () => {
    const Unusual = struct("Unusual", { constructor: u8, 'a"b': str, "1a": u32, "-1": u8, kind: u8 });
    const value = { constructor: 1, 'a"b': "x", "1a": 2, "-1": 3, kind: 4 };
    const encoded = Unusual.encode(value as never);
    expect(Unusual.decode(encoded)).toEqual(value);
    expect(Object.keys(Unusual.decode(encoded))).toEqual(Object.keys(value));
    const text = new JsonText({}, 16);
    expect(Unusual.decodeAsText(encoded, text)).toBe(true);
    expect(JSON.parse(new TextDecoder().decode(text.finish()))).toEqual(value);
    const Plain = Object.assign(Object.create(null) as object, { a: u8 });
    expect(struct("Plain", Plain as { a: typeof u8 }).decode(Uint8Array.of(5))).toEqual({ a: 5 });
    expect(enumOf("E", { constructor: {}, toString: { a: u8 } }).decode(Uint8Array.of(1, 2))).toEqual({
      kind: "toString",
      a: 2,
    });
  });
});
