/** The statements that read the table of a family. */

import type { ByteRange, ScanPlan } from "merostore/engine";
import { byteArrays, parameter } from "./arrays.js";
import type { Statement } from "./connection.js";

/** Rows of a page. */
export const PAGE_ROWS = 1_000;

/** A page has null instead of a larger value: a page of large values would not fit into memory. */
export const LARGE = 16 * 1024;

/**
 * The next page of a scan.
 *
 * @param after the last key of the page before; undefined for the first page
 * @param rows the most rows of the page
 */
export function pageStatement(
  table: string,
  { gte: from, lt: to, reverse, keysOnly }: ScanPlan,
  after: Uint8Array | undefined,
  rows: number,
): Statement {
  const values: Buffer[] = [];
  const conditions: string[] = [];
  const where = (condition: string, bound: Uint8Array): void => {
    values.push(parameter(bound));
    conditions.push(`key ${condition} $${values.length}`);
  };
  const [low, high] = reverse ? [undefined, after] : [after, undefined];
  if (low !== undefined) where(">", low);
  else if (from !== undefined) where(">=", from);
  if (high !== undefined) where("<", high);
  else if (to !== undefined) where("<", to);
  const value = keysOnly ? "" : `, case when octet_length(value) <= ${LARGE} then value end`;
  const condition = conditions.length === 0 ? "" : ` where ${conditions.join(" and ")}`;
  const text = `select key${value} from ${table}${condition} order by key${reverse ? " desc" : ""} limit ${rows}`;
  return { text, values, isKept: rows === PAGE_ROWS, byteTable: table };
}

/**
 * The values at keys, with the keys.
 *
 * @param most the most bytes of a value; a longer one is null
 */
export function valuesStatement(table: string, keys: readonly Uint8Array[], most: number): Statement {
  const value = `case when octet_length(value) <= ${most} then value end`;
  const [first] = keys;
  const text =
    keys.length === 1
      ? `select key, ${value} from ${table} where key = $1`
      : `select key, ${value} from ${table} where key = any($1::bytea[])`;
  const values = [keys.length === 1 && first !== undefined ? parameter(first) : byteArrays(keys)];
  return { text, values, isKept: true, byteTable: table };
}

/** The sizes of the values at keys, in bytes, with the keys. */
export function sizesStatement(table: string, keys: readonly Uint8Array[]): Statement {
  return {
    text: `select key, octet_length(value) from ${table} where key = any($1::bytea[])`,
    values: [byteArrays(keys)],
  };
}

/** The bytes of a whole table with its index, and the number of rows that the planner expects in a range. */
export function sizeStatement(table: string): Statement {
  return { text: "select pg_total_relation_size($1::regclass)", values: [table] };
}

/**
 * The bytes of a part of a table, from the planner's estimates of rows. The estimate for a part may exceed that for the
 * whole.
 */
export function sizeOfPart(bytes: number, within: number, all: number): number {
  return all === 0 ? 0 : Math.round(bytes * Math.min(1, within / all));
}

/** The number of rows that the planner expects in a range: the text of its plan has `rows=`. */
export function estimateStatement(table: string, { gte: from, lt: to }: ByteRange): Statement {
  const values: Buffer[] = [];
  const conditions = [
    ...(from === undefined ? [] : [`key >= $${values.push(parameter(from))}`]),
    ...(to === undefined ? [] : [`key < $${values.push(parameter(to))}`]),
  ];
  const condition = conditions.length === 0 ? "" : ` where ${conditions.join(" and ")}`;
  return { text: `explain select 1 from ${table}${condition}`, values };
}
