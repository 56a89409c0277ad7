/** States that nobody wrote in good faith: faults are named, and no work takes long or much memory. */
import { describe, expect, it } from "vitest";
import { concat } from "../../src/bytes/concat.js";
import { toHex } from "../../src/bytes/hex.js";
import { collectionId, mapEntryId } from "../../src/digests/index.js";
import { fieldParts, type StateMap, stateJson, stateOf, surveyState } from "../../src/state/index.js";
import { codecOf } from "../../src/state/types/codec-of.js";
import { TypeTable } from "../../src/state/types/from-manifest.js";
import { readUnchecked } from "../../src/state/types/read-value.js";
import type { Type } from "../../src/state/types/type.js";
import { listOf } from "../support/lists.js";
import { randomNumbers } from "../support/random-values.js";
import { CONTEXT, entryRow, field, indexRow, manifestWith, mapOf, mapRows, storeOf, text } from "./made.js";

const U32 = { kind: "u32" };
const tree = manifestWith({
  State: { kind: "record", fields: [field("nodes", mapOf({ $ref: "Node" }))] },
  Node: { kind: "record", fields: [field("nodes", mapOf({ $ref: "Node" }))] },
});
const NODES = collectionId("nodes");
const id = (byte: number) => new Uint8Array(32).fill(byte);

describe("collections", () => {
  it("that hold themselves are named", async () => {
    await using store = await storeOf(NODES, mapRows([["again", NODES]], "nodes"));
    const state = await stateOf(store, CONTEXT, { manifest: tree });
    const { json, problems } = await stateJson(state);
    expect(JSON.stringify(json.state)).toBe('{"nodes":{"again":{"nodes":{"$problem":"CollectionReused"}}}}');
    expect(problems.map(({ name, path }) => [name, path])).toEqual([
      ["CollectionReused", 'nodes["again"].nodes'],
    ]);
    // A caller that goes deeper step by step is stopped too.
    await expect(state.get("nodes.again.nodes.again")).rejects.toMatchObject({
      problem: { name: "EntityCycle" },
    });
    expect((await surveyState(state)).problems.map(({ name }) => name)).toEqual(["CollectionReused"]);
  });

  it("that hold each other in many ways are shown once", async () => {
    // Each of 40 maps holds the next one twice: 2^40 paths.
    const ids = Array.from({ length: 40 }, (_, at) => (at === 0 ? NODES : id(at)));
    const rows = ids.flatMap((one, at) =>
      mapRows(
        at === 39 ? [] : ["l", "r"].map((key) => [key, ids[at + 1] as Uint8Array] as const),
        "nodes",
        one,
        at === 0 ? "nodes" : null,
      ),
    );
    await using store = await storeOf(NODES, rows);
    const { problems } = await stateJson(await stateOf(store, CONTEXT, { manifest: tree }));
    expect(problems).toHaveLength(39);
    expect(new Set(problems.map(({ name }) => name))).toEqual(new Set(["CollectionReused"]));
  });

  it("of 200,000 entries are read as far as they are asked for", async () => {
    const keys = Array.from({ length: 200_000 }, (_, at) => `k${at}`);
    const encoder = new TextEncoder();
    const entries = keys.map((key) => mapEntryId(NODES, encoder.encode(key)));
    const manifest = manifestWith({ State: { kind: "record", fields: [field("nodes", mapOf(U32))] } });
    const rows = entries
      .slice(0, 100)
      .map((entry, at) => entryRow(entry, concat(text(`k${at}`), Uint8Array.of(at, 0, 0, 0))));
    await using store = await storeOf(NODES, [indexRow(NODES, entries, "nodes"), ...rows]);
    const state = await stateOf(store, CONTEXT, { manifest });
    const map = state.field("nodes")?.value as StateMap;
    const found = (await listOf(map.entries({ limit: 102 }))).map(
      ({ key, value, problem }) => problem?.name ?? [key, value],
    );
    expect([await map.size(), found.length, found[0], found[99], found[100]]).toEqual([
      200_000,
      102,
      ["k0", 0],
      ["k99", 99],
      "EntryMissing",
    ]);
    expect((await map.get("k77"))?.value).toBe(77);
    expect(await map.get("nobody")).toBeUndefined();
  });

  it("with a wrong number of children have no index row", async () => {
    const [key, value] = indexRow(NODES, [id(1), id(2)], "nodes");
    const damaged = Uint8Array.from(value);
    damaged.set([255, 255, 255, 255], 66);
    await using store = await storeOf(NODES, [[key, damaged]]);
    const { problems } = await stateOf(store, CONTEXT, { manifest: tree });
    expect(problems.map(({ name, path }) => [name, path])).toEqual([
      ["ValueDecode", "$"],
      ["FieldNotFound", "nodes"],
    ]);
  });
});

