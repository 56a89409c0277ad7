/** Entries between their bytes and their value: the key is known, the value is not decoded yet. */
import { problem, type StateProblem } from "../problem.js";
import type { Reading } from "../types/read-value.js";
import type { Type } from "../types/type.js";
import { findKey } from "./entry-key.js";
import { type EntryTail, findLastKeys } from "./last-key.js";
import type { StateEntry } from "./scope.js";

/** An entry with a known key and a value that is not decoded yet. */
export interface Body extends Split {
  /** Another way to split the data, if the bytes before the key may belong to it or to the value. */
  readonly other?: Split | undefined;
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

/** Returns true if the entry exists, even if it cannot be read. */
export function isThere(entry: StateEntry | undefined): entry is StateEntry {
  return entry !== undefined && entry.problem?.name !== "EntryMissing";
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

/** The data of an entry without its id, with the facts that a collection needs to split it. */
export interface Unsplit extends EntryTail {
  /** The entity's id, 32 bytes. */
  readonly id: Uint8Array;
  /** True if the value is before the key. */
  readonly isValueFirst: boolean;
}

/** The ways to split the data of an entry into key and rest, for collections with keys: none, one or two. */
export function splitKeys(
  collection: Uint8Array,
  unsplit: Unsplit,
  type: Type | undefined,
): readonly { readonly key: string | Uint8Array; readonly rest: Uint8Array }[] {
  const { id, body } = unsplit;
  if (unsplit.isValueFirst)
    return findLastKeys(collection, id, unsplit, type).map(({ key, end }) => ({
      key,
      rest: body.subarray(0, end),
    }));
  const found = findKey(collection, id, body, type);
  return found === undefined ? [] : [{ key: found.key, rest: body.subarray(found.end) }];
}

/** A way to split an entry, and the reading of its value. */
export type Way = readonly [body: Body, reading: Reading];

/** The ways to split an entry; empty for an entry with a problem. */
export function waysOf(body: Body): readonly Body[] {
  if (body.problem !== undefined) return [];
  return body.other === undefined ? [body] : [body, { ...body, ...body.other }];
}

/** Returns true if the value has a reading in both of two ways. */
export function areBoth(ways: readonly Way[]): boolean {
  return ways.length > 1 && ways.every(([, { outcome }]) => outcome !== "none");
}

/**
 * The way in which the value has a reading. If it has a reading in both ways, other entries may decide; otherwise it is
 * ambiguous.
 *
 * @param ways one way, or two: the way for a key with its length comes first
 * @param hasLength whether keys begin with their length; undefined if that is not known
 */
export function settled(ways: readonly Way[], hasLength: boolean | undefined): Way {
  const [first, second] = ways as readonly [Way, Way?];
  if (second === undefined || second[1].outcome === "none") return first;
  if (first[1].outcome === "none") return second;
  if (hasLength !== undefined) return hasLength ? first : second;
  const counts = [first[1], second[1]].map((reading) =>
    reading.outcome === "ambiguous" ? reading.count : 1,
  );
  const count = counts.includes(undefined) ? undefined : (counts[0] as number) + (counts[1] as number);
  return [first[0], { outcome: "ambiguous", count }];
}
