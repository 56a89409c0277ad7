/** The scanner of lines takes exactly what JSON.parse takes, in whatever parts the bytes come. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonScanner } from "../../src/transfer/json-scanner.js";
import { DEEPEST } from "../../src/transfer/limits.js";

const SEED = 20_261_121;
const encoder = new TextEncoder();

/** The fields of the outermost object as the scanner hands them out; undefined if the line is not an object. */
function fieldsOf(bytes: Uint8Array, cuts: readonly number[] = []): Map<string, string> | undefined {
  const fields = new Map<string, string>();
  const scanner = new JsonScanner((name) => {
    fields.set(name, "");
    return (piece, from, to) => {
      fields.set(name, `${fields.get(name)}${Buffer.from(piece.subarray(from, to)).toString("latin1")}`);
    };
  });
  scanner.begin();
  const ends = [...new Set([...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort(
    (a, b) => a - b,
  );
  let from = 0;
  for (const end of ends) {
    // Each part in memory of its own, which is overwritten afterwards.
    const part = Uint8Array.from(bytes.subarray(from, end));
    if (scanner.scan(part, 0, part.length) !== undefined) return undefined;
    part.fill(0);
    from = end;
  }
  return scanner.complete ? fields : undefined;
}

/** The object that JSON.parse reads from a line; undefined if it is none. */
function parsed(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (text.includes("\n")) return undefined;
    const value = JSON.parse(text) as unknown;
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function expectSame(bytes: Uint8Array, cuts: readonly number[]): void {
  const object = parsed(bytes);
  const fields = fieldsOf(bytes, cuts);
  expect(fields !== undefined, Buffer.from(bytes).toString("latin1")).toBe(object !== undefined);
  for (const [name, raw] of fields ?? [])
    expect(JSON.parse(Buffer.from(raw, "latin1").toString())).toEqual(object?.[name]);
}

const cuts = fc.array(fc.nat(200), { maxLength: 5 });

describe("the scanner", () => {
  it("accepts every object, and passes on its fields", () => {
    const objects = fc.dictionary(
      fc.string({ unit: "grapheme", maxLength: 8 }),
      fc.jsonValue({ maxDepth: 5 }),
    );
    fc.assert(
      fc.property(objects, fc.constantFrom(0, 1), cuts, (object, space, at) => {
        const text = JSON.stringify(object, undefined, space).replaceAll("\n", " ");
        expectSame(encoder.encode(text), at);
      }),
      { numRuns: 2000, seed: SEED },
    );
  });

  it("refuses what JSON.parse refuses: objects with some bytes changed", () => {
    const bytes = fc.constantFrom(
      ...encoder.encode('{}[]",:\\u0eE+-.19 tfn\u0000\t'),
      0x80,
      0xc3,
      0xed,
      0xf4,
      0xff,
    );
    const change = fc.tuple(fc.nat(500), bytes, fc.constantFrom("replace", "insert", "remove"));
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 3 })),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        cuts,
        (object, changes, at) => {
          const line = [...encoder.encode(JSON.stringify(object))];
          for (const [place, byte, how] of changes)
            line.splice(place % line.length, how === "insert" ? 0 : 1, ...(how === "remove" ? [] : [byte]));
          expectSame(Uint8Array.from(line), at);
        },
      ),
      { numRuns: 5000, seed: SEED },
    );
  });

  it.each([
    '{"a":01}',
    '{"a":-}',
    '{"a":1.}',
    '{"a":.5}',
    '{"a":1e}',
    '{"a":1e+}',
    '{"a":+1}',
    '{"a":-0}',
    '{"a":1.5E-7}',
    '{"a":tru}',
    '{"a":truE}',
    '{"a":nulll}',
    '{"a":"\\x"}',
    '{"a":"\\u12g4"}',
    '{"a":"\\ud800"}',
    '{"a":[1,]}',
    '{"a":[}',
    '{"a":1,}',
    "{a:1}",
    '{"a" 1}',
    '{"a":1}}',
    '{"a":1} x',
    " {} ",
    "",
    "[]",
    "1",
  ])("%s", (line) => {
    expectSame(encoder.encode(line), [1, 3, 5]);
  });

  it("refuses overlong UTF-8, surrogates and code points beyond the last character", () => {
    for (const bytes of [
      "c080",
      "c1bf",
      "e08080",
      "e09fbf",
      "eda080",
      "edbfbf",
      "f0808080",
      "f08fbfbf",
      "f4908080",
    ])
      expectSame(Buffer.from(`7b2261223a22${bytes}227d`, "hex"), [7, 8]);
    for (const bytes of ["c280", "e0a080", "ed9fbf", "ee8080", "f0908080", "f48fbfbf", "efbbbf"])
      expectSame(Buffer.from(`7b2261223a22${bytes}227d`, "hex"), [7, 8]);
  });

  it("refuses excessive nesting, whatever follows", () => {
    const nested = (depth: number) =>
      encoder.encode(`{"a":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`);
    expect(fieldsOf(nested(DEEPEST))).toBeDefined();
    expect(fieldsOf(nested(DEEPEST + 1))).toBeUndefined();
  });
});
