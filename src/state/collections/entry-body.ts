/** Entries between their bytes and their value: the key is known, the value is not decoded yet. */
import { problem, type StateProblem } from "../problem.js";
import type { Reading } from "../types/read-value.js";
import type { Type } from "../types/type.js";
import { findKey } from "./entry-key.js";
import type { StateEntry } from "./scope.js";

/** An entry whose key is known and whose value is not decoded yet. */
export interface Body extends Split {
  /** The entity's id. */
  readonly id: Uint8Array;
  /** The data without the id at its end. */
  readonly raw: Uint8Array | undefined;
  /** The reason why the value is missing. */
  readonly problem: StateProblem | undefined;
}

/** The parts of an entry's data. */
export interface Split {
  /** The path of the entry. */
  readonly path: string;
  /** Its key; undefined for entries without one. */
  readonly key: string | Uint8Array | undefined;
  /** The bytes of the value. */
  readonly rest: Uint8Array;
}

/** An entry without its value. */
export function entryOf({ id, path, key, raw, problem: wrong }: Body): StateEntry {
  return { id, path, key, raw, problem: wrong, value: undefined, type: undefined };
}

type NoReading = Exclude<Reading, { outcome: "value" }>;

/** The problem of a value that has no reading, or several. */
export function problemOf(reading: NoReading, path: string, raw: Uint8Array): StateProblem {
  if (reading.outcome === "none")
    return problem(reading.unknown === undefined ? "ValueDecode" : "TypeUnknown", path, reading.message, raw);
  const { count } = reading;
  const message = `the bytes have ${count ?? "too many"} readings; hints can settle which is right`;
  return problem("Ambiguous", path, message, raw, count);
}

/** The key of an entry and the rest of its data, for collections with keys. */
export function splitKey(
  collection: Uint8Array,
  id: Uint8Array,
  data: Uint8Array,
  type: Type | undefined,
): { readonly key: string | Uint8Array; readonly rest: Uint8Array } | undefined {
  const found = findKey(collection, id, data, type);
  return found && { key: found.key, rest: data.subarray(found.end) };
}
