/** Values of an answer: as JavaScript has them, and in the JSON form. */
import type { DuckDBMapEntry, DuckDBType, DuckDBValue } from "@duckdb/node-api";
import { toHex } from "../bytes/hex.js";
import type { Json } from "../codec/index.js";
import { invalidArgument } from "../errors.js";

/**
 * A value of an answer. Whole numbers of 64 bits and more are bigints; structs and maps are objects; dates, times,
 * decimals and other values without a type in JavaScript are texts as DuckDB writes them.
 */
export type SqlValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | readonly SqlValue[]
  | { readonly [name: string]: SqlValue };

/** A value that contains no others. */
type Scalar = null | boolean | number | bigint | string | Uint8Array;

/** Returns a value of DuckDB as JavaScript has it. */
export function sqlValue(value: DuckDBValue, type: DuckDBType): SqlValue {
  return converted(value, type, (one) => one) as SqlValue;
}

/**
 * Returns the JSON form of a value of DuckDB: bytes as hex; numbers of the type UBIGINT as decimal text, and others if
 * a number would not be exact.
 */
export function sqlToJson(value: DuckDBValue, type: DuckDBType): Json {
  return converted(value, type, scalarToJson) as Json;
}

function scalarToJson(value: Scalar, type: DuckDBType): Json {
  if (typeof value === "bigint") {
    const number = Number(value);
    // Fields of 64 bits are decimal texts everywhere; counts and sums are numbers as long as numbers are exact.
    return type.toString() === "UBIGINT" || !Number.isSafeInteger(number) ? value.toString() : number;
  }
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  return value instanceof Uint8Array ? toHex(value) : value;
}

/** Converts a value from the inside out. @param scalar converts one that contains no others */
function converted(
  value: DuckDBValue,
  type: DuckDBType,
  scalar: (value: Scalar, type: DuckDBType) => unknown,
): unknown {
  if (value === null || typeof value !== "object") return scalar(value, type);
  if ("items" in value && "valueType" in type)
    return value.items.map((one) => converted(one, type.valueType, scalar));
  if ("entries" in value && "entryNames" in type) {
    const entries = value.entries as Readonly<Record<string, DuckDBValue>>;
    const fields = type.entryNames.map((name, at) => [
      name,
      converted(entries[name] as DuckDBValue, type.entryTypes[at] as DuckDBType, scalar),
    ]);
    return Object.fromEntries(fields);
  }
  if ("entries" in value && "keyType" in type) {
    const entries = value.entries as readonly DuckDBMapEntry[];
    const fields = entries.map(({ key, value: one }) => [
      String(key),
      converted(one, type.valueType, scalar),
    ]);
    return Object.fromEntries(fields);
  }
  if ("bytes" in value && value.bytes instanceof Uint8Array)
    return scalar(Uint8Array.from(value.bytes), type);
  return scalar(String(value), type);
}

/** @throws MerostoreError `INVALID_ARGUMENT` for a type whose values have fields that cannot be told apart by name */
export function checkNames(type: DuckDBType): void {
  if ("entryTypes" in type) {
    if (new Set(type.entryNames).size !== type.entryNames.length)
      throw invalidArgument(
        "the answer has a struct whose fields have no names of their own: write {'name': value} for row(value)",
      );
    for (const one of type.entryTypes) checkNames(one);
  }
  if ("keyType" in type) checkNames(type.keyType);
  if ("valueType" in type) checkNames(type.valueType);
}
