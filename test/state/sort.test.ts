/** Sorting of the keys of large collections, and how often their entries are read. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { sorted } from "../../src/collections/sort.js";
import { collectionId, mapEntryId } from "../../src/digests/index.js";
import { type StateSet, stateJson, stateOf } from "../../src/state/index.js";
import { Random } from "../engines/files/history.js";
import { listOf } from "../support/lists.js";
import { CONTEXT, entryRow, field, indexRow, manifestWith, mapOf, mapRows, storeOf, text } from "./made.js";

afterEach(() => {
  vi.restoreAllMocks();
});

/** Numbers in an order that is the same each time. */
function numbers(count: number): number[] {
  const random = new Random(1);
  return Array.from({ length: count }, () => random.below(2 ** 31));
}

describe("sorting", () => {
  it.each([0, 1, 2, 4095, 4096, 4097, 8192, 12_289, 50_000])(
    "of %d items is that of the language",
    async (count) => {
      const items = numbers(count);
      const inOrder = await sorted(items, (a, b) => a - b);
      expect(inOrder).toEqual(items.toSorted((a, b) => a - b));
      expect(items).toEqual(numbers(count));
    },
  );

  it("keeps the order of equal items", async () => {
    const items = numbers(20_000).map((number, at) => ({ key: number % 10, at }));
    const inOrder = await sorted(items, (a, b) => a.key - b.key);
    expect(
      inOrder.every(({ key, at }, place) => {
        const before = inOrder[place - 1];
        return before === undefined || before.key < key || (before.key === key && before.at < at);
      }),
    ).toBe(true);
  });

  it("looks at the clock after at most 100,000 comparisons", async () => {
    let [comparisons, most] = [0, 0];
    vi.spyOn(performance, "now").mockImplementation(() => {
      [most, comparisons] = [Math.max(most, comparisons), 0];
      return 0;
    });
    await sorted(numbers(200_000), (a, b) => {
      comparisons++;
      return a - b;
    });
    most = Math.max(most, comparisons);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(100_000);
  });
});

describe("collections", () => {
  const ROWS = collectionId("rows");
  const KEYS = Array.from({ length: 600 }, (_, at) => `k${(at * 7919) % 600}`);

  it("a sorted map without an order in the database is read once for its JSON", async () => {
    const sortedMap = { ...mapOf({ kind: "string" }), crdt_type: "sorted_map" };
    const manifest = manifestWith({ State: { kind: "record", fields: [field("rows", sortedMap)] } });
    await using store = await storeOf(
      ROWS,
      mapRows(
        KEYS.map((key) => [key, text(key)] as const),
        "rows",
      ),
    );
    const state = await stateOf(store, CONTEXT, { manifest });
    const read = vi.spyOn(state.scope.rows, "data");
    const { json, problems } = await stateJson(state);
    expect(problems).toEqual([]);
    const { rows } = json.state as { readonly rows: Record<string, string> };
    expect(Object.keys(rows)).toEqual([...KEYS].sort());
    expect(read.mock.calls.reduce((sum, [, ids]) => sum + ids.length, 0)).toBe(600);
  });

  it("the elements of a set are in the order of their bytes", async () => {
    const type = { kind: "list", items: { kind: "string" }, crdt_type: "unordered_set" };
    const manifest = manifestWith({ State: { kind: "record", fields: [field("rows", type)] } });
    const ids = KEYS.map((key) => mapEntryId(ROWS, new TextEncoder().encode(key)));
    await using store = await storeOf(ROWS, [
      indexRow(ROWS, ids, "rows"),
      ...KEYS.map((key, at) => entryRow(ids[at] as Uint8Array, text(key))),
    ]);
    const set = (await stateOf(store, CONTEXT, { manifest })).field("rows")?.value as StateSet;
    const valuesOf = async (...options: Parameters<typeof set.entries>) =>
      (await listOf(set.entries(...options))).map(({ value }) => value);
    expect(await valuesOf({ from: "k1", prefix: "k5", limit: 3 })).toEqual(["k5", "k50", "k500"]);
    expect(await valuesOf()).toEqual([...KEYS].sort());
  });
});
