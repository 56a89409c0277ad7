/** Steps into the parts of a value: how deep they go, and how failures name them. */
import { type Reader, ReadFailure, WriteFailure } from "../../codec/index.js";

/** The deepest nesting of named types in a value. */
export const DEEPEST_VALUE = 128;

let depth = 0;

/** Runs a step into a named type, which may hold itself. */
function nested<T>(work: () => T, tooDeep: () => unknown): T {
  if (depth >= DEEPEST_VALUE) throw tooDeep();
  depth++;
  try {
    return work();
  } finally {
    depth--;
  }
}

/** Reads the inside of a value that may hold others of its type. */
export function readNested<T>(reader: Reader, work: () => T): T {
  return nested(work, () => reader.fail(`at most ${DEEPEST_VALUE} levels of types`, "more", reader.at));
}

/** Writes the inside of a value that may hold others of its type. */
export function writeNested<T>(work: () => T): T {
  return nested(work, () => new WriteFailure(`at most ${DEEPEST_VALUE} levels of types`, "more"));
}

/** Runs a step into a part of a value; its failures say which part. */
export function at<T>(step: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ReadFailure || error instanceof WriteFailure) error.steps.unshift(step);
    throw error;
  }
}
