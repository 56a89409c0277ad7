/** Compares rows that are in no database. */
import {
  type DiffOptions,
  type DiffSummary,
  diffRows,
  type RowDifference,
  type RowSource,
  rowsOfStore,
} from "../../src/diff/index.js";
import { openMemoryEngine } from "../../src/engines/index.js";
import type { Schema } from "../../src/schemas/index.js";
import { Store } from "../../src/store/index.js";
import { type HexRow, putsOf } from "./transfer.js";

/** Rows as one side of a comparison. */
export async function rowsIn(schema: Schema, rows: readonly HexRow[]): Promise<RowSource> {
  const columns = [...new Set([...schema.columns, ...rows.map(({ column }) => column)])];
  const engine = openMemoryEngine({ columns });
  await engine.write(putsOf(rows));
  return rowsOfStore(new Store(engine, schema));
}

/** All differences, and the summary. */
export async function differences(
  a: RowSource,
  b: RowSource,
  options: DiffOptions = {},
): Promise<{ readonly found: readonly RowDifference[]; readonly summary: DiffSummary }> {
  const found: RowDifference[] = [];
  const rows = diffRows(a, b, options);
  let next = await rows.next();
  for (; next.done !== true; next = await rows.next()) found.push(next.value);
  return { found, summary: next.value };
}
