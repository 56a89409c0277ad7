/** No false alarm: every database that Rust wrote has only the expected findings. */
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openFilesEngine } from "../../src/engines/index.js";
import type { Schema } from "../../src/schemas/index.js";
import { Store } from "../../src/store/index.js";
import { blobFolder, type Summary, verifyStore } from "../../src/verify/index.js";
import { copyOfDatabase, databases, fixturePath } from "../support/fixtures.js";
import { findings, idle } from "./expected.js";

/** The findings, by rule and severity. */
function counted({ rules }: Summary): Readonly<Record<string, number>> {
  const counts = rules.flatMap(({ rule, errors, warnings, infos }) =>
    Object.entries({ errors, warnings, infos }).map(([what, count]) => [`${rule} ${what}`, count] as const),
  );
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

async function summaryOf(name: string, schema: Schema): Promise<Summary> {
  using copy = copyOfDatabase(name);
  await using store = new Store(await openFilesEngine(copy.path), schema);
  const folder = fixturePath(name, "blobs");
  const blobs = existsSync(folder) ? await blobFolder(folder) : undefined;
  return await verifyStore(store, { blobs }).summary();
}

describe.each(databases)("$name", ({ name, schema, rows }) => {
  const summary = summaryOf(name, schema);

  it("has exactly the expected findings", async () => {
    expect(counted(await summary)).toEqual(findings[name]);
  });

  it("is read to the last row", async () => {
    const { columns, revision, ...sums } = await summary;
    expect({ revision, rows: sums.rows }).toEqual({ revision: schema.name, rows });
    for (const { rows, canonical, other, undecodable, unknown } of columns)
      expect(rows).toBe(canonical + other + undecodable + unknown);
    expect(columns.map(({ column }) => column)).toEqual([...schema.columns, "default"]);
  });
});

describe.each(databases.filter(({ name }) => name.includes("node")))(
  "$name, which a real node wrote",
  ({ name, schema }) => {
    it("gives every rule something to look at, and no error", async () => {
      const { rules, errors } = await summaryOf(name, schema);
      const nothing = rules.filter(({ checked, skipped }) => checked === 0 && skipped === undefined);
      expect(nothing.map(({ rule }) => rule).sort()).toEqual([...(idle[name] ?? [])].sort());
      expect(errors).toBe(0);
    });
  },
);