describe("entries", () => {
  const manifest = manifestWith({
    State: { kind: "record", fields: [field("nodes", mapOf({ kind: "u64" }))] },
  });
  const good = mapEntryId(NODES, new TextEncoder().encode("good"));
  const seven = Uint8Array.of(7, 0, 0, 0, 0, 0, 0, 0);

  it.each([
    ["EntryMissing", id(9), undefined, undefined, []],
    ["ElementIdMismatch", good, undefined, 48, [entryRow(good, concat(text("good"), seven)), id(3)]],
    ["KeyMismatch", good, undefined, 17, [entryRow(good, concat(text("other"), seven))]],
    ["KeyMismatch", good, undefined, 0, [entryRow(good, new Uint8Array(0))]],
    ["ValueDecode", good, "good", 7, [entryRow(good, concat(text("good"), seven.subarray(1)))]],
    ["ValueDecode", good, "good", 16, [entryRow(good, concat(text("good"), seven, seven))]],
  ] as const)("%s, which JSON says in its place", async (name, entry, key, bytes, [row, tail]) => {
    const rows =
      row === undefined
        ? []
        : [
            tail === undefined
              ? row
              : ([row[0], concat(row[1].subarray(0, -32), tail as Uint8Array)] as const),
          ];
    await using store = await storeOf(NODES, [indexRow(NODES, [entry], "nodes"), ...rows]);
    const { json, problems } = await stateJson(await stateOf(store, CONTEXT, { manifest }));
    expect(JSON.parse(JSON.stringify(json.state))).toEqual({
      nodes: { [key ?? `$problem ${toHex(entry)}`]: { $problem: name, bytes } },
    });
    expect(problems.map((one) => one.name)).toEqual([name]);
  });

  it("with names that begin with $ differ from the marks of omitted parts in JSON", async () => {
    const names = ["$problem", "$$more", "$other"];
    const rows = mapRows(
      names.map((name) => [name, seven] as const),
      "nodes",
    );
    await using store = await storeOf(NODES, rows);
    const state = await stateOf(store, CONTEXT, { manifest });
    const { json, problems } = await stateJson(state, { limit: 2 });
    expect(problems).toEqual([]);
    const all = (await stateJson(state)).json.state as { readonly nodes: object };
    expect(Object.keys(all.nodes).sort()).toEqual(["$$$more", "$$problem", "$other"]);
    const { nodes } = json.state as { readonly nodes: Record<string, unknown> };
    expect(Object.keys(nodes)).toHaveLength(3);
    expect(nodes.$more).toBe(1);
  });

  it("of frozen storage have the hash of their value for a key", async () => {
    const frozen = manifestWith({
      State: {
        kind: "record",
        fields: [field("ice", { kind: "map", key: { kind: "string" }, value: { kind: "string" } })],
      },
    });
    const own = collectionId("__frozen_storage_ice");
    const entry = mapEntryId(own, id(5));
    await using store = await storeOf(concat(own, collectionId("ice")), [
      indexRow(own, [entry], "__frozen_storage_ice"),
      entryRow(entry, concat(id(5), text("thawed"))),
    ]);
    const { problems } = await stateJson(await stateOf(store, CONTEXT, { manifest: frozen }));
    expect(problems.map(({ name, path }) => [name, path])).toEqual([
      ["FrozenKeyMismatch", `ice["${"05".repeat(32)}"]`],
    ]);
  });
});

