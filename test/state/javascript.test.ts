/** States of JavaScript applications, whose SDK wraps each collection and encodes keys and values itself. */
import { describe, expect, it } from "vitest";
import { concat, concatAll } from "../../src/bytes/concat.js";
import { toHex } from "../../src/bytes/hex.js";
import { applicationStateId, entryStateKey, mapEntryId } from "../../src/digests/index.js";
import { type StateCounter, type StateMap, stateJson, stateOf, surveyState } from "../../src/state/index.js";
import { CONTEXT, entryRow, indexRow, manifestWith, storeWith, text } from "./made.js";

const encoder = new TextEncoder();
const BYTES = "alloc::vec::Vec<u8>";
const ROOT = applicationStateId();
const id = (digit: number): Uint8Array => new Uint8Array(32).fill(digit);
const NAME = (digit: number): string => `#${toHex(id(digit))}`;

/** A byte string with its length. */
function sized(content: Uint8Array): Uint8Array {
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, content.length, true);
  return concat(length, content);
}

/** A register's value, a clock in 2026 and a writer. */
function register(value: Uint8Array): Uint8Array {
  const clock = new Uint8Array(24);
  new DataView(clock.buffer).setUint32(4, 1_780_000_000, true);
  clock[8] = 1;
  return concatAll([value, clock, id(0x77)]);
}

type Rows = Parameters<typeof storeWith>[0];
type Crdt = Parameters<typeof indexRow>[3];

/** A wrapper and its content. */
function wrapper(digit: number, data: Uint8Array): Rows {
  return [indexRow(id(digit), []), entryRow(id(digit), data)];
}

/** A collection with these entries. */
function collection(
  digit: number,
  entries: Readonly<Record<string, Uint8Array>>,
  crdtType: Crdt,
  isKeyed = true,
): Rows {
  const all = Object.entries(entries).map(([key, data], at) => {
    const own = isKeyed ? mapEntryId(id(digit), Buffer.from(key, "latin1")) : id(digit + 0x80 + at);
    return [own, isKeyed ? concat(sized(Buffer.from(key, "latin1")), data) : data] as const;
  });
  return [
    indexRow(
      id(digit),
      all.map(([own]) => own),
      null,
      crdtType,
    ),
    entryRow(id(digit), new Uint8Array(0)),
    ...all.flatMap(([own, data]) => [indexRow(own, []), entryRow(own, data)]),
  ];
}

const MAP: Crdt = { kind: "UnorderedMap", keyType: BYTES, valueType: BYTES };
const VALUES = { alice: sized(encoder.encode("one")), "\xff\x00": sized(Uint8Array.of(7)) };
const SHOWN = { alice: "6f6e65", ff00: "07" };

/** A state with these wrappers; the row of the root says that it is of the JavaScript SDK. */
async function shown(
  rows: Rows,
  wrappers: readonly number[],
  marked = true,
  look: (value: unknown) => Promise<unknown> = async () => undefined,
) {
  const document = encoder.encode("document");
  await using store = await storeWith([
    ...rows,
    indexRow(CONTEXT, [...wrappers.flatMap((digit) => [id(digit), id(digit + 1)]), ROOT]),
    indexRow(ROOT, [], "root", marked ? { kind: "LwwRegister", innerType: "JsRoot" } : null),
    [concat(CONTEXT, entryStateKey(ROOT)), marked ? document : concat(document, ROOT)],
  ]);
  // Manifests are of applications in Rust: this one does not fit, and is not used.
  const manifest = manifestWith({
    State: { kind: "record", fields: [{ name: "n", type: { kind: "u64" } }] },
  });
  const state = await stateOf(store, CONTEXT, { manifest });
  const { json, problems } = await stateJson(state);
  const { "@0": root, ...rest } = JSON.parse(JSON.stringify(json.state)) as Record<string, unknown>;
  expect(root).toBe(toHex(document));
  const survey = await surveyState(state);
  expect(survey.problems).toEqual(problems);
  return {
    state: rest,
    problems: problems.map(({ name }) => name),
    unreachable: survey.unreachable,
    seen: await look(state.fields[1]?.value),
  };
}

