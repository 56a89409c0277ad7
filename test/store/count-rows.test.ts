/** Counts of the rows of a database: by column family, by kind, by context. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openNode } from "../../src/node/index.js";
import type { Progress } from "../../src/progress.js";
import { countRows, openStore } from "../../src/store/index.js";
import { listOf } from "../support/lists.js";

const database = "fixtures/core-0.11/node-a/db";
const rows = readFileSync("fixtures/core-0.11/node-a/rows.jsonl", "utf8")
  .trimEnd()
  .split("\n")
  .map(
    (line) =>
      JSON.parse(line) as { column: string; kind: string; key: string; parts: Record<string, string> },
  );
const folder = mkdtempSync(join(tmpdir(), "merostore-count-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function counted(path: string, onProgress?: (progress: Progress) => void) {
  await using store = await openStore(path);
  return await listOf(countRows(store, { onProgress }));
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
      expect(number).toBe(expected.filter(({ parts }) => parts.contextId === context).length);
    expect(state?.contexts.size).toBe(7);
  });

  it("says how far it is", async () => {
    const seen: number[] = [];
    await counted(database, ({ done }) => seen.push(done));
    expect(seen.at(-1)).toBe(1_011);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  });

  it("counts a damaged family up to the damage, and the others as always", async () => {
    const path = join(folder, "damaged");
    cpSync(database, path, { recursive: true });
    const [largest] = readdirSync(path)
      .filter((name) => name.endsWith(".sst"))
      .map((name) => ({ name, bytes: readFileSync(join(path, name)) }))
      .sort((a, b) => b.bytes.length - a.bytes.length);
    if (largest === undefined) throw new Error("the fixture has no tables");
    largest.bytes.fill(0xff, 1_000, 1_100);
    writeFileSync(join(path, largest.name), largest.bytes);
    const whole = await counted(database);
    const families = await counted(path);
    const damaged = families.filter(({ error }) => error !== undefined);
    expect(damaged.map(({ column }) => column)).toEqual(["Delta"]);
    expect(damaged[0]?.error).toContain(largest.name);
    for (const [at, family] of families.entries())
      if (family.error === undefined) expect(family.rows).toBe(whole[at]?.rows);
  });

  it("counts the other families if a table cannot be opened", async () => {
    const path = join(folder, "without an end");
    cpSync(database, path, { recursive: true });
    const bytes = readFileSync(join(path, "000020.sst"));
    writeFileSync(join(path, "000020.sst"), bytes.fill(0, bytes.length - 8));
    const whole = await counted(database);
    const families = await counted(path);
    expect(families.flatMap(({ column, error }) => (error === undefined ? [] : column))).toEqual([
      "Application",
    ]);
    for (const [at, family] of families.entries())
      if (family.error === undefined) expect(family.rows).toBe(whole[at]?.rows);
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
