/** Contexts of core-1.0 that independent programs computed: good ones have no finding, each damaged one has its own. */
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { childTrieAddress, childTrieHash, entryStateKey } from "../../src/digests/index.js";
import { openMemoryEngine } from "../../src/engines/memory/index.js";
import { childTrieKey, entityKey, readStateRow } from "../../src/layouts/index.js";
import { core10, core011 } from "../../src/schemas/index.js";
import { storeOn } from "../../src/store/index.js";
import { type Finding, verifyStore } from "../../src/verify/index.js";
import { listOf } from "../support/lists.js";
import { type Context, contexts, findingsOf, inShort, rowsOfContext, storeOf } from "./one-row/contexts.js";

const found = async ({ context_id, root_hash, rows }: Context) =>
  findingsOf(await storeOf(context_id, root_hash, rows));

const good = contexts.filter(({ layout, entities }) => layout === "R" && entities !== undefined);

describe("good contexts", () => {
  it.each(good.map((context, at) => [at, context.rows.length, context] as const))(
    "%i of %i rows has no finding",
    async (_, __, context) => {
      expect(await found(context)).toEqual([]);
    },
  );

  it("have the hashes that the programs computed", () => {
    for (const { context_id, rows, entities = [], root_hash } of good) {
      const values = new Map(rows.map(([key, value]) => [key.slice(64), fromHex(value)]));
      const read = (stateKey: Uint8Array) => {
        const value = values.get(toHex(stateKey));
        return value && readStateRow(stateKey, value);
      };
      for (const { id, own_hash, trie_root, full_hash } of entities) {
        const entity = read(entityKey(fromHex(id)));
        const index = entity?.kind === "entity" ? entity.row.index : undefined;
        expect(index && [toHex(index.ownHash), toHex(index.fullHash)], id).toEqual([own_hash, full_hash]);
        const trie = read(childTrieKey(childTrieAddress(fromHex(id), [])));
        const root = trie?.kind === "child trie" ? childTrieHash(trie.row) : new Uint8Array(32);
        expect(toHex(root), id).toBe(trie_root);
        if (id === context_id) expect(full_hash).toBe(root_hash);
      }
    }
  });
});

/** The rules that name each damage. */
const RULES: Readonly<Record<string, RegExp>> = {
  "row of a listed child missing": /^child-hash /,
  "rows of two entries exchanged": /^child-hash 00/,
  "a trie row under an entity tag": /^state-rows 00/,
  "an entity row no trie lists (its parent is the map)": /^state-reachable 00/,
  "a trie row with one hash bit changed": /^(child|trie)-hash 03/,
  "a trie row missing": /^trie-hash /,
  "one bit of an entry's value changed: own hash is derived, so the row decodes; its full hash no longer is the one in the parent's trie":
    /^child-hash 00/,
};

/** The rows that differ from the good context, by state key. */
function changed({ rows }: Context, { rows: before }: Context): readonly string[] {
  const now = new Map(rows);
  const then = new Map(before);
  return [...new Set([...now.keys(), ...then.keys()])]
    .filter((key) => now.get(key) !== then.get(key))
    .map((key) => key.slice(64));
}

describe("damaged contexts", () => {
  const damaged = contexts.filter(({ damage }) => damage !== undefined);

  it.each(damaged.map((context, at) => [at, context.damage as string, context] as const))(
    "%i: %s",
    async (_, damage, context) => {
      const findings = await found(context);
      const rule = RULES[damage] as RegExp;
      expect(inShort(findings).filter((text) => rule.test(text))).not.toEqual([]);
      const whole = good.find(({ context_id }) => context_id === context.context_id);
      if (whole === undefined) return;
      // A finding names each changed row: as its row, or by its id or address.
      const text = JSON.stringify(findings);
      for (const key of changed(context, whole)) expect(text).toContain(key.slice(2));
    },
  );
});

describe("State of 0.11.0-rc.26 to rc.7x", () => {
  const EARLIER = "info the state of the context is of 0.11.0-rc.26 to rc.7x: it is not read";
  const earlier = contexts.filter(({ layout }) => layout !== "R");
  const rootsIn = (all: readonly Finding[]) =>
    all.filter(({ rule }) => rule === "root-hash").map(({ severity, message }) => `${severity} ${message}`);

  it.each(earlier.map((context) => [context.layout, context.rows.length, context] as const))(
    "%s of %i rows is named, and is no damage",
    async (_, __, { context_id, root_hash = "11".repeat(32), rows }) => {
      const engine = openMemoryEngine({ columns: core011.columns });
      await engine.write(rowsOfContext(context_id, root_hash, rows));
      const all = await listOf(verifyStore(await storeOn(engine, { schema: core011 })));
      expect(all.filter(({ severity, column }) => severity !== "info" && column === "State")).toEqual([]);
      expect(rootsIn(all)).toEqual([EARLIER]);
    },
  );

  it("is named where a node of today has the other rows", async () => {
    const { context_id, rows } = earlier[0] as Context;
    const engine = openMemoryEngine({ columns: core10.columns });
    await engine.write(rowsOfContext(context_id, "11".repeat(32), rows));
    const all = await listOf(verifyStore({ raw: engine, schema: core10, columns: engine.columns }));
    const known = all.filter(({ rule }) => rule === "row-known");
    expect(known.map(({ severity }) => severity)).toEqual(rows.map(() => "info"));
    expect(rootsIn(all)).toEqual([EARLIER]);
  });

  it("is damage if its data has another hash than its record", async () => {
    const { context_id, rows } = earlier[0] as Context;
    const entry = `${context_id}${toHex(entryStateKey(fromHex(context_id)))}`;
    const changed = rows.map(([key, value]) => [key, key === entry ? `${value}00` : value] as const);
    const engine = openMemoryEngine({ columns: core011.columns });
    await engine.write(rowsOfContext(context_id, "11".repeat(32), changed));
    const all = await listOf(verifyStore(await storeOn(engine, { schema: core011 })));
    expect(rootsIn(all)).toEqual([expect.stringMatching(/^error /)]);
  });
});
