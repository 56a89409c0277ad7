/** The rows that result from changes, and the rows of a reader, to compare the two. */

import type { ChangeBatch, Engine, EngineReader, WriteOperation } from "../../../src/engines/index.js";
import { toHex } from "../../../src/index.js";
import { listOf } from "../../support/lists.js";

/** Rows of all column families: `a 6b6579` → the value in hex. */
export type Rows = Map<string, string>;

const keyOf = (column: string, key: Uint8Array): string => `${column} ${toHex(key)}`;

export async function rowsOf(reader: EngineReader): Promise<Rows> {
  const rows: Rows = new Map();
  for (const column of reader.columns)
    for await (const { key, value } of reader.scan(column)) rows.set(keyOf(column, key), toHex(value));
  return rows;
}

/** Applies operations to the rows. */
export function apply(rows: Rows, operations: readonly WriteOperation[]): void {
  for (const operation of operations) {
    if (operation.type === "put") rows.set(keyOf(operation.column, operation.key), toHex(operation.value));
    else if (operation.type === "delete") rows.delete(keyOf(operation.column, operation.key));
    else {
      const [from, to] = [keyOf(operation.column, operation.gte), keyOf(operation.column, operation.lt)];
      for (const key of rows.keys()) if (key >= from && key < to) rows.delete(key);
    }
  }
}

/** The batches after a sequence number, read once. */
export const changesOf = (engine: Engine, since: number) => listOf(engine.changes?.(since) ?? []);

/** A batch in one line. */
export function textOf({ sequence, operations }: ChangeBatch): string {
  const texts = operations.map((operation) => {
    if (operation.type === "deleteRange")
      return `${operation.column} ${toHex(operation.gte)}..${toHex(operation.lt)}`;
    const value = operation.type === "put" ? ` = ${toHex(operation.value)}` : " -";
    return `${keyOf(operation.column, operation.key)}${value}`;
  });
  return `${sequence}: ${texts.join(", ")}`;
}
