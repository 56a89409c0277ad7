/** The application's data as a tree, against an independent program's reading. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { concat } from "../../src/bytes/concat.js";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { entryStateKey } from "../../src/digests/index.js";
import type { Engine } from "../../src/engine/engine.js";
import {
  countEntities,
  fieldParts,
  partAt,
  partContent,
  partCount,
  partsIn,
  placeOfEntity,
  type State,
  StateCollection,
  type StateEntry,
  type StatePart,
  StateSet,
  type StateShared,
  StateVector,
  stateOf,
  surveyState,
  valueJson,
} from "../../src/state/index.js";
import type { Store } from "../../src/store/index.js";
import { fixturePath } from "../support/fixtures.js";
import { contextStartingWith, fixtureStore, manifestOf, manifestsOf, zooStore } from "./support.js";

const ZOO = "c7".repeat(32);
const NESTED = "a2a4613d4d3275b06fd985d16c509bf51522a8a4e9465d256b30726f9a28cb64";

interface Expected {
  readonly context: string;
  readonly state: unknown;
}

function expectedOf(fixture: string): readonly Expected[] {
  const folder = fixturePath("abi", "expected", fixture);
  return readdirSync(folder).map((file) => JSON.parse(readFileSync(`${folder}/${file}`, "utf8")));
}

function open(store: Store, fixture: string, context: string): Promise<State> {
  const { manifest } = manifestsOf(fixture, context.slice(0, 8));
  return stateOf(store, context, { manifest });
}

/** All of the parts in a part, in pages of seven. */
async function allIn(part: StatePart): Promise<readonly StatePart[]> {
  const found: StatePart[] = [];
  for (;;) {
    const { parts, total } = await partsIn(part, found.length, 7);
    found.push(...parts);
    if (found.length >= total) return found;
  }
}

/** A part as JSON, from the parts in it. */
async function jsonOf(part: StatePart): Promise<unknown> {
  expect(part.problem).toBeUndefined();
  const { value } = await partContent(part);
  const count = await partCount(part);
  if (count === undefined) return (await valueJson(value)).json;
  const parts = await allIn(part);
  expect(parts.length).toBe(count);
  if (Array.isArray(value) || value instanceof StateVector || value instanceof StateSet)
    return Promise.all(parts.map(jsonOf));
  return Object.fromEntries(await Promise.all(parts.map(async (one) => [one.name, await jsonOf(one)])));
}

async function* walk(parts: readonly StatePart[]): AsyncGenerator<StatePart> {
  for (const part of parts) {
    yield part;
    if ((await partCount(part)) !== undefined) yield* walk(await allIn(part));
  }
}

describe.each(["core-0.11/node-a", "core-0.10/node-a"])("the parts of the state of %s", (fixture) => {
  it("are those that an independent program read", async () => {
    await using store = await fixtureStore(fixture);
    const expected = expectedOf(fixture);
    expect(expected.length).toBeGreaterThan(2);
    for (const { context, state: json } of expected) {
      const state = await open(store, fixture, context);
      const fields = await Promise.all(
        fieldParts(state).map(async (part) => [part.name, await jsonOf(part)]),
      );
      expect(Object.fromEntries(fields)).toEqual(json);
    }
  });

  it("are found by their paths, and by their entities", async () => {
    await using store = await fixtureStore(fixture);
    let entries = 0;
    for (const { context } of expectedOf(fixture)) {
      const state = await open(store, fixture, context);
      for await (const part of walk(fieldParts(state))) {
        const again = await partAt(state, part.path);
        expect([again?.name, again?.type, again?.entity]).toEqual([part.name, part.type, part.entity]);
      }
      for (const field of fieldParts(state))
        for (const part of (await partCount(field)) === undefined ? [] : (await allIn(field)).slice(0, 5)) {
          expect(await placeOfEntity(state, part.entity as Uint8Array)).toEqual({
            path: part.path,
            struct: undefined,
          });
          entries++;
        }
    }
    expect(entries).toBeGreaterThan(5);
  });
});

