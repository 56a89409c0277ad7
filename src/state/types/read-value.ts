/** Reads values whose types may be open. */
import { ReadFailure } from "../../codec/index.js";
import { Pause } from "../../pause.js";
import type { Domains } from "./choices.js";
import { codecOf } from "./codec-of.js";
import { HandleLookups, type LookUp } from "./handles.js";
import { type HandleTest, Readings, TOO_MANY_READINGS } from "./readings.js";
import { resolve } from "./resolve.js";
import { anyIn, holdsCollections, isExact, type Type, typesIn } from "./type.js";
import { typeName } from "./type-name.js";

/** The result of reading bytes as a type. */
export type Reading =
  | {
      readonly outcome: "value";
      /** The exact type in which the bytes were read: its codec encodes the value to the same bytes. */
      readonly type: Type;
      readonly value: unknown;
    }
  | {
      readonly outcome: "ambiguous";
      /** The number of readings; undefined if there are too many to count. */
      readonly count: number | undefined;
    }
  | {
      readonly outcome: "none";
      /** The reason, in a sentence. */
      readonly message: string;
      /** A type of the application that nothing describes, if that is why. */
      readonly unknown: string | undefined;
    };

/**
 * Reads values as a type, each with all of its bytes.
 *
 * An exact type has one reading at most. An open type is read without options that the manifest does not announce or,
 * if that is impossible, with them. A handle counts only if the collection's entity exists.
 *
 * @param domains the alternatives that other values left; all by default
 */
export async function readValues(
  type: Type,
  values: readonly Uint8Array[],
  lookUp: LookUp,
  domains?: Domains,
): Promise<readonly Reading[]> {
  if (isExact(type)) return eachOf(values, (bytes) => readExact(type, bytes));
  const isHandle = await handlesIn(type, values, lookUp);
  return eachOf(values, (bytes) => readOpen(type, bytes, isHandle, domains));
}

/**
 * Looks up the entities of all handles that the values may hold, and returns a test for handles.
 *
 * @param steps the most steps for one value; the limit of an entry by default
 */
export async function handlesIn(
  type: Type,
  values: readonly Uint8Array[],
  lookUp: LookUp,
  steps?: number,
): Promise<HandleTest> {
  const lookups = new HandleLookups(lookUp);
  if (holdsCollections(type)) {
    await eachOf(values, (bytes) => {
      for (const withOptions of [false, true]) count(type, bytes, lookups.test, withOptions, steps);
    });
    await lookups.load();
  }
  return lookups.test;
}

/** Values between two looks at the clock. */
const MANY = 32;

async function eachOf<T>(values: readonly Uint8Array[], read: (bytes: Uint8Array) => T): Promise<T[]> {
  const results: T[] = [];
  const pause = new Pause();
  for (const bytes of values) {
    if (results.length % MANY === 0) await pause.ifLong();
    results.push(read(bytes));
  }
  return results;
}

/** Reads a value as a type without a check that the collections of handles exist. */
export function readUnchecked(type: Type, bytes: Uint8Array, domains?: Domains): Reading {
  return readTested(type, bytes, () => true, domains);
}

/** Reads a value as a type with a test for handles. */
export function readTested(type: Type, bytes: Uint8Array, isHandle: HandleTest, domains?: Domains): Reading {
  return isExact(type) ? readExact(type, bytes) : readOpen(type, bytes, isHandle, domains);
}

function readExact(type: Type, bytes: Uint8Array): Reading {
  const value = codecOf(type).readWhole(bytes);
  if (!(value instanceof ReadFailure)) return { outcome: "value", type, value };
  const where = value.steps.length === 0 ? "" : `${value.steps.join(".").replaceAll(".[", "[")}, `;
  return none(
    `no ${typeName(type)}: ${where}byte ${value.offset}: expected ${value.expected}, found ${value.found}`,
  );
}

function none(message: string, unknown?: string): Reading {
  return { outcome: "none", message, unknown };
}

function readOpen(type: Type, bytes: Uint8Array, isHandle: HandleTest, domains?: Domains): Reading {
  for (const withOptions of [false, true]) {
    const readings = count(type, bytes, isHandle, withOptions, undefined, domains);
    if (readings === undefined) return { outcome: "ambiguous", count: undefined };
    const found = readings.ends(type, 0).find(({ at }) => at === bytes.length)?.count ?? 0;
    if (found > 1) return { outcome: "ambiguous", count: found };
    if (found === 1) {
      const exact = resolve(readings, type, 0, bytes.length);
      return readExact(exact, bytes);
    }
  }
  const unknown = unknownIn(type);
  if (unknown !== undefined) return none(`nothing describes the type ${unknown}`, unknown);
  return none(`${bytes.length} bytes have no reading as ${typeName(type)}`);
}

/** Counts the readings; undefined if there are too many. */
export function count(
  type: Type,
  bytes: Uint8Array,
  isHandle: HandleTest,
  withOptions: boolean,
  steps?: number,
  domains?: Domains,
): Readings | undefined {
  const readings = new Readings(bytes, isHandle, withOptions, steps, domains);
  try {
    readings.ends(type, 0);
    readings.finish();
    return readings;
  } catch (error) {
    if (error === TOO_MANY_READINGS) return undefined;
    throw error;
  }
}

const holdsUnknown = anyIn(({ kind }) => kind === "unknown");

function unknownIn(type: Type): string | undefined {
  if (!holdsUnknown(type)) return undefined;
  for (const one of typesIn(type)) if (one.kind === "unknown") return one.name;
  return undefined;
}
