/** Checks of what callers hand to an engine: every engine refuses the same things with the same words. */

import { compareBytes } from "../bytes/order.js";
import { MerostoreError } from "../errors.js";
import type { ByteRange, ScanOptions, WriteOperation } from "./engine.js";

/**
 * Throws INVALID_ARGUMENT unless `value` is a `Uint8Array` (a `Buffer` is one). `what` and `column` name it in the
 * message, which is put together only when it is needed: this is called for every key.
 */
export function checkBytes(value: unknown, what: string, column?: string): asserts value is Uint8Array {
  if (value instanceof Uint8Array) return;
  throw invalid(
    `${column === undefined ? what : `${what} ${column}`} must be a Uint8Array, and is ${nameOf(value)}`,
  );
}

/** The limit of a scan as a number; `Infinity` when absent. Throws INVALID_ARGUMENT unless a whole number from 0. */
export function checkLimit(options: ScanOptions | undefined): number {
  const limit: unknown = options?.limit;
  if (limit === undefined) return Number.POSITIVE_INFINITY;
  if (Number.isSafeInteger(limit) && (limit as number) >= 0) return limit as number;
  throw invalid(`the limit of a scan must be a whole number from 0, and is ${nameOf(limit)}`);
}

/** A copy of a range, which its caller may change. Throws INVALID_ARGUMENT when a bound is there and is not bytes. */
export function checkRange(range: ByteRange | undefined): ByteRange {
  if (range?.from !== undefined) checkBytes(range.from, "`from` of a range");
  if (range?.to !== undefined) checkBytes(range.to, "`to` of a range");
  return { from: range?.from?.slice(), to: range?.to?.slice() };
}

/** Whether no key can be in `[from, to)`: `to` is at or before `from`, or is the empty key, which nothing precedes. */
export function isEmptyRange(range: ByteRange): boolean {
  if (range.to === undefined) return false;
  return range.to.length === 0 || (range.from !== undefined && compareBytes(range.from, range.to) >= 0);
}

/** Throws INVALID_ARGUMENT for an operation that is none, or whose keys or value are not bytes. */
export function checkOperation(operation: WriteOperation): void {
  const type: unknown = operation?.type;
  if (type === "put") {
    const { column, key, value } = operation as WriteOperation & { type: "put" };
    checkBytes(key, "the key of a put into", column);
    checkBytes(value, "the value of a put into", column);
  } else if (type === "delete") {
    const { column, key } = operation as WriteOperation & { type: "delete" };
    checkBytes(key, "the key of a delete from", column);
  } else if (type === "deleteRange") {
    const { column, from, to } = operation as WriteOperation & { type: "deleteRange" };
    checkBytes(from, "`from` of a deleteRange in", column);
    checkBytes(to, "`to` of a deleteRange in", column);
  } else {
    throw invalid(`a write operation must be a put, a delete or a deleteRange, and is ${nameOf(type)}`);
  }
}

/** The names of the column families of a new database: `default` first, then these. Throws INVALID_ARGUMENT. */
export function checkNewColumns(columns: unknown): string[] {
  if (!Array.isArray(columns)) throw invalid("`columns` must be an array of column family names");
  const names = new Set<string>(["default"]);
  for (const name of columns as unknown[]) {
    if (typeof name !== "string" || name === "") {
      throw invalid(`a column family's name must be a non-empty string, and is ${nameOf(name)}`);
    }
    if (name !== "default" && names.has(name)) throw invalid(`the column family ${name} is named twice`);
    names.add(name);
  }
  return [...names];
}

/** The error for a column family that is not there; it names those that are. */
export function unknownColumn(column: unknown, columns: readonly string[]): MerostoreError {
  return new MerostoreError(
    "UNKNOWN_COLUMN_FAMILY",
    `the database has no column family ${nameOf(column)}; it has ${columns.join(", ")}`,
  );
}

/** An INVALID_ARGUMENT error. */
export function invalid(message: string): MerostoreError {
  return new MerostoreError("INVALID_ARGUMENT", message);
}

function nameOf(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number" || value === null || value === undefined) return String(value);
  if (typeof value === "object") return value.constructor?.name ?? "an object";
  return typeof value;
}
