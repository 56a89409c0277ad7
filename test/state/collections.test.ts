/** A worked example of each kind of collection, in both revisions: bytes, values, order and reads. */
import { beforeAll, describe, expect, it } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import type { EngineReader } from "../../src/engine/engine.js";
import {
  type RegisterValue,
  type State,
  type StateEntry,
  type StateMap,
  type StateSet,
  type StateShared,
  type StateVector,
  stateJson,
  stateOf,
  valueCodec,
} from "../../src/state/index.js";
import { type Store, StoreReader } from "../../src/store/index.js";
import { listOf } from "../support/lists.js";
import { contextStartingWith, fixtureStore, manifestOf } from "./support.js";

const long = expect.stringMatching(/^x+$/);

/** The values that the crates' own programs left in the two databases that they wrote, in both revisions. */
const COMMON = {
  tags: ["blue", "from b4"],
  log: ["line 0", "line 1", "line 2"],
  visits: "2",
  stock: "1",
  title: "after merge",
  // "hello" without the second character, which was deleted: its followers stay.
  text: "hllo",
};

describe("the databases that the crates wrote", () => {
  it.each([
    [
      "core-0.11/log",
      "e7b3fadf",
      {
        ...COMMON,
        items: { empty: "", "from-a": long, "from-b": "2", r: "8", ключ: "значение 🌍" },
        sorted: { "": "0", apple2: "2", mango: "9", zebra: "1", zoë: "18446744073709551615" },
        numbers: { "00000000": "n", "00000001": "n", "01000000": "n" },
        sset: ["a", "after", "b", "c"],
        user: { "33c389e69224d59ae03e2f0d23f5c462896e63e01a89f63de9d98a9a1828d36f": "mine, changed" },
        frozen: { e667f63183b2651f6891eb7d36ac81f85c7992742e513ee4f39857346bd81115: "immutable" },
        shared: "shared by m1",
        nested: { outer: { k: "v" } },
        authored: { note: "by me", "of-m1": "authored by m1" },
      },
    ],
    [
      "core-0.10/tables",
      "d36d0feb",
      {
        ...COMMON,
        items: { empty: "", "from-a": long, "from-b": "2", ключ: "значение 🌍" },
        regs: { r: "8" },
        user: { "50c3e1a01e1e877af662554ad557980bff0a20db1d0153fcd482f3b778b3a64e": "mine, changed" },
        frozen: { e667f63183b2651f6891eb7d36ac81f85c7992742e513ee4f39857346bd81115: "immutable" },
        nested: { outer: { k: "v" } },
      },
    ],
  ])("%s", async (name, context, expected) => {
    await using store = await fixtureStore(name);
    const manifest = manifestOf(`${name.split("/")[0]}/crate-fixture`);
    const state = await stateOf(store, await contextStartingWith(store, context), { manifest });
    const { json, problems } = await stateJson(state);
    expect(problems).toEqual([]);
    expect(JSON.parse(JSON.stringify(json.state))).toEqual(expected);
  });
});

/** Counts the reads of a store. */
class Counting implements EngineReader {
  keys = 0;
  readonly #of: EngineReader;

  constructor(of: EngineReader) {
    this.#of = of;
  }

  get columns() {
    return this.#of.columns;
  }

  get(column: string, key: Uint8Array) {
    this.keys++;
    return this.#of.get(column, key);
  }

  getMany(column: string, keys: readonly Uint8Array[]) {
    this.keys += keys.length;
    return this.#of.getMany(column, keys);
  }

  scan(...of: Parameters<EngineReader["scan"]>) {
    return this.#of.scan(...of);
  }
}

/** The keys of entries, in their order. */
const keysOf = async (of: StateMap | StateSet, options?: Parameters<StateMap["entries"]>[0]) =>
  (await listOf(of.entries(options))).map(({ key }) => key);

