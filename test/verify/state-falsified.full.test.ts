/** Rows of a larger context of core-1.0 are falsified and removed: each time a finding names it. */
import { describe, expect, it } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import { type Finding, verifyStore } from "../../src/verify/index.js";
import { about, rows } from "../state/one-row.js";
import { type Context, contexts, findingsOf, rules, storeOf } from "./one-row/contexts.js";
import { collections, contextId, idOf, made } from "./one-row/made.js";

/** The context of the fixture with the most entities. */
const largest = contexts
  .filter(({ entities }) => entities !== undefined)
  .reduce((most, one) => (one.rows.length > most.rows.length ? one : most)) as Context;

/** The tag of a row: 00 entity, 03 row of a trie. */
const tagOf = (key: string): string => key.slice(64, 66);

/** Returns true if findings name a row: as their row, or by its id or address. */
const names = (findings: readonly Finding[], key: string): boolean =>
  findings.some(
    (one) => one.key === key || [one.found, one.expected, one.message].join(" ").includes(key.slice(66)),
  );

/** One in `EVERY` rows is changed, or all rows by `EVERY=1`. */
const EVERY = Number(process.env.EVERY ?? 3);

/** Changes rows by themselves. Returns those that no finding names. */
async function unnamed(change: (value: string) => string | undefined): Promise<readonly string[]> {
  const { context_id, root_hash, rows } = largest;
  const store = await storeOf(context_id, root_hash, rows);
  const missed: string[] = [];
  for (const [at, [hex, value]] of rows.entries()) {
    if (at % EVERY !== 0) continue;
    const key = Buffer.from(hex, "hex");
    const changed = change(value);
    await store.raw.write([
      changed === undefined
        ? { type: "delete", column: "State", key }
        : { type: "put", column: "State", key, value: Buffer.from(changed, "hex") },
    ]);
    if (!names(await findingsOf(store), hex)) missed.push(hex);
    await store.raw.write([{ type: "put", column: "State", key, value: Buffer.from(value, "hex") }]);
  }
  return missed;
}

describe("a context of 303 entities", () => {
  it("has a finding of a row that is removed", async () => {
    // No entity is above the root: without it, the root hash of the context is without a state.
    const root = `${largest.context_id}00${largest.context_id}`;
    expect((await unnamed(() => undefined)).filter((key) => key !== root)).toEqual([]);
  });

  it("has a finding of a row whose last byte is another one", async () => {
    const flip = (value: string) =>
      value.slice(0, -2) + (Number.parseInt(value.slice(-2), 16) ^ 1).toString(16).padStart(2, "0");
    expect(await unnamed(flip)).toEqual([]);
  });
});

it("names each of 10,000 entries that are falsified at once, and no other row", async () => {
  const context = made(collections(10_000));
  const entry = new RegExp(`^${toHex(contextId)}00`);
  const others = [contextId, idOf("collection 0")].map((id) => `${toHex(contextId)}00${toHex(id)}`);
  const changed = [...context.rows].map(([key, value]) => {
    const isEntry = entry.test(key) && !others.includes(key);
    return [key, isEntry ? `${value.slice(0, -2)}ff` : value] as const;
  });
  const expected = new Set(changed.flatMap(([key, value]) => (context.rows.get(key) === value ? [] : [key])));
  const store = await storeOf(toHex(contextId), context.rootHash, changed);
  const named = new Set<string>();
  for await (const { rule, key } of verifyStore(store, { rules })) {
    expect(rule).toBe("child-hash");
    named.add(key as string);
  }
  expect(expected.size).toBeGreaterThan(9_900);
  expect(named).toEqual(expected);
});

it("names each row that is removed of the tries of 2,000 entries", async () => {
  const context = made(collections(2_000));
  const tries = [...context.rows.keys()].filter((key) => tagOf(key) === "03");
  const missed: string[] = [];
  // Rows that are removed together hide each other, so each goes alone: one in twenty, and the last ones.
  for (const [at, key] of tries.entries()) {
    if (at % 20 !== 0 && at < tries.length - 4) continue;
    const rows = [...context.rows].filter(([one]) => one !== key);
    if (!names(await findingsOf(await storeOf(toHex(contextId), context.rootHash, rows)), key))
      missed.push(key);
  }
  expect(missed).toEqual([]);
});

it("notes the older tombstones of a context of 10,000 entities that Python wrote, and finds nothing else", async () => {
  const stateRows = rows.flatMap(({ column, key, value }) =>
    column === "State" ? [[toHex(key), toHex(value)] as const] : [],
  );
  const older = stateRows.filter(
    ([key, value]) => tagOf(key) === "00" && value.startsWith("e1") && value.length === 188,
  );
  expect(older.length).toBeGreaterThan(10);
  const store = await storeOf(about.context, about.rootHash, stateRows);
  expect(
    (await findingsOf(store)).map(({ severity, rule, key }) => `${severity} ${rule} ${key}`).toSorted(),
  ).toEqual(older.map(([key]) => `info state-rows ${key}`).toSorted());
});
