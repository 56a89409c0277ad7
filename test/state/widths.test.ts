/** Widths that the rows of a type settle for each other: a field has one width in all rows. */
import { describe, expect, it } from "vitest";
import { concat } from "../../src/bytes/concat.js";
import { collectionId } from "../../src/digests/index.js";
import { type StateMap, stateJson, stateOf, surveyState } from "../../src/state/index.js";
import { exclude } from "../../src/state/types/exclusion.js";
import { TypeTable } from "../../src/state/types/from-manifest.js";
import type { ChoiceType, Type } from "../../src/state/types/type.js";
import { typeName } from "../../src/state/types/type-name.js";
import { UNSAID } from "../../src/state/types/unsaid.js";
import { CONTEXT, field, manifestWith, mapOf, mapRows, storeOf } from "./made.js";

const U32 = { kind: "u32" };
const ROWS = collectionId("rows");
const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(" ", ""), "hex"));

describe("exclusion", () => {
  it("is of choices that rows do not share: none is of the type of what nothing describes", async () => {
    // One byte, a date and a clock.
    const register = new Uint8Array(57);
    register[0] = 1;
    new DataView(register.buffer).setUint32(5, 1_700_000_000, true);
    register[9] = 1;
    const isHandle = () => false;
    const own: Type = { kind: "choice", of: [...(UNSAID as ChoiceType).of] };
    const ofOwn = await exclude([{ type: own, bytes: register, isHandle }]);
    expect(ofOwn.get(own)?.map(typeName)).toEqual(["register of bool", "register of u8"]);
    const ofShared = await exclude([{ type: UNSAID, bytes: register, isHandle }]);
    expect(ofShared.has(UNSAID)).toBe(false);
  });
});

/** The shown state with a map `rows` of these values, whose type is `Row`. */
async function shown(row: readonly object[], values: Readonly<Record<string, string>>) {
  const manifest = manifestWith({
    State: { kind: "record", fields: [field("rows", mapOf({ $ref: "Row" }))] },
    Row: { kind: "record", fields: row },
  });
  const entries = Object.entries(values).map(([key, value]) => [key, bytes(value)] as const);
  await using store = await storeOf(ROWS, mapRows(entries, "rows"));
  const state = await stateOf(store, CONTEXT, { manifest });
  const { json, problems } = await stateJson(state);
  const survey = await surveyState(state);
  expect(survey.problems).toEqual(problems);
  return {
    rows: JSON.parse(JSON.stringify((json.state as { readonly rows: object }).rows)),
    problems: problems.map(({ name, path, readings }) => [name, path, readings]),
  };
}

/** `a` is a u8 and `d` an Option<u16>; a manifest says only that they are whole numbers. */
const ROW = [field("a", U32), { name: "d", type: U32, nullable: true }];
/** 7 and 513; also 263 and 2, with other widths. */
const TWO = "07 01 01 02";
/** 7 and nothing: `a` has one byte. */
const ONE = "07 00";

describe("a value with several readings", () => {
  it("stays ambiguous alone", async () => {
    expect(await shown(ROW, { x: TWO })).toEqual({
      rows: { x: { $problem: "Ambiguous", bytes: 4 } },
      problems: [["Ambiguous", 'rows["x"]', 2]],
    });
  });

  it("has the one that the other rows leave", async () => {
    expect(await shown(ROW, { x: TWO, y: ONE })).toEqual({
      rows: { x: { a: 7, d: 513 }, y: { a: 7, d: null } },
      problems: [],
    });
  });

  it("has the one that a list of the same type leaves", async () => {
    const row = [field("items", { kind: "list", items: U32 }), field("n", U32)];
    expect(await shown(row, { x: "01000000 0102 05", y: "00000000 05" })).toEqual({
      rows: { x: { items: [513], n: 5 }, y: { items: [], n: 5 } },
      problems: [],
    });
    expect(await shown(row, { x: "01000000 0102 05" })).toMatchObject({
      problems: [["Ambiguous", 'rows["x"]', 2]],
    });
  });

  it("stays ambiguous if the others leave several", async () => {
    const row = [field("a", U32), field("b", U32)];
    expect(await shown(row, { x: "01 02 03", y: "04 05 06" })).toMatchObject({
      rows: { x: { $problem: "Ambiguous", bytes: 3 }, y: { $problem: "Ambiguous", bytes: 3 } },
      problems: [
        ["Ambiguous", 'rows["x"]', 2],
        ["Ambiguous", 'rows["y"]', 2],
      ],
    });
  });

  it("stays ambiguous if the others contradict each other", async () => {
    // The third row can only be 7 in two bytes.
    expect(await shown(ROW, { x: TWO, y: ONE, z: "07 00 00" })).toMatchObject({
      problems: [["Ambiguous", 'rows["x"]', 2]],
    });
  });

  it("is not settled by a row without a reading", async () => {
    expect(await shown(ROW, { x: TWO, y: "07" })).toMatchObject({
      problems: [
        ["Ambiguous", 'rows["x"]', 2],
        ["ValueDecode", 'rows["y"]', undefined],
      ],
    });
  });

  it("is not settled by a row that may hold an option unknown to the manifest", async () => {
    const row = [field("a", U32), field("t", { kind: "tuple", elements: [{ kind: "string" }] })];
    // Without options 263 and "ab"; with one, 7 and Some("ab").
    const { problems } = await shown(row, { x: "07 01000000 00", y: "07 01 02000000 6162" });
    expect(problems).toEqual([["Ambiguous", 'rows["x"]', 2]]);
  });

  it("has the one that another ambiguous row leaves", async () => {
    const row = [...ROW, { name: "e", type: U32, nullable: true }];
    // The second row shows that `a` has one byte. So `d` has two by the first row, and `e` has one by the second.
    expect(await shown(row, { x: "07 01 0102 00", y: "07 01 0501 01 09" })).toEqual({
      rows: { x: { a: 7, d: 513, e: null }, y: { a: 7, d: 261, e: 9 } },
      problems: [],
    });
    expect((await shown(row, { x: "07 01 0102 00" })).problems).toEqual([["Ambiguous", 'rows["x"]', 2]]);
    expect((await shown(row, { y: "07 01 0501 01 09" })).problems).toEqual([["Ambiguous", 'rows["y"]', 2]]);
  });
});

