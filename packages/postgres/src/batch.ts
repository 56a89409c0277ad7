/** A batch as the statements that write it. */

import type { Limits, WriteOperation } from "merostore/engine";
import { count, counted, MerostoreError } from "merostore/internal";
import { byteArrays, parameter } from "./arrays.js";
import type { Statement } from "./connection.js";

/** The limits of one statement. More rows are sent in several statements. A larger row has its own statement. */
const STATEMENT_ROWS = 5_000;
const STATEMENT_BYTES = 4 * 1024 * 1024;

/** The last operation on each key since the last range. Keys are texts with one character for each byte. */
type Pending = Map<string, WriteOperation & { readonly type: "put" | "delete" }>;

/**
 * Returns the statements of a batch. Operations on the same family keep their order. PostgreSQL refuses an upsert that
 * has the same key twice, so only the last operation on a key between two ranges is sent. Keys are sorted, so that all
 * batches lock rows in the same order.
 *
 * @param tableOf returns the quoted name of a family's table
 */
export function* statementsOf(
  operations: readonly WriteOperation[],
  tableOf: (column: string) => string,
): Generator<Statement> {
  const families = new Map<string, Pending>();
  for (const operation of operations) {
    const { column } = operation;
    let pending = families.get(column);
    if (pending === undefined) {
      pending = new Map();
      families.set(column, pending);
    }
    if (operation.type === "deleteRange") {
      yield* rowsOf(pending, tableOf(column));
      pending.clear();
      yield {
        text: `delete from ${tableOf(column)} where key >= $1 and key < $2`,
        values: [parameter(operation.gte), parameter(operation.lt)],
      };
    } else pending.set(parameter(operation.key).toString("latin1"), operation);
  }
  for (const [column, pending] of families) yield* rowsOf(pending, tableOf(column));
}

/** Throws ROW_TOO_LARGE, before anything is sent, if the server could not take the batch. */
export function checkLimits(
  operations: readonly WriteOperation[],
  { keyBytes, valueBytes, batchBytes }: Limits,
  server: string,
): void {
  let total = 0;
  const fail = (what: string, size: number, most: number): never => {
    const sizes = `${counted(size, "byte")}; ${server} holds at most ${count(most)}`;
    throw new MerostoreError("ROW_TOO_LARGE", `${what} has ${sizes}. Nothing was written`);
  };
  for (const operation of operations) {
    if (operation.type === "deleteRange") {
      total += operation.gte.length + operation.lt.length;
      continue;
    }
    const { column, key } = operation;
    if (operation.type === "put") {
      if (key.length > keyBytes) fail(`a key of ${column}`, key.length, keyBytes);
      if (operation.value.length > valueBytes)
        fail(`a value of ${column}`, operation.value.length, valueBytes);
      total += operation.value.length;
    }
    total += key.length;
  }
  if (total > batchBytes) fail("the batch", total, batchBytes);
}

function* rowsOf(pending: Pending, table: string): Generator<Statement> {
  const keys: Uint8Array[] = [];
  const values: Uint8Array[] = [];
  const deleted: Uint8Array[] = [];
  let bytes = 0;
  const upsert = (): Statement => ({
    text: `insert into ${table} (key, value) select * from unnest($1::bytea[], $2::bytea[]) as row (key, value) on conflict (key) do update set value = excluded.value`,
    values: [byteArrays(keys.splice(0)), byteArrays(values.splice(0))],
  });
  // One character is one byte, so the texts have the order of the keys.
  for (const text of [...pending.keys()].sort()) {
    const operation = pending.get(text);
    if (operation?.type === "put") {
      const size = operation.key.length + operation.value.length;
      if (keys.length >= STATEMENT_ROWS || (keys.length > 0 && bytes + size > STATEMENT_BYTES)) {
        yield upsert();
        bytes = 0;
      }
      keys.push(operation.key);
      values.push(operation.value);
      bytes += size;
    } else if (operation !== undefined) deleted.push(operation.key);
  }
  if (keys.length > 0) yield upsert();
  for (let at = 0; at < deleted.length; at += STATEMENT_ROWS) {
    yield {
      text: `delete from ${table} where key = any($1::bytea[])`,
      values: [byteArrays(deleted.slice(at, at + STATEMENT_ROWS))],
    };
  }
}
