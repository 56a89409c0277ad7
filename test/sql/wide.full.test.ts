/** Rows of core-1.0 with values of several layouts, and hundreds of columns, for which DuckDB reserves memory. */
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, it } from "vitest";
import { rowToJson } from "../../src/schemas/index.js";
import { exportParquet, openSql, parquetOf } from "../../src/sql/index.js";
import { openStore } from "../../src/store/index.js";
import { fixturePath, temporaryFolder } from "../support/fixtures.js";

it("writes a database of core-1.0 as Parquet, and an answer with all columns of its deltas", async () => {
  using folder = temporaryFolder();
  await using store = await openStore(fixturePath("core-1.0/every-kind", "db"));
  const out = join(folder.path, "out");
  const { rows, files } = await exportParquet(store, out);
  let stored = 0;
  for (const column of store.columns) for await (const _ of store.raw.scan(column)) stored++;
  expect(rows).toBe(stored);
  expect(files).toContain("ContextDagDelta.parquet");
  await using sql = await openSql(store);
  const answer = join(folder.path, "answer.parquet");
  await pipeline(parquetOf(await sql.query("from ContextDagDelta")), createWriteStream(answer));
  const duckdb = await DuckDBInstance.create();
  const connection = await duckdb.connect();
  const deltas = await store.table("ContextDagDelta").count();
  for (const path of [join(out, "ContextDagDelta.parquet"), answer]) {
    const read = await connection.runAndReadAll(`select count(*), count(deltaId) from '${path}'`);
    expect(read.getRows()).toEqual([[BigInt(deltas), BigInt(deltas)]]);
  }
  connection.closeSync();
  duckdb.closeSync();
});

it("has a delta's fields in columns of the table, whatever the layout of its row", async () => {
  await using store = await openStore(fixturePath("core-1.0/every-kind", "db"));
  await using sql = await openSql(store);
  const layouts = new Set<string>();
  const answer = await sql.query("select deltaId, * exclude (deltaId) from ContextDagDelta");
  const names = answer.columns.map(({ name }) => name);
  expect(names.slice(0, 7)).toEqual([
    "deltaId",
    "contextId",
    "kind",
    "parents",
    "actions",
    "actionsRaw",
    "hlc",
  ]);
  const cells = new Map<unknown, Readonly<Record<string, unknown>>>();
  for await (const chunk of answer.jsonChunks())
    for (const row of chunk) cells.set(row[0], Object.fromEntries(names.map((name, at) => [name, row[at]])));
  for await (const chunk of store.raw.scan("Delta").chunks())
    for (const row of chunk) {
      const { kind, parts, decoded } = rowToJson(store.schema, "Delta", row);
      if (kind !== "ContextDagDelta") continue;
      const { kind: layout, ...fields } = decoded as { readonly kind: string } & Readonly<
        Record<string, unknown>
      >;
      layouts.add(layout);
      const of = cells.get(parts?.deltaId);
      expect(of?.kind).toBe(layout);
      for (const name of ["parents", "hlc", "applied", "events", "authorId", "deltaSignature"])
        expect(of?.[name], `${layout} ${name}`).toEqual(fields[name]);
      expect(of?.valueDeltaId).toBe(fields.deltaId ?? null);
      const others = names.filter((name) => /^actions_/.test(name));
      expect(others).toEqual(["actions_legacy_24"]);
      if (layout !== "legacy-24") expect(of?.actions_legacy_24).toBeNull();
    }
  expect([...layouts].sort()).toEqual(["legacy-16-delegation", "legacy-24", "legacy-24-delegation", "v1"]);
});
