/** Manifests of other applications and versions: what does not fit is named, and the rest is shown. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Json } from "../../src/codec/index.js";
import { parseManifest, stateJson, stateOf, surveyState } from "../../src/state/index.js";
import { fixturePath } from "../support/fixtures.js";
import { contextStartingWith, fixtureStore, manifestOf } from "./support.js";

interface FieldJson {
  name: string;
  type: Record<string, unknown>;
}

interface ManifestJson {
  types: Record<string, { fields: FieldJson[] }>;
}

const store = () => fixtureStore("core-0.11/node-a");
const NESTED = "a2a4613d";

/** The outcome with the application's own manifest after a change of the fields of its state. */
function changed(
  change: (fields: FieldJson[]) => void,
  context = NESTED,
  of = "nested-crdt-test",
  type = "NestedCrdtTest",
) {
  const text = readFileSync(fixturePath("abi", "core-0.11", `${of}.json`), "utf8");
  const json = JSON.parse(text) as ManifestJson;
  change(json.types[type]?.fields as FieldJson[]);
  return outcome(context, parseManifest(json));
}

function isProblem(name: string, value: Json): boolean {
  return (
    /^(\$problem|bytes)$/.test(name) || (typeof value === "object" && value !== null && "$problem" in value)
  );
}

/** The names of the fields without a problem, the problems, and the number of accounted entities. */
async function outcome(context: string, manifest: ReturnType<typeof parseManifest>) {
  await using db = await store();
  const state = await stateOf(db, await contextStartingWith(db, context), { manifest });
  const { json, problems } = await stateJson(state);
  const { entities, decoded, tombstones, undecoded, unreachable } = await surveyState(state);
  return {
    shown: Object.entries(json.state as { readonly [name: string]: Json })
      .filter(([name, value]) => !isProblem(name, value))
      .map(([name]) => name),
    problems: problems.map(({ name, path, message }) => `${path}: ${name} ${message}`),
    accounted: `${decoded + tombstones}/${entities}`,
    undecoded,
    unreachable: unreachable.map(({ name, children }) => [name, children]),
  };
}

describe("manifests of other applications", () => {
  it.each([
    ["kv-store", NESTED, "$: ValueDecode 192 bytes have no reading as KvStore"],
    ["kv-store", "dfdbd9a9", "$: ValueDecode 224 bytes have no reading as KvStore"],
    ["kv-store", "d0d840d7", "$: ValueDecode 66 bytes have no reading as KvStore"],
    ["kv-store", "cf58de10", "items: CrdtTypeMismatch the row says sorted map instead of map"],
    ["sorted-kv-store", "b875f1c0", "items: CrdtTypeMismatch the row says map instead of sorted map"],
    [
      "private_data",
      "b875f1c0",
      "games: CollectionIdMismatch the collection is not that of the field games, but of items",
    ],
  ])("%s over %s", async (manifest, context, message) => {
    const { problems, shown } = await outcome(context, manifestOf(`core-0.11/${manifest}`));
    expect(problems[0]).toBe(message);
    // A field of the same name has the id of its name, and is shown if its type fits.
    expect(shown.filter((name) => name !== "items")).toEqual([]);
  });
});

describe("other versions of the right manifest", () => {
  it("a renamed field", async () => {
    const { shown, problems } = await changed(
      (fields) => {
        (fields[0] as FieldJson).name = "entries";
      },
      "cf58de10",
      "sorted-kv-store",
      "SortedKvStore",
    );
    expect(shown).toEqual([]);
    expect(problems).toEqual([
      "entries: CollectionIdMismatch the collection is not that of the field entries, but of items",
    ]);
  });

  it("two swapped fields", async () => {
    const { shown, problems, accounted } = await changed((fields) => {
      [fields[0], fields[1]] = [fields[1] as FieldJson, fields[0] as FieldJson];
    });
    expect(problems).toEqual([
      "registers: CollectionIdMismatch the collection is not that of the field registers, but of counters",
      "counters: CollectionIdMismatch the collection is not that of the field counters, but of registers",
    ]);
    expect(shown).toEqual(["metadata", "metrics", "tags", "sorted_scores"]);
    expect(accounted).toBe("22/28");
  });

  it("the type of a map's values", async () => {
    const { shown, problems } = await changed((fields) => {
      const registers = fields.find(({ name }) => name === "registers") as FieldJson;
      (registers.type.value as Record<string, unknown>).inner_type = { kind: "u64" };
    });
    expect(problems).toEqual(["registers: CrdtTypeMismatch the row says text instead of u64"]);
    expect(shown).toEqual(["counters", "metadata", "metrics", "tags", "sorted_scores"]);
  });

  it("the type of the values of user storage", async () => {
    const { problems, shown } = await changed(
      (fields) => {
        const user = fields.find(({ name }) => name === "user_items_simple") as FieldJson;
        (user.type.value as Record<string, unknown>).inner_type = { kind: "u64" };
      },
      "dfdbd9a9",
      "kv-store-with-user-and-frozen-storage",
      "KvStore",
    );
    expect(problems).toEqual(["user_items_simple: CrdtTypeMismatch the row says text instead of u64"]);
    expect(shown).toEqual(["items", "user_items_nested", "frozen_items"]);
  });

  it("a field that was added later", async () => {
    const { shown, problems, undecoded } = await changed((fields) => {
      fields.push({ name: "added", type: (fields[1] as FieldJson).type });
    });
    expect(problems).toEqual([
      "$: ValueDecode 192 bytes have no reading as NestedCrdtTest",
      "added: FieldNotFound the bytes of the state do not show the field, and no row has its name",
    ]);
    expect(shown).toEqual(["counters", "registers", "metadata", "metrics", "tags", "sorted_scores"]);
    // The state itself: its bytes are not understood.
    expect(undecoded).toBe(1);
  });

  it("a field that was removed", async () => {
    const { shown, problems, unreachable } = await changed((fields) => {
      fields.splice(2, 1);
    });
    expect(problems).toEqual(["$: ValueDecode 192 bytes have no reading as NestedCrdtTest"]);
    expect(shown).toEqual(["counters", "registers", "metrics", "tags", "sorted_scores"]);
    expect(unreachable.filter(([name]) => name !== undefined).toSorted()).toEqual([
      ["__nested_map", 1],
      ["metadata", 1],
    ]);
  });

  it("no type of the state: the rows alone are shown", async () => {
    const manifest = parseManifest({ schema_version: "wasm-abi/1", types: {}, methods: [], events: [] });
    const { shown, problems } = await outcome(NESTED, manifest);
    expect(problems).toEqual([
      "$: AbiNoStateRoot the manifest does not name a record as the type of the state",
    ]);
    expect(shown).toEqual(["counters", "registers", "metadata", "metrics", "tags", "sorted_scores"]);
  });
});
