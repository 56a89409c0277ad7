/** An application with all kinds of fields. Its manifest leaves widths and options open; its source tells them. */
import { describe, expect, it } from "vitest";
import {
  type StateCounter,
  type StateMap,
  type StateShared,
  stateJson,
  stateOf,
  surveyState,
} from "../../src/state/index.js";
import { manifestOf, zooStore } from "./support.js";

const CONTEXT = "c7".repeat(32);
const manifest = manifestOf("core-0.11/zoo");
const OWNER = "aa".repeat(32);

/** The facts in the source that the manifest lacks. */
const HINTS = {
  "Small.a": "u8",
  "Small.b": "u16",
  "Small.c": "i8",
  "Small.e": "Vec<Option<u8>>",
  "Small.f": "(u8, String)",
  "Small.g": "BTreeMap<String, u16>",
  "Profile.visits": "GCounter",
  "Profile.stock": "PNCounter",
};

const SURE = {
  status: { Pending: "changed" },
  opt: null,
  narrow: { n: 200 },
  by_bytes: { ff00: -2 },
  by_id: { "00000001": "one", "00000002": "two" },
  opts: { none: null, some: "5" },
  states: [
    { Active: { timestamp: "77" } },
    "Inactive",
    { Pending: "why" },
    { Two: { field_0: 1, field_1: "2" } },
  ],
  pn: { p: "-1" },
  g: "2",
  stock: "-1",
  lists: { l: ["1"] },
  matrix: [["1", "2"], ["3"]],
  texts: { t: "nested text" },
  smaps: { m: { a: "1", b: "2" } },
  ssets: { s: ["x", "y"] },
  bset: ["01fe"],
  authored: { k: "mine" },
  posts: ["post 1", "post 2"],
  user: { [OWNER]: "42" },
  frozen: { "202f7ca977b86a8071f087aa4d7138d1bd723d418d4bc590cce113e6f4609d0c": "ice" },
  shared: { sk: "sv" },
  owned: "99",
  roles: { [`editor\0${"bb".repeat(32)}`]: true },
  text: "ello big World",
};

/** The JSON and the problems as plain objects. */
async function shown(hints?: Readonly<Record<string, string>>) {
  await using store = await zooStore();
  const state = await stateOf(store, CONTEXT, { manifest, hints });
  const { json, problems } = await stateJson(state);
  return { json: JSON.parse(JSON.stringify(json.state)), problems };
}

describe("without hints", () => {
  it("shows what has one reading, and reports the three values that have several", async () => {
    const { json, problems } = await shown();
    expect(json).toEqual({
      ...SURE,
      small: { $problem: "Ambiguous", bytes: 114 },
      records: { r: { $problem: "Ambiguous", bytes: 92 } },
      profiles: { ada: { $problem: "Ambiguous", bytes: 258 } },
    });
    expect(problems.map(({ name, path, readings }) => [name, path, (readings as number) > 1])).toEqual([
      ["Ambiguous", "small", true],
      ["Ambiguous", 'records["r"]', true],
      ["Ambiguous", 'profiles["ada"]', true],
    ]);
    // The bytes are there, to be read by people.
    expect(problems.map(({ raw }) => raw?.length)).toEqual([114, 92, 258]);
  });
});

describe("with hints", () => {
  it("shows all values as the application set them", async () => {
    const { json, problems } = await shown(HINTS);
    expect(problems).toEqual([]);
    expect(json).toEqual({
      ...SURE,
      small: {
        a: 7,
        b: 513,
        c: -3,
        d: 9,
        e: [1, null, 255],
        f: [4, "tuple"],
        g: { k: 65535 },
        h: "01020304",
        i: "0908",
        j: true,
        k: "-5",
      },
      records: {
        r: {
          a: 1,
          b: 300,
          c: -1,
          d: null,
          e: [],
          f: [1, "x"],
          g: {},
          h: "00000000",
          i: "",
          j: false,
          k: "1",
        },
      },
      profiles: {
        ada: { bio: "hello", visits: "1", stock: "-1", tags: ["t"], log: ["11"], text: "bio" },
      },
    });
  });

  it("reaches all entities but those of the eight collections that the application threw away", async () => {
    await using store = await zooStore();
    const survey = await surveyState(await stateOf(store, CONTEXT, { manifest, hints: HINTS }));
    const { entities, decoded, tombstones, unreachable, problems } = survey;
    expect([entities, decoded + tombstones, unreachable.length, problems]).toEqual([136, 128, 8, []]);
  });

  it.each([
    ["Small.z", "u8", "hint Small.z: the manifest has no such field"],
    ["Small.a", "Wide", 'hint Small.a: "Wide" is not a type'],
    ["Small.a", "String", "hint Small.a: text instead of u32 or u8 or u16 or u64"],
  ])("refuses %s = %s", async (place, type, message) => {
    await expect(shown({ [place]: type })).rejects.toMatchObject({ code: "INVALID_ARGUMENT", message });
  });
});

describe("paths and details", () => {
  it("leads to values, through registers and shared values", async () => {
    await using store = await zooStore();
    const state = await stateOf(store, CONTEXT, { manifest, hints: HINTS });
    const values = await Promise.all(
      [
        "narrow.n",
        'by_bytes["ff00"]',
        "states[3].Two.field_1",
        "matrix[0][1]",
        "shared.sk",
        "profiles.ada.log[0]",
        "small.f[1]",
        "nothing",
        "narrow.nothing",
        "matrix[7]",
      ].map(async (path) => {
        const value = await state.get(path);
        return typeof value === "object" && value !== null && "value" in value ? value.value : value;
      }),
    );
    expect(values).toEqual([200, -2, 2n, 2n, "sv", 11n, "tuple", undefined, undefined, undefined]);
    await expect(state.get("narrow[")).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await expect((await stateOf(store, CONTEXT, { manifest })).get("small.a")).rejects.toMatchObject({
      code: "STATE_UNREADABLE",
      problem: { name: "Ambiguous" },
    });
  });

  it("tells who may write, and what each identity counted", async () => {
    await using store = await zooStore();
    const state = await stateOf(store, CONTEXT, { manifest });
    const shared = state.field("shared")?.value as StateShared;
    expect([shared.isFrozen, await shared.details()]).toMatchObject([
      false,
      { storage: "Shared", writers: [{ account: OWNER, mask: 7 }], children: 1, deleted: undefined },
    ]);
    const stock = state.field("stock")?.value as StateCounter;
    expect([...(await stock.slots()).values()]).toEqual([-1n]);
    const narrow = state.field("narrow")?.value as StateMap;
    // The entry "gone" was removed.
    expect([await narrow.size(), (await narrow.details())?.deletedChildren]).toEqual([1, 1]);
  });
});