describe("a wrapper", () => {
  it.each([true, false])(
    "of a map shows keys as text where they are UTF-8, and values in hexadecimal",
    async (marked) => {
      const rows = [...wrapper(1, id(2)), ...collection(2, VALUES, MAP)];
      expect(await shown(rows, [1], marked)).toMatchObject({
        state: { [NAME(1)]: SHOWN },
        problems: [],
        unreachable: [],
      });
    },
  );

  it.each([
    ["a sorted map", { kind: "SortedMap", keyType: BYTES, valueType: BYTES }, VALUES, SHOWN],
    [
      "a set",
      { kind: "UnorderedSet", elementType: BYTES },
      { b: id(0).subarray(0, 0), "\xfe": id(0).subarray(0, 0) },
      ["b", "fe"],
    ],
    ["a counter", { kind: "GCounter" }, { ["ab".repeat(32)]: Uint8Array.of(3, 0, 0, 0, 0, 0, 0, 0) }, "3"],
  ] as const)(
    "of %s shows it, whether its row says so or its entries do",
    async (_, crdtType, entries, expected) => {
      for (const said of [crdtType, null]) {
        const rows = [...wrapper(1, id(2)), ...collection(2, entries, said)];
        expect(await shown(rows, [1])).toMatchObject({ state: { [NAME(1)]: expected }, problems: [] });
      }
    },
  );

  it("of a vector shows it, whether its row says so or its entries do", async () => {
    const entries = { 0: sized(Uint8Array.of(1, 2)), 1: sized(new Uint8Array(0)) };
    for (const said of [{ kind: "Vector", elementType: BYTES } as const, null]) {
      const rows = [...wrapper(1, id(2)), ...collection(2, entries, said, false)];
      expect(await shown(rows, [1])).toMatchObject({ state: { [NAME(1)]: ["0102", ""] }, problems: [] });
    }
  });

  it("of a counter that goes down has two ids", async () => {
    const slot = (value: number) => ({ ["ab".repeat(32)]: Uint8Array.of(value, 0, 0, 0, 0, 0, 0, 0) });
    const rows = [
      ...wrapper(1, concat(id(2), id(3))),
      ...collection(2, slot(2), null),
      ...collection(3, slot(5), null),
    ];
    const { state, seen } = await shown(rows, [1], true, (value) => (value as StateCounter).slots());
    expect(state).toEqual({ [NAME(1)]: "-3" });
    expect([...(seen as ReadonlyMap<string, bigint>)]).toEqual([["ab".repeat(32), -3n]]);
  });

  it("of a register has its value inside", async () => {
    const rows = [
      ...wrapper(1, register(concat(Uint8Array.of(1), sized(encoder.encode("hey"))))),
      ...wrapper(3, register(Uint8Array.of(0))),
    ];
    expect(await shown(rows, [1, 3])).toMatchObject({
      state: { [NAME(1)]: "686579", [NAME(3)]: null },
      problems: [],
      unreachable: [],
    });
  });

  it("has entries that are found by their keys", async () => {
    const rows = [...wrapper(1, id(2)), ...collection(2, VALUES, MAP)];
    const { seen } = await shown(rows, [1], true, async (value) => {
      const map = value as StateMap;
      const first = await map.entries({ from: "b" }).next();
      return [
        (await map.get("alice"))?.value,
        (await map.get(Uint8Array.of(0xff, 0)))?.key,
        first.value?.key,
      ];
    });
    expect(seen).toEqual([encoder.encode("one"), Uint8Array.of(0xff, 0), Uint8Array.of(0xff, 0)]);
  });
});

describe("what nothing proves", () => {
  it.each([
    [
      "an empty collection whose row says nothing",
      [...wrapper(1, id(2)), ...collection(2, {}, null)],
      "TypeUnknown",
    ],
    ["a collection that is not there", wrapper(1, id(9)), "ValueDecode"],
    [
      "a shared value",
      [...wrapper(1, concat(id(2), Uint8Array.of(0))), ...collection(2, {}, { kind: "SharedStorage" })],
      "TypeUnknown",
    ],
    [
      "entries that are a counter's or a map's",
      [
        ...wrapper(1, id(2)),
        ...collection(2, { ["ab".repeat(32)]: Uint8Array.of(4, 0, 0, 0, 0, 0, 0, 0) }, null),
      ],
      "TypeUnknown",
    ],
  ] as const)("%s is a problem with its bytes", async (_, rows, name) => {
    const state = { [NAME(1)]: { $problem: name, bytes: expect.any(Number) } };
    expect(await shown(rows, [1])).toMatchObject({ state, problems: [name] });
  });
});

describe("text", () => {
  it("of keys is not guessed from bytes that are none", async () => {
    const rows = [...wrapper(1, id(2)), ...collection(2, { "\xc3\xa9": text("x") }, MAP)];
    expect(await shown(rows, [1])).toMatchObject({ state: { [NAME(1)]: { é: "78" } } });
  });
});