describe("values", () => {
  const recursive = manifestWith({
    State: { kind: "record", fields: [field("next", { kind: "list", items: { $ref: "State" } })] },
  });

  it("nested more deeply than any program would are refused", () => {
    const type = new TypeTable(recursive).named("State") as Type;
    const bytes = new Uint8Array(400_000);
    for (let at = 0; at < bytes.length; at += 4) bytes[at] = 1;
    expect(readUnchecked(type, bytes).outcome).toBe("none");
    expect(codecOf(type).readWhole(bytes)).toMatchObject({ expected: "a type that is known" });
    const exact = new TypeTable(recursive, { "State.next": "Vec<State>" }).named("State") as Type;
    expect(readUnchecked(exact, bytes)).toMatchObject({ outcome: "none" });
    expect(readUnchecked(exact, bytes.subarray(-8)).outcome).toBe("none");
    expect(readUnchecked(exact, Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0))).toMatchObject({ outcome: "value" });
  });

  it("with more readings than can be counted are ambiguous, not slow", () => {
    const names = Array.from({ length: 200 }, (_, at) => `f${at}`);
    const wide = manifestWith({ State: { kind: "record", fields: names.map((name) => field(name, U32)) } });
    const type = new TypeTable(wide).named("State") as Type;
    expect(readUnchecked(type, new Uint8Array(600))).toMatchObject({ outcome: "ambiguous" });
    const lists = manifestWith({
      State: {
        kind: "record",
        fields: [field("all", { kind: "list", items: { kind: "list", items: U32 } })],
      },
    });
    const list = new TypeTable(lists).named("State") as Type;
    const bytes = new Uint8Array(100_000);
    bytes.set([255, 255, 0, 0]);
    expect(["none", "ambiguous"]).toContain(readUnchecked(list, bytes).outcome);
  });

  it("of a type that holds another in many places have a type of a few words", async () => {
    const types = Array.from({ length: 24 }, (_, at) => [
      `T${at}`,
      {
        kind: "alias",
        target: {
          kind: "tuple",
          elements: new Array(12).fill(at === 0 ? { kind: "string" } : { $ref: `T${at - 1}` }),
        },
      },
    ]);
    const all = field("all", { kind: "list", items: { $ref: "T23" } });
    const manifest = manifestWith({ State: { kind: "record", fields: [all] }, ...Object.fromEntries(types) });
    await using store = await storeOf(new Uint8Array(4), []);
    const [part] = fieldParts(await stateOf(store, CONTEXT, { manifest }));
    expect(part?.value).toEqual([]);
    expect(part?.type).toMatch(/^Vec<\({24}String, String, /);
    expect(part?.type).toHaveLength(201);
  });

  it("of random bytes never throw", () => {
    const random = randomNumbers(5);
    const type = new TypeTable(
      manifestWith({
        State: {
          kind: "record",
          fields: [
            field("a", { kind: "list", items: { kind: "tuple", elements: [U32, { kind: "string" }] } }),
            field("b", { kind: "map", key: { kind: "string" }, value: { kind: "i32" } }),
            field("c", { kind: "record", fields: [], crdt_type: "lww_register", inner_type: U32 }),
          ],
        },
      }),
    ).named("State") as Type;
    for (let round = 0; round < 3_000; round++) {
      const bytes = Uint8Array.from({ length: Math.floor(random() * 120) }, () =>
        random() < 0.7 ? Math.floor(random() * 3) : Math.floor(random() * 256),
      );
      expect(["none", "ambiguous", "value"]).toContain(readUnchecked(type, bytes).outcome);
    }
  });
});
