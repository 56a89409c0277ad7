/** Checks of what callers hand to an engine: every engine refuses the same things with the same words. */

import { copyBytes, isBytes } from "../bytes/bytes.js";
import { didYouMean } from "../bytes/nearest.js";
import { compareBytes, keyAfter } from "../bytes/order.js";
import { allocate } from "../bytes/pool.js";
import { isUndecrypted } from "../bytes/undecrypted.js";
import { invalidArgument, MerostoreError } from "../errors.js";
import {
  checkFields,
  checkOptions,
  isFlag,
  isSignal,
  isWholeNumber,
  type OptionCheck,
  type OptionChecks,
} from "../options.js";
import type { ScanPlan } from "./chunk-source.js";
import type { Bounds, ByteRange, ScanOptions, WriteOperation, WriteOptions } from "./engine.js";

/**
 * Throws INVALID_ARGUMENT unless `value` is a `Uint8Array` (a `Buffer` is one). `what` and `column` name it in the
 * message, which is put together only when it is needed: this is called for every key.
 */
export function checkBytes(value: unknown, what: string, column?: string): asserts value is Uint8Array {
  if (isBytes(value)) return;
  throw invalidArgument(
    `${column === undefined ? what : `${what} ${column}`} must be a Uint8Array, and is ${describeBytes(value)}`,
  );
}

/** Copies of the keys of a getMany. Throws INVALID_ARGUMENT unless they are an array of bytes. */
export function copyKeys(keys: unknown, column: string): Uint8Array[] {
  if (!Array.isArray(keys)) throw invalidArgument("getMany takes an array of keys");
  return Array.from(keys as unknown[], (key) => {
    checkBytes(key, "a key of a getMany from", column);
    return copyKey(key);
  });
}

/** A copy of a key: the caller may use the array again while it is looked up. */
export function copyKey(key: Uint8Array): Uint8Array {
  const copy = allocate(key.length);
  copy.set(key);
  return copy;
}

const bound: OptionCheck = (value) => (isBytes(value) ? undefined : "a Uint8Array");
const boundFields: OptionChecks<Bounds> = { gt: bound, gte: bound, lt: bound, lte: bound };

/** The checks of {@link ScanOptions}. */
export const scanOptions: OptionChecks<ScanOptions> = {
  reverse: isFlag,
  limit: isWholeNumber(0),
  after: bound,
  signal: isSignal,
  keysOnly: isFlag,
};

const writeOptions: OptionChecks<WriteOptions> = { sync: isFlag, owned: isFlag };

/**
 * Returns what a scan is to read, the bounds copied; undefined where no row can be in it. Throws INVALID_ARGUMENT for a
 * wrong range or wrong options.
 */
export function checkScan(bounds: Bounds | undefined, options: ScanOptions = {}): ScanPlan | undefined {
  checkOptions("scan", options, scanOptions);
  const { reverse = false, limit = Number.POSITIVE_INFINITY, keysOnly = false, after } = options;
  let range = checkRange(bounds);
  if (after !== undefined) range = within(range, reverse ? { lt: after } : { gt: after });
  return limit === 0 || isEmptyRange(range) ? undefined : { ...range, reverse, limit, keysOnly };
}

/** The range within bounds, copied. Throws INVALID_ARGUMENT when a bound is there and is not bytes. */
export function checkRange(bounds: Bounds = {}): Required<ByteRange> {
  checkFields("a range", bounds, boundFields);
  const { gte, lt, ...others } = bounds;
  return within({ gte: gte && copyBytes(gte), lt: lt && copyBytes(lt) }, others);
}

/** The part of a range that is within more bounds. */
function within({ gte, lt }: Required<ByteRange>, more: Bounds): Required<ByteRange> {
  const from = more.gt && keyAfter(more.gt);
  const to = (more.lte && keyAfter(more.lte)) ?? (more.lt && copyBytes(more.lt));
  return {
    gte: from !== undefined && (gte === undefined || compareBytes(from, gte) > 0) ? from : gte,
    lt: to !== undefined && (lt === undefined || compareBytes(to, lt) < 0) ? to : lt,
  };
}

/** Throws INVALID_ARGUMENT unless a write is an array of operations, with options that a write has. */
export function checkWrite(
  operations: unknown,
  options: WriteOptions | undefined,
): asserts operations is readonly WriteOperation[] {
  if (!Array.isArray(operations)) throw invalidArgument("write takes an array of operations");
  checkOptions("write", options, writeOptions);
}

/**
 * Returns whether no key can be in `[gte, lt)`: `lt` is at or before `gte`, or is the empty key, which nothing
 * precedes.
 */
export function isEmptyRange(range: ByteRange): boolean {
  if (range.lt === undefined) return false;
  return range.lt.length === 0 || (range.gte !== undefined && compareBytes(range.gte, range.lt) >= 0);
}