describe("values of one type in several places", () => {
  const manifest = manifestWith({
    State: {
      kind: "record",
      fields: [field("first", { $ref: "Row" }), field("rows", mapOf(mapOf({ $ref: "Row" })))],
    },
    Row: { kind: "record", fields: ROW },
  });
  const inner = new Uint8Array(32).fill(9);
  const stateWith = (first: string, nested: string) =>
    storeOf(concat(bytes(first), ROWS), [
      ...mapRows([["k", inner]], "rows"),
      ...mapRows([["x", bytes(nested)]], "", inner, null),
    ]);

  it("settle a field of the state by an entry of a collection in another", async () => {
    await using store = await stateWith(TWO, ONE);
    const state = await stateOf(store, CONTEXT, { manifest });
    expect(state.problems).toEqual([]);
    expect(JSON.stringify((await stateJson(state)).json.state)).toBe(
      '{"first":{"a":7,"d":513},"rows":{"k":{"x":{"a":7,"d":null}}}}',
    );
  });

  it("settle such an entry by a field of the state, also where only the entry is read", async () => {
    await using store = await stateWith(ONE, TWO);
    const state = await stateOf(store, CONTEXT, { manifest });
    expect(await state.get("rows.k.x.d")).toBe(513);
    const rows = state.field("rows")?.value as StateMap;
    const entry = await ((await rows.get("k"))?.value as StateMap | undefined)?.get("x");
    expect(entry?.value).toMatchObject({ a: 7, d: 513 });
    expect(entry?.problem).toBeUndefined();
  });

  it("settle nothing where a field says another thing of itself", async () => {
    await using store = await stateWith(TWO, TWO);
    const state = await stateOf(store, CONTEXT, { manifest });
    expect(state.problems.map(({ name, path }) => [name, path])).toEqual([["Ambiguous", "first"]]);
  });
});

describe("the work", () => {
  const type = new TypeTable(
    manifestWith({
      State: { kind: "record", fields: [] },
      Wide: { kind: "record", fields: Array.from({ length: 3000 }, (_, at) => field(`f${at}`, U32)) },
      Row: { kind: "record", fields: ROW },
    }),
  );
  const isHandle = () => true;

  it("ends for values with more readings than can be counted", async () => {
    const wide = type.named("Wide");
    if (wide === undefined) throw new Error("no type");
    const samples = Array.from({ length: 200 }, (_, at) => ({
      type: wide,
      bytes: new Uint8Array(9000 + at),
      isHandle,
    }));
    expect((await exclude(samples)).size).toBe(0);
  });

  it("is done for the first 1,000 entries of a collection", async () => {
    const manifest = manifestWith({
      State: { kind: "record", fields: [field("rows", mapOf({ $ref: "Row" }))] },
      Row: { kind: "record", fields: ROW },
    });
    const readings = async (decisive: number) => {
      const entries = Array.from(
        { length: 1100 },
        (_, at) => [`k${at}`, bytes(at === decisive ? ONE : TWO)] as const,
      );
      await using store = await storeOf(ROWS, mapRows(entries, "rows"));
      const state = await stateOf(store, CONTEXT, { manifest });
      const rows = state.field("rows")?.value as StateMap;
      return (await rows.get("k0"))?.problem?.readings;
    };
    expect(await readings(999)).toBeUndefined();
    expect(await readings(1000)).toBe(2);
  });

  it("never excludes what is true of all values", async () => {
    const row = type.named("Row");
    if (row?.kind !== "record") throw new Error("no type");
    const samples = ["07 00", "00 00", "ff 01 0000", "01 01 0100", "01 01 ffff", "00 01 0001"].map((hex) => ({
      type: row,
      bytes: bytes(hex),
      isHandle,
    }));
    const domains = await exclude(samples);
    const [a, d] = row.fields.map(({ type: of }) => (of.kind === "option" ? of.of : of));
    expect([a, d].map((of) => of && domains.get(of)?.map(({ kind }) => kind))).toEqual([["u8"], ["u16"]]);
  });
});
