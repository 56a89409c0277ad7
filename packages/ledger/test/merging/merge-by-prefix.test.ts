/** Counters and sets keep everything that several devices add, whatever way their commits take. */
import { describe, expect, it } from "vitest";
import { Random } from "../../../../test/engines/files/history.js";
import { mergeByPrefix, mergeCounters, mergeSets, type Page, type ValueMerge } from "../../src/index.js";
import { contents, headOf, testLedger, text, ticking } from "../support.js";
import { Courier, converge } from "../sync/courier.js";
import { apply, diverge, type Edits } from "./support.js";

const policy = mergeByPrefix({ "n/": mergeCounters, "s/": mergeSets });

/** The entries after a merge of two connections' changes. */
async function merged(before: Edits, older: Edits, newer: Edits, by = policy) {
  await using ledger = await testLedger();
  ledger.setConflictResolver(() => by);
  await using page = await ledger.rootPage();
  await apply(page, before);
  const [one, other] = await diverge(ledger, older, newer);
  await one.waitForConflictResolution();
  expect(await headOf(other)).toEqual(await headOf(one));
  return await contents(one);
}

describe("two connections", () => {
  it.each<[string, string | null, string | null, string | null, string | undefined]>([
    ["both add", "5", "7", "9", "11"],
    ["both add the same", "5", "6", "6", "7"],
    ["both begin", null, "1", "1", "2"],
    ["one subtracts", "5", "-1", "6", "0"],
    ["one deletes what the other adds to", "5", null, "8", "3"],
    ["both delete", "5", null, null, undefined],
    ["beyond exact numbers", "9007199254740992", "9007199254740993", "9007199254740993", "9007199254740994"],
    ["a value is not a number", "5", "6", "many", "many"],
    ["a value was not a number", "many", "6", "7", "7"],
    ["a fraction", "1", "1.5", "2", "2"],
    ["more than 40 digits", "1", "2", `1${"0".repeat(40)}`, `1${"0".repeat(40)}`],
  ])("a counter: %s", async (_, before, older, newer, expected) => {
    const start: Edits = before === null ? {} : { "n/a": before };
    const page = await merged(start, { "n/a": older }, { "n/a": newer });
    expect(page["n/a"]).toBe(expected);
  });

  it.each<[string, string | null, string | null, string | null, string | undefined]>([
    ["both add", "[1]", "[1,3]", "[2,1]", "[1,2,3]"],
    ["both add the same", "[]", '["x"]', '["x"]', '["x"]'],
    ["both begin", null, '["b"]', '["a"]', '["a","b"]'],
    ["one removes", '["a","b"]', '["b"]', '["a","b","c"]', '["b","c"]'],
    ["one deletes what the other adds to", '["a"]', null, '["a","b"]', '["b"]'],
    ["one deletes what the other takes from", '["a","b"]', null, '["a"]', undefined],
    ["all is removed", '["a","b"]', '["a"]', '["b"]', "[]"],
    ["lists and objects", "[]", '[{"a": [1]}]', '[{"a":[1]},null]', '[null,{"a":[1]}]'],
    ["a value is not a list", "[]", '["a"]', "{}", "{}"],
    ["a value is not JSON", "[]", '["a"]', "[", "["],
    ["a value is too large", "[]", '["a"]', `["${"b".repeat(1 << 20)}"]`, `["${"b".repeat(1 << 20)}"]`],
  ])("a set: %s", async (_, before, older, newer, expected) => {
    const start: Edits = before === null ? {} : { "s/a": before };
    const page = await merged(start, { "s/a": older }, { "s/a": newer });
    expect(page["s/a"]).toBe(expected);
  });

  it("take the last at all other keys, and what only one has changed", async () => {
    const before = { a: "0", "n/a": "1", "n/b": "2", "s/a": "[1]" };
    const page = await merged(
      before,
      { a: "1", b: "older", "n/a": "3", c: "older" },
      { a: "2", "n/b": null, c: "newer", "s/a": "[2,1]" },
    );
    expect(page).toEqual({ a: "2", b: "older", c: "newer", "n/a": "3", "s/a": "[2,1]" });
  });

  it("merge by the longest prefix, and by functions of the program", async () => {
    const joined: ValueMerge = ({ ancestor, newer, older }) =>
      new TextEncoder().encode([ancestor, older, newer].map((value) => value && text(value)).join("+"));
    const by = mergeByPrefix({ "": joined, "n/": mergeCounters, "n/text/": joined });
    const page = await merged(
      { a: "0", "n/a": "1", "n/text/a": "1" },
      { a: "1", "n/a": "2", "n/text/a": "2" },
      { a: "2", "n/a": "3", "n/text/a": "3" },
      by,
    );
    expect(page).toEqual({ a: "0+1+2", "n/a": "4", "n/text/a": "1+2+3" });
  });

  it("refuses merges that are not functions", () => {
    expect(() => mergeByPrefix({ "n/": "counter" } as never)).toThrow('the merge of "n/" must be a function');
    expect(() => mergeByPrefix(undefined as never)).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT" }),
    );
  });
});

async function valueAt(page: Page, key: string): Promise<unknown> {
  const value = await page.get(key);
  return value && JSON.parse(text(value));
}

it.each([1, 2, 3, 4, 5, 6])(
  "devices that exchange commits at random count each addition once, also after criss-cross merges (seed %i)",
  async (seed) => {
    const random = new Random(seed);
    const all = await Promise.all(
      Courier.network(4).map(async (courier, at) => {
        const ledger = await testLedger({ cloud: courier, clock: ticking(BigInt(1000 + at), 1000n) });
        ledger.setConflictResolver(() => policy);
        return { ledger, page: await ledger.rootPage(), courier };
      }),
    );
    let sum = 0;
    const elements = new Set<string>();
    for (let step = 0; step < 60; step++) {
      const { page, courier } = all[random.below(4)] as (typeof all)[number];
      if (random.below(2) === 0) {
        await courier.bring((all[random.below(4)] as (typeof all)[number]).courier);
        if (random.below(3) > 0) await page.waitForConflictResolution();
        continue;
      }
      const [by, element, removed] = [random.below(9) - 4, `e${step}`, random.below(3)];
      await page.transaction(async (tx) => {
        const count = Number(text((await tx.get("n/a")) ?? new TextEncoder().encode("0")));
        const set: string[] = JSON.parse(text((await tx.get("s/a")) ?? new TextEncoder().encode("[]")));
        await tx.put("n/a", `${count + by}`);
        const [gone] = removed === 0 ? set.splice(0, 1) : [];
        await tx.put("s/a", JSON.stringify([...set, element]));
        if (gone !== undefined) elements.delete(gone);
      });
      sum += by;
      elements.add(element);
    }
    await converge(all);
    for (const { page } of all) {
      expect(await valueAt(page, "n/a")).toBe(sum);
      expect(await valueAt(page, "s/a")).toEqual([...elements].sort());
    }
    for (const { ledger } of all) await ledger.close();
  },
);
