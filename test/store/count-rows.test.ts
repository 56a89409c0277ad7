/** Counts of the rows of a database: by column family, by kind, by context. */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openNode } from "../../src/node/index.js";
import type { Progress } from "../../src/progress.js";
import { countRows, openStore } from "../../src/store/index.js";
import { largestTable } from "../support/files.js";
import { copyOfDatabase, fixturePath, fixtureRows } from "../support/fixtures.js";
import { listOf } from "../support/lists.js";

const database = fixturePath("core-0.11/node-a", "db");
const rows = fixtureRows("core-0.11/node-a");

async function counted(path: string, onProgress?: (progress: Progress) => void) {
  await using store = await openStore(path);
  return await listOf(countRows(store, { onProgress }));
}

/** The families that are not counted whole; expects all others to have their rows. */
async function damagedIn(path: string) {
  const whole = await counted(database);
  const families = await counted(path);
  for (const [at, { error, rows }] of families.entries())
    if (error === undefined) expect(rows).toBe(whole[at]?.rows);
  return families.filter(({ error }) => error !== undefined);
}

describe("countRows", () => {
  it("counts what Rust wrote, by family and kind", async () => {
    const families = await counted(database);
    for (const { column, rows: found, kinds } of families) {
      const expected = rows.filter((row) => row.column === column);
      expect([column, found]).toEqual([column, expected.length]);
      for (const [kind, { rows: number }] of kinds)
        expect([kind, number]).toEqual([kind, expected.filter((row) => row.kind === kind).length]);
    }
    expect(families.reduce((sum, family) => sum + family.rows, 0)).toBe(1_011);
  });

  it("counts the rows whose keys name a context", async () => {
    const state = (await counted(database)).find(({ column }) => column === "State");
    const expected = rows.filter((row) => row.column === "State");
    for (const [context, { rows: number }] of state?.contexts ?? [])
      expect(number).toBe(expected.filter(({ parts }) => parts?.contextId === context).length);
    expect(state?.contexts.size).toBe(7);
  });

  it("says how far it is", async () => {
    const seen: number[] = [];
    await counted(database, ({ done }) => seen.push(done));
    expect(seen.at(-1)).toBe(1_011);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  });

  it("counts a damaged family up to the damage, and the others as always", async () => {
    using copy = copyOfDatabase("core-0.11/node-a");
    const largest = largestTable(copy.path);
    const file = join(copy.path, largest);
    writeFileSync(file, readFileSync(file).fill(0xff, 1_000, 1_100));
    const damaged = await damagedIn(copy.path);
    expect(damaged.map(({ column }) => column)).toEqual(["Delta"]);
    expect(damaged[0]?.error).toContain(largest);
  });

  it("counts the other families if a table cannot be opened", async () => {
    using copy = copyOfDatabase("core-0.11/node-a");
    const file = join(copy.path, "000020.sst");
    writeFileSync(file, readFileSync(file).fill(0, statSync(file).size - 8));
    expect((await damagedIn(copy.path)).map(({ column }) => column)).toEqual(["Application"]);
  });
});

describe("contextFacts", () => {
  it("is what contexts() says, without sizes", async () => {
    await using node = await openNode(database);
    const expected = (await node.contexts()).map(({ deltas: _, rows: __, bytes: ___, ...facts }) => facts);
    const facts = await node.contextFacts();
    const byId = <T extends { context: { id: string } }>(all: readonly T[]) =>
      all.toSorted((a, b) => (a.context.id < b.context.id ? -1 : 1));
    expect(byId(facts)).toEqual(byId(expected));
    expect(facts).toHaveLength(7);
  });
});
