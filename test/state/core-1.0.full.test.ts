/** State with one row for each entity, spoilt: everything that contradicts the tree is a problem, never a value. */
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import type { WriteOperation } from "../../src/engine/engine.js";
import { countEntities, stateJson, surveyState } from "../../src/state/index.js";
import { about, expected, rows, stateIn, storeOf } from "./one-row.js";

const CONTEXT = fromHex(about.context);
const ROUNDS = 16;

const entities = rows.filter(({ column, key }) => column === "State" && key[32] === 0);
const tries = rows.filter(({ column, key }) => column === "State" && key[32] === 3);

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** Shown values that differ from the written ones; a list that lacks an element is one. */
function wrongIn(shown: Json | undefined, written: Json | undefined, path: string): string[] {
  if (isProblem(shown)) return [];
  if (Array.isArray(shown) && Array.isArray(written)) {
    if (shown.length !== written.length) return [`${path}: ${shown.length} elements`];
    // The bytes of a set's element decide its place.
    if (/\.(tags|ranks)$/.test(path))
      return shown.flatMap((one) => (isProblem(one) || written.includes(one) ? [] : [`${path}: ${one}`]));
    return shown.flatMap((one, at) => wrongIn(one, written[at], `${path}[${at}]`));
  }
  if (isObject(shown) && isObject(written))
    return Object.keys(shown).flatMap((name) =>
      name.startsWith("$problem") ? [] : wrongIn(shown[name], written[name], `${path}.${name}`),
    );
  return shown === written ? [] : [`${path}: ${JSON.stringify(shown)}`];
}

/** Values that are neither shown nor problems. */
function lostIn(shown: Json | undefined, written: Json | undefined, path: string): string[] {
  if (isProblem(shown)) return [];
  if (!isObject(shown) || !isObject(written)) return shown === undefined ? [path] : [];
  const named = Object.keys(shown).filter((name) => name.startsWith("$problem ")).length;
  const missing = Object.keys(written).filter((name) => !(name in shown));
  if (missing.length > named) return missing.map((name) => `${path}.${name}`);
  return Object.keys(shown).flatMap((name) => lostIn(shown[name], written[name], `${path}.${name}`));
}

const isObject = (json: Json | undefined): json is Readonly<Record<string, Json>> =>
  typeof json === "object" && json !== null && !Array.isArray(json);
const isProblem = (json: Json | undefined): boolean => isObject(json) && "$problem" in json;

async function shownWith(changes: readonly WriteOperation[]) {
  await using store = await storeOf(changes);
  const { json, problems } = await stateJson(await stateIn(store));
  return { state: json.state as Readonly<Record<string, Json>>, problems };
}

async function expectNothingWrong(changes: readonly WriteOperation[]) {
  const { state, problems } = await shownWith(changes);
  expect(wrongIn(state, expected as Json, "$")).toEqual([]);
  expect(lostIn(state, expected as Json, "$")).toEqual([]);
  return problems;
}

/** Every sixteenth row, from one of the first on. */
const some = <T>(of: readonly T[], round: number): readonly T[] =>
  of.filter((_, at) => at % ROUNDS === round);

/** A row with one bit of its last byte turned. */
function withOtherEnd(row: (typeof rows)[number], bit = 0): WriteOperation {
  return { ...row, value: row.value.with(-1, (row.value.at(-1) as number) ^ (1 << bit)) };
}

describe("a state of 10,000 entities", () => {
  it("has no entity that the fields do not lead to", async () => {
    await using store = await storeOf();
    expect(await surveyState(await stateIn(store))).toEqual({
      entities: about.entities,
      decoded: about.entities - about.deleted,
      tombstones: about.deleted,
      undecoded: 0,
      unreachable: [],
      unreachableCount: 0,
      problems: [],
      problemCount: 0,
    });
    expect(await countEntities(store, CONTEXT)).toBe(about.entities);
  });

  it.each(Array.from({ length: ROUNDS }, (_, round) => round))(
    "shows no value of a row whose last byte is another (%i)",
    async (round) => {
      const spoilt = some(entities, round).filter(({ value }) => ((value[0] as number) & 2) !== 0);
      const problems = await expectNothingWrong(spoilt.map((row) => withOtherEnd(row, round % 8)));
      expect(problems.length).toBeGreaterThan(0);
    },
  );

  it.each([0, 5, 11, 14])(
    "shows no value of a row of another entity, or without a row (%i)",
    async (round) => {
      const chosen = some(entities, round);
      const moved = chosen.map((row, at): WriteOperation => {
        const other = chosen[(at + 1) % chosen.length] as (typeof chosen)[number];
        return { ...row, value: other.value };
      });
      await expectNothingWrong(moved);
      await expectNothingWrong(chosen.map(({ column, key }) => ({ type: "delete", column, key })));
    },
  );

  it.each([0, 3, 7, 12])(
    "shows no collection of whose trie a row is missing or another (%i)",
    async (round) => {
      const chosen = some(tries, round);
      await expectNothingWrong(chosen.map(({ column, key }) => ({ type: "delete", column, key })));
      await expectNothingWrong(chosen.map((row) => withOtherEnd(row)));
    },
  );

  it("names each spoilt entry of a map", async () => {
    const { state } = await shownWith([]);
    expect(Object.keys(state.items as object).length).toBe(2900);
    const items = toHex(
      rows.find(({ value }) => toHex(value).includes("05000000" + "6974656d73"))?.key ?? CONTEXT,
    );
    const below = entities.filter(
      ({ value }) =>
        ((value[0] as number) & 2) !== 0 && toHex(value.subarray(2, 37)).includes(items.slice(66)),
    );
    const spoilt = some(below, 2);
    const { problems } = await shownWith(spoilt.map((row) => withOtherEnd(row)));
    expect(problems.map(({ path }) => path).sort()).toEqual(
      spoilt.map(({ key }) => `items[#${toHex(key.subarray(33))}]`).sort(),
    );
  });
});