describe("parts", () => {
  it("of sets of texts and of bytes are found by their paths", async () => {
    await using store = await zooStore();
    const state = await stateOf(store, ZOO, { manifest: manifestOf("core-0.11/zoo") });
    for (const [path, name] of [
      ['bset["01fe"]', "01fe"],
      ['ssets["s"]["x"]', "x"],
    ] as const) {
      const part = await partAt(state, path);
      expect([part?.path, part?.named, part?.name, part?.entity?.length]).toEqual([
        path,
        "element",
        name,
        32,
      ]);
    }
    expect(await state.get('bset["01fe"]')).toEqual(Uint8Array.of(1, 0xfe));
    expect(await partAt(state, 'bset["01ff"]')).toBeUndefined();
    expect(await partAt(state, 'ssets["s"]["z"]')).toBeUndefined();
  });

  it("of a shared value that cannot be read are refused, with its problem", async () => {
    await using store = await zooStore();
    const manifest = manifestOf("core-0.11/zoo");
    const shared = (await stateOf(store, ZOO, { manifest })).field("shared")?.value as StateShared;
    const { id } = (await shared.value()) as StateEntry;
    const key = concat(fromHex(ZOO), entryStateKey(id));
    await (store.raw as Engine).write([{ type: "put", column: "State", key, value: new Uint8Array(64) }]);
    const state = await stateOf(store, ZOO, { manifest });
    const part = (await partAt(state, "shared")) as StatePart;
    expect(await partCount(part)).toBeUndefined();
    expect((await partContent(part)).problem?.name).toBe("ElementIdMismatch");
    const refused = { problem: { name: "ElementIdMismatch" } };
    await expect(partsIn(part, 0, 10)).rejects.toMatchObject(refused);
    await expect(partAt(state, "shared.sk")).rejects.toMatchObject(refused);
  });

  it("that a private struct holds are in no entity, unless they are collections", async () => {
    await using store = await fixtureStore("core-0.11/node-a");
    const privateTypes = manifestOf("core-0.11/private_data.private");
    const context = await contextStartingWith(store, "321161a6");
    const { privateStructs } = await stateOf(store, context, { privateTypes, secrets: true });
    const parts = privateStructs.flatMap((struct) => fieldParts(struct));
    expect(parts.length).toBeGreaterThan(0);
    for (const { value, entity } of parts)
      expect(entity).toEqual(value instanceof StateCollection ? value.id : undefined);
  });
});

describe("the place of an entity", () => {
  it("is the place of its value, or nowhere", async () => {
    await using store = await fixtureStore("core-0.11/node-a");
    const state = await open(store, "core-0.11/node-a", NESTED);
    const places: Readonly<Record<string, string | undefined>> = {
      // the counter in `counters.c`, the map in `metadata.o`, the set in `tags.t`, an entry of that map
      "789a82e7172491087f4b4b58fe425cf13f773e638dd7d5ac05fd43171f11b5f6": 'counters["c"]',
      "4bd7fb066b2fe62fcfdf70cd40e97a930f5156d9a30928a68c969850cce74007": 'metadata["o"]',
      "91eaa08ff53395eb92609dee0497a60273d3868be2400ea18007c574ffa37199": 'tags["t"]',
      ed3b542456c792a22f24d3ae41c07703e77715e49405025911f965e6ec6d56c6: 'sorted_scores["s1"]',
      ["00".repeat(32)]: undefined,
    };
    for (const [id, path] of Object.entries(places))
      expect((await placeOfEntity(state, fromHex(id)))?.path).toBe(path);
  });
});

describe("types", () => {
  it("are written as Rust writes them", async () => {
    await using store = await fixtureStore("core-0.11/node-a");
    const state = await stateOf(store, NESTED);
    expect(fieldParts(state).map(({ name, type }) => `${name}: ${type}`)).toEqual([
      "counters: UnorderedMap<String, Counter>",
      "registers: UnorderedMap<String, LwwRegister<String>>",
      "metadata: UnorderedMap<String, UnorderedMap<String, LwwRegister<String>>>",
      "metrics: Vector<Counter>",
      "tags: UnorderedMap<String, UnorderedSet<String>>",
      "sorted_scores: SortedMap<String, LwwRegister<u64>>",
    ]);
  });
});

describe("the entities of a context", () => {
  it("are counted as a survey counts them", async () => {
    await using store = await fixtureStore("core-0.11/node-a");
    const counts = [];
    for (const { context } of expectedOf("core-0.11/node-a")) {
      const count = await countEntities(store, fromHex(context));
      expect((await surveyState(await stateOf(store, context))).entities).toBe(count);
      counts.push([context.slice(0, 8), count]);
    }
    expect(Object.fromEntries(counts)).toMatchObject({ a2a4613d: 28, b875f1c0: 154, "321161a6": 4 });
    expect(await countEntities(store, new Uint8Array(32))).toBe(0);
  });
});

describe("pages of a collection", () => {
  it("have each entry once, in stored order, and refuse nothing beyond the end", async () => {
    await using store = await fixtureStore("core-0.11/node-a");
    const [{ context }] = expectedOf("core-0.11/node-a").filter(({ context: id }) =>
      id.startsWith("b875"),
    ) as [Expected];
    const items = (await open(store, "core-0.11/node-a", context)).field("items")?.value as StateSet;
    const ids = [...(await items.page(0, 100)), ...(await items.page(100, 100))].map(({ id }) => toHex(id));
    expect(new Set(ids).size).toBe(148);
    expect((await items.page(147, 5)).map(({ id }) => toHex(id))).toEqual(ids.slice(147));
    expect(await items.page(148, 5)).toEqual([]);
    expect(await items.entryOf(items.id)).toBeUndefined();
  });
});