/**
 * Checks an operation. An engine does not write a value that a read returned undecrypted: a later read would take the
 * ciphertext for a plain value.
 *
 * @throws MerostoreError INVALID_ARGUMENT if the type is unknown, or a key or value is not bytes; UNDECRYPTED_ROWS
 */
export function checkOperation(operation: WriteOperation): void {
  const type: unknown = operation?.type;
  if (type === "put") {
    const { column, key, value } = operation as WriteOperation & { type: "put" };
    checkBytes(key, "the key of a put into", column);
    checkBytes(value, "the value of a put into", column);
    refuseUndecrypted(value, column);
  } else if (type === "delete") {
    const { column, key } = operation as WriteOperation & { type: "delete" };
    checkBytes(key, "the key of a delete from", column);
  } else if (type === "deleteRange") {
    const { column, gte: from, lt: to } = operation as WriteOperation & { type: "deleteRange" };
    checkBytes(from, "`gte` of a deleteRange in", column);
    checkBytes(to, "`lt` of a deleteRange in", column);
  } else {
    throw invalidArgument(
      `a write operation must be a put, a delete or a deleteRange, and is ${nameOf(type)}`,
    );
  }
}

/** Throws UNDECRYPTED_ROWS for a value that a read returned undecrypted. */
export function refuseUndecrypted(value: Uint8Array, column: string): void {
  if (isUndecrypted(value))
    throw new MerostoreError(
      "UNDECRYPTED_ROWS",
      `a value of ${column} that no given master key decrypted is not written as if it were decrypted`,
    );
}

/** A checked operation whose arrays belong to the engine: itself, or a copy if they are of another realm. */
export function takeOperation(operation: WriteOperation): WriteOperation {
  checkOperation(operation);
  const isOwn =
    operation.type === "deleteRange"
      ? operation.gte instanceof Uint8Array && operation.lt instanceof Uint8Array
      : operation.key instanceof Uint8Array &&
        (operation.type === "delete" || operation.value instanceof Uint8Array);
  return isOwn ? operation : copyOperation(operation);
}

/** A checked copy of an operation. Each field is read once: the caller may change them all meanwhile. */
export function copyOperation(operation: WriteOperation): WriteOperation {
  const { type, column, key, value, gte, lt } = (operation ?? {}) as {
    readonly [Name in "type" | "column" | "key" | "value" | "gte" | "lt"]: never;
  };
  if (type === "put") {
    checkOperation({ type, column, key, value });
    return { type, column, key: copyKey(key), value: copyBytes(value) };
  }
  if (type === "delete") {
    checkOperation({ type, column, key });
    return { type, column, key: copyKey(key) };
  }
  checkOperation({ type, column, gte, lt });
  return { type, column, gte: copyKey(gte), lt: copyKey(lt) };
}

/** The names of the column families of a new database: `default` first, then these. Throws INVALID_ARGUMENT. */
export function checkNewColumns(columns: unknown): string[] {
  if (!Array.isArray(columns)) throw invalidArgument("`columns` must be an array of column family names");
  const names = new Set<string>(["default"]);
  for (const name of columns as unknown[]) {
    if (typeof name !== "string" || name === "") {
      throw invalidArgument(`a column family's name must be a non-empty string, and is ${nameOf(name)}`);
    }
    if (name.includes("\0") || !name.isWellFormed())
      throw invalidArgument(
        "a column family's name must be well-formed text without NUL: RocksDB cuts it there",
      );
    if (name !== "default" && names.has(name))
      throw invalidArgument(`the column family ${name} is named twice`);
    names.add(name);
  }
  return [...names];
}

/** The error for a column family that is not there; it names those that are. `advice` ends the message. */
export function unknownColumn(column: unknown, columns: readonly string[], advice = ""): MerostoreError {
  const others = `; it has ${listOf(columns)}`;
  return new MerostoreError(
    "UNKNOWN_COLUMN_FAMILY",
    `the database has no column family ${nameOf(column)}${typeof column === "string" ? didYouMean(column, columns, others) : others}${advice}`,
  );
}

/** Names that a message mentions at most, and characters of each. */
const NAMED = 30;
const LONGEST_NAME = 64;

function listOf(names: readonly string[]): string {
  const some = names.slice(0, NAMED).map((name) => name.slice(0, LONGEST_NAME));
  return `${some.join(", ")}${names.length > NAMED ? ` and ${names.length - NAMED} more` : ""}`;
}

function describeBytes(value: unknown): string {
  return value instanceof Uint8Array
    ? "one that cannot be read (a proxy, a detached buffer, a false length)"
    : nameOf(value);
}

function nameOf(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number" || value === null || value === undefined) return String(value);
  if (typeof value === "object") return value.constructor?.name ?? "an object";
  return typeof value;
}
