/** Rows of core-1.0 have thousands of columns within their values: DuckDB reserves memory for each when it writes Parquet. */
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, it } from "vitest";
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