describe("core-0.11/node-a", () => {
  let store: Store;
  beforeAll(async () => {
    store = await fixtureStore("core-0.11/node-a");
    return () => store.close();
  });

  async function open(context: string, manifest: string, reader: EngineReader = store.raw): Promise<State> {
    const id = await contextStartingWith(store, context);
    return stateOf(new StoreReader(reader, store.schema), id, {
      manifest: manifestOf(`core-0.11/${manifest}`),
    });
  }

  it("an entry of a map has its key, value, last write and details", async () => {
    const state = await open("b875f1c0", "kv-store");
    const map = state.field("items")?.value as StateMap;
    const entry = (await map.get("a10")) as StateEntry;
    const value = entry.value as RegisterValue;
    expect([entry.path, entry.key, value.value]).toEqual(['items["a10"]', "a10", "first 10"]);
    expect(toHex(entry.id)).toMatch(/^1ca78838.*508e$/);
    expect(toHex(value.node as Uint8Array)).toMatch(/^7c230097.*f13f$/);
    // e7be5831016b 0000, little-endian.
    expect(value.time?.toString(16)).toBe("6b013158bee70000");
    expect(await map.size()).toBe(148);
    // The key comes before the value in the row; the codec writes only the value.
    const raw = entry.raw as Uint8Array;
    expect(raw).toHaveLength(107 - 32);
    expect(toHex(valueCodec(entry)?.encode(value) as Uint8Array)).toBe(toHex(raw.subarray(7)));
    expect(await map.details()).toMatchObject({ name: "items", storage: "Public", children: 148 });
  });

  it("an entry is found with two lookups, and the second with one", async () => {
    const reader = new Counting(store.raw);
    const state = await open("b875f1c0", "kv-store", reader);
    const map = (await open("b875f1c0", "kv-store", reader)).field("items")?.value as StateMap;
    await map.get("a1");
    const before = reader.keys;
    expect((await map.get("a10"))?.key).toBe("a10");
    expect(reader.keys - before).toBe(1);
    reader.keys = 0;
    expect(await map.get("nobody")).toBeUndefined();
    expect(reader.keys).toBe(1);
    expect(state.problems).toEqual([]);
  });

  it("entries of sorted maps come in the order of their keys, from a key, with a prefix, up to a limit", async () => {
    const map = (await open("cf58de10", "sorted-kv-store")).field("items")?.value as StateMap;
    const all = await keysOf(map);
    expect(all).toHaveLength(23);
    expect(all).toEqual([...all].sort());
    expect(await keysOf(map, { from: "s2", limit: 3 })).toEqual(["s20", "s21", "s26"]);
    expect(await keysOf(map, { prefix: "s4" })).toEqual(["s40", "s41", "s42", "s47", "s48", "s49"]);
    expect(await keysOf(map, { prefix: "s4", from: "s45" })).toEqual(["s47", "s48", "s49"]);
    expect(await keysOf(map, { from: "t" })).toEqual([]);
  });

  it("entries of other maps come in stored order, or in that of their keys from a key on", async () => {
    const map = (await open("b875f1c0", "kv-store")).field("items")?.value as StateMap;
    expect(await listOf(map.entries({ limit: 5 }))).toHaveLength(5);
    expect((await keysOf(map, { prefix: "b" })).toSorted()).toEqual(["b1", "b2", "b3", "b4", "b5", "b6"]);
    expect(await keysOf(map, { from: "b5", limit: 4 })).toEqual(["b5", "b6", "c1", "c2"]);
    expect(await listOf(map.entries({ limit: 0 }))).toEqual([]);
  });

  it("user and frozen storage have ids for keys, as bytes and as text", async () => {
    const state = await open("dfdbd9a9", "kv-store-with-user-and-frozen-storage");
    const user = state.field("user_items_simple")?.value as StateMap;
    const account = "de2a2d2033c99ec1fb2c35d355963cff50bc699a347bf3b9acf54b7f4d689033";
    const entry = (await user.get(account)) as StateEntry;
    expect([(entry.value as RegisterValue).value, toHex(entry.key as Uint8Array)]).toEqual(["u3", account]);
    expect((await user.get(entry.key as Uint8Array))?.path).toBe(`user_items_simple["${account}"]`);
    const details = await state.scope.rows.index(entry.id);
    expect(details?.metadata.storageType.kind).toBe("User");
    const frozen = state.field("frozen_items")?.value as StateMap;
    expect(
      (await frozen.get("e9155bcf1044da14c1ed490548326ed20a9e95dba4ae38cb6efa268c0bd85f6b"))?.value,
    ).toBe("ice 1");
  });

  it("lists, sets and shared values", async () => {
    const nested = await open("a2a4613d", "nested-crdt-test");
    const metrics = nested.field("metrics")?.value as StateVector;
    expect([await metrics.size(), (await metrics.get(2))?.path, await metrics.get(3)]).toEqual([
      3,
      "metrics[2]",
      undefined,
    ]);
    expect((await listOf(metrics.entries({ from: 1 }))).map(({ path }) => path)).toEqual([
      "metrics[1]",
      "metrics[2]",
    ]);
    const tags = (await nested.get("tags.t")) as { readonly value: unknown } | StateSet;
    const set = ("value" in tags ? tags.value : tags) as StateSet;
    expect([await set.has("g1"), await set.has("g2"), await keysOf(set)]).toEqual([true, false, ["g1"]]);
    const shared = (await open("d0d840d7", "kv-store-with-shared-storage")).field("shared_value")
      ?.value as StateShared;
    const due = (await shared.value()) as StateEntry;
    expect((due.value as RegisterValue).value).toBe("due");
  });
});

describe("names of Rust types", () => {
  it("say what a collection holds without a manifest", async () => {
    await using store = await fixtureStore("core-0.11/node-a");
    const state = await stateOf(store, await contextStartingWith(store, "a2a4613d"));
    const { json } = await stateJson(state);
    expect(JSON.parse(JSON.stringify(json.state))).toEqual({
      counters: { c: "3" },
      registers: { r1: "x" },
      metadata: { o: { i1: "z" } },
      metrics: ["1", "1", "1"],
      tags: { t: ["g1"] },
      sorted_scores: { s1: "10" },
    });
  });
});
