/**
 * Checks of the arguments that callers pass to an engine. Every engine refuses the same arguments with the same
 * messages.
 */

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
 * message. The message is built only on failure, because this is called for every key.
 */
export function checkBytes(value: unknown, what: string, column?: string): asserts value is Uint8Array {
  if (isBytes(value)) return;
  throw invalidArgument(
    `${column === undefined ? what : `${what} ${column}`} must be a Uint8Array, and is ${describeBytes(value)}`,
  );
}

/** Copies the keys of a getMany. Throws INVALID_ARGUMENT unless they are an array of byte arrays. */
export function copyKeys(keys: unknown, column: string): Uint8Array[] {
  if (!Array.isArray(keys)) throw invalidArgument("getMany takes an array of keys");
  return Array.from(keys as unknown[], (key) => {
    checkBytes(key, "a key of a getMany from", column);
    return copyKey(key);
  });
}

/** Copies a key, because the caller may reuse the array during the lookup. */
export function copyKey(key: Uint8Array): Uint8Array {
  const copy = allocate(key.length);
  copy.set(key);
  return copy;
}

const bound: OptionCheck = (value) => (isBytes(value) ? undefined : "a Uint8Array");
const boundFields: OptionChecks<Bounds> = { gt: bound, gte: bound, lt: bound, lte: bound };

/** The checks of {@link ScanOptions}. */
const scanOptions: OptionChecks<ScanOptions> = {
  reverse: isFlag,
  limit: isWholeNumber(0),
  after: bound,
  signal: isSignal,
  keysOnly: isFlag,
};

const writeOptions: OptionChecks<WriteOptions> = { sync: isFlag, owned: isFlag };

/**
 * Returns the plan of a scan with copied bounds; undefined if no row can be in it. Throws INVALID_ARGUMENT for a wrong
 * range or wrong options.
 */
export function checkScan(bounds: Bounds | undefined, options: ScanOptions = {}): ScanPlan | undefined {
  checkOptions("scan", options, scanOptions);
  const { reverse = false, limit = Number.POSITIVE_INFINITY, keysOnly = false, after } = options;
  let range = checkRange(bounds);
  if (after !== undefined) range = within(range, reverse ? { lt: after } : { gt: after });
  return limit === 0 || isEmptyRange(range) ? undefined : { ...range, reverse, limit, keysOnly };
}

/** Returns the range within bounds, copied. Throws INVALID_ARGUMENT if a bound is present and no byte array. */
export function checkRange(bounds: Bounds = {}): Required<ByteRange> {
  checkFields("a range", bounds, boundFields);
  const { gte, lt, ...others } = bounds;
  return within({ gte: gte && copyBytes(gte), lt: lt && copyBytes(lt) }, others);
}

/** Returns the part of a range within further bounds. */
function within({ gte, lt }: Required<ByteRange>, more: Bounds): Required<ByteRange> {
  const from = more.gt && keyAfter(more.gt);
  const to = (more.lte && keyAfter(more.lte)) ?? (more.lt && copyBytes(more.lt));
  return {
    gte: from !== undefined && (gte === undefined || compareBytes(from, gte) > 0) ? from : gte,
    lt: to !== undefined && (lt === undefined || compareBytes(to, lt) < 0) ? to : lt,
  };
}

/** Throws INVALID_ARGUMENT unless a write has an array of operations and valid options. */
export function checkWrite(
  operations: unknown,
  options: WriteOptions | undefined,
): asserts operations is readonly WriteOperation[] {
  if (!Array.isArray(operations)) throw invalidArgument("write takes an array of operations");
  checkOptions("write", options, writeOptions);
}

/** Returns whether `[gte, lt)` is empty: `lt` is at or before `gte`, or is the empty key, which no key precedes. */
export function isEmptyRange(range: ByteRange): boolean {
  if (range.lt === undefined) return false;
  return range.lt.length === 0 || (range.gte !== undefined && compareBytes(range.gte, range.lt) >= 0);
}

/** Returns whether a key is in a range. */
export function contains({ gte: from, lt: to }: ByteRange, key: Uint8Array): boolean {
  return (
    (from === undefined || compareBytes(from, key) <= 0) && (to === undefined || compareBytes(key, to) < 0)
  );
}

/**
 * Checks an operation. An engine does not write a value that a read returned undecrypted, because a later read would
 * treat the ciphertext as a plain value.
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

/**
 * Checks an operation whose arrays belong to the engine. Returns it, or a copy if its arrays are from another realm.
 */
export function takeOperation(operation: WriteOperation): WriteOperation {
  checkOperation(operation);
  const isOwn =
    operation.type === "deleteRange"
      ? operation.gte instanceof Uint8Array && operation.lt instanceof Uint8Array
      : operation.key instanceof Uint8Array &&
        (operation.type === "delete" || operation.value instanceof Uint8Array);
  return isOwn ? operation : copyOperation(operation);
}

/** Returns a checked copy of an operation. It reads each field once, because the caller may change the operation. */
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

/** Returns the column families of a new database: `default`, then these. Throws INVALID_ARGUMENT. */
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

/** The options for a new database. */
export interface CreateOptions {
  /** Create a database in a folder that is missing or empty, and open it for writing. Requires `columns`. */
  readonly create?: boolean | undefined;
  /** The names of the column families of a new database, in addition to `default`. */
  readonly columns?: readonly string[] | undefined;
}

/**
 * Returns the column families of a new database, `default` first; undefined for an existing database.
 *
 * @throws MerostoreError INVALID_ARGUMENT for options that contradict each other
 */
export function checkAccess({
  writable,
  create = false,
  columns,
}: CreateOptions & { readonly writable?: boolean | undefined }): string[] | undefined {
  if (create && writable === false)
    throw invalidArgument("a new database is opened for writing: leave out writable: false, or create");
  if (!create && columns !== undefined)
    throw invalidArgument("columns names those of a new database: leave it out, or add create: true");
  return create ? checkNewColumns(columns) : undefined;
}

/** Creates the error about an unknown column family, which names the existing ones. `advice` ends the message. */
export function unknownColumn(column: unknown, columns: readonly string[], advice = ""): MerostoreError {
  const others = `; it has ${listOf(columns)}`;
  return new MerostoreError(
    "UNKNOWN_COLUMN_FAMILY",
    `the database has no column family ${nameOf(column)}${typeof column === "string" ? didYouMean(column, columns, others) : others}${advice}`,
  );
}

/** The most names in a message, and the most characters of each. */
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
