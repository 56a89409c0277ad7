/** State with one row for each entity: every kind of collection, as a program in Python wrote it. */
import { describe, expect, it } from "vitest";
import { fromHex } from "../../src/bytes/hex.js";
import {
  entityDetails,
  partAt,
  partsIn,
  placeOfEntity,
  type StateCounter,
  type StateMap,
  type StateSet,
  type StateVector,
  stateJson,
  stateOf,
} from "../../src/state/index.js";
import { listOf } from "../support/lists.js";
import { about, expected, manifest, privateTypes, stateIn, storeOf } from "./one-row.js";

const CONTEXT = fromHex(about.context);

describe("a state of 10,000 entities", () => {
  it("is shown as it was written, under the hash of its root", async () => {
    await using store = await storeOf();
    const state = await stateIn(store);
    const { json, problems } = await stateJson(state);
    expect(problems).toEqual([]);
    const shown = json.state as Readonly<Record<string, unknown>>;
    expect(Object.keys(shown)).toEqual(Object.keys(expected));
    for (const [name, value] of Object.entries(expected)) expect([name, shown[name]]).toEqual([name, value]);
    expect((await entityDetails(state, CONTEXT))?.fullHash).toBe(about.rootHash);
  });
});

describe("single parts", () => {
  it("are found by their path, and by their entity", async () => {
    await using store = await storeOf();
    const state = await stateIn(store);
    for (const [field, key] of [
      ["items", Object.keys(expected.items as object)[1234]],
      ["posts", "post 7"],
      ["mine", Object.keys(expected.mine as object)[3]],
      ["team", "m20"],
      ["seen", Object.keys(expected.seen as object)[77]],
    ] as const) {
      const path = `${field}[${JSON.stringify(key)}]`;
      const part = await partAt(state, path);
      expect([path, part?.problem]).toEqual([path, undefined]);
      const value = (await state.get(path)) as { readonly value?: unknown };
      const shown = (expected[field] as Readonly<Record<string, unknown>>)[key as string];
      expect([path, String(value.value)]).toEqual([path, String(shown)]);
      expect(await placeOfEntity(state, part?.entity as Uint8Array)).toEqual({
        path: part?.path,
        struct: undefined,
      });
    }
    const log = state.field("log")?.value as StateVector;
    const list = expected.log as readonly string[];
    expect(await log.size()).toBe(list.length);
    for (const at of [0, 1, 2, 3, 4, 299, 599])
      expect((await log.get(at))?.value).toMatchObject({ value: list[at] });
    expect(await log.get(600)).toBeUndefined();
    const scores = state.field("scores")?.value as StateMap;
    const keys = (await listOf(scores.entries({ from: "n", limit: 5 }))).map(({ key }) => key);
    const inOrder = Object.keys(expected.scores as object).sort();
    expect(keys).toEqual(inOrder.filter((key) => key >= "n").slice(0, 5));
    const tags = state.field("tags")?.value as StateSet;
    expect(await tags.has((expected.tags as readonly string[])[5] as string)).toBe(true);
    expect(await tags.has("no such tag")).toBe(false);
    const balance = state.field("balance")?.value as StateCounter;
    expect((await balance.slots()).size).toBe(50);
  });

  it("of a map come in pages that have each entry once", async () => {
    await using store = await storeOf();
    const part = await partAt(await stateIn(store), "stock");
    const names: string[] = [];
    for (let total = 1; names.length < total; ) {
      const page = await partsIn(part as NonNullable<typeof part>, names.length, 97);
      total = page.total;
      names.push(...page.parts.map(({ name }) => name));
    }
    expect(names.sort()).toEqual(Object.keys(expected.stock as object).sort());
  });

  it("of a private struct are read if they are asked for", async () => {
    await using store = await storeOf();
    const state = await stateOf(store, about.context, { manifest, privateTypes, secrets: true });
    const [secrets] = state.privateStructs;
    expect(secrets?.problem).toBeUndefined();
    expect(secrets?.fields.map(({ name, value }) => [name, String(value)])).toEqual(
      Object.entries(about.private),
    );
  });
});

describe("without a manifest", () => {
  it("texts and numbers of counters are shown, and no value whose type nothing says", async () => {
    await using store = await storeOf();
    const { json, problemCount } = await stateJson(await stateOf(store, about.context), { limit: 3 });
    const shown = json.state as Readonly<Record<string, unknown>>;
    for (const name of ["hits", "balance", "note", "essay"])
      expect([name, shown[name]]).toEqual([name, expected[name]]);
    expect(Object.values(shown.items as object)[0]).toMatchObject({ $problem: "TypeUnknown" });
    expect(problemCount).toBeGreaterThan(20);
  });
});
