/** Steps into the parts of a value. Counts the parts, bounds the depth, and names the part in a failure. */
import {
  type Codec,
  DEEPEST_NESTING,
  Nesting,
  type Reader,
  ReadFailure,
  WriteFailure,
} from "../../codec/index.js";

const TOO_DEEP = `at most ${DEEPEST_NESTING} levels of types`;

/** Parts that a value may have whatever its size: parts may have no bytes, so that bytes alone do not bound them. */
export const FREE_PARTS = 65_536;
/** Further parts for each byte: a byte may be a record in a record in a tuple. */
const PARTS_OF_BYTE = 4;

const nesting = new Nesting();
/** Parts of the outermost value that is being read, or was read last. */
let parts = 0;

/** Reads the inside of a value that may hold others of its type. */
export function readNested<T>(reader: Reader, work: () => T): T {
  if (nesting.isOutside) parts = 0;
  return nesting.enter(work, () => reader.fail(TOO_DEEP, "more", reader.at));
}

/** Counts parts of the value that is being read: refuses more than a program would make of its bytes. */
export function countParts(reader: Reader, count = 1): void {
  parts += count;
  const most = FREE_PARTS + PARTS_OF_BYTE * reader.bytes.length;
  if (parts > most) throw reader.fail(`at most ${most} parts`, "more", reader.at);
}

/** Passes a value, and returns the number of its parts. */
export function passCounted(codec: Codec<unknown>, reader: Reader): number {
  parts = 0;
  codec.pass(reader);
  return parts;
}

/** Writes the inside of a value that may hold others of its type. */
export function writeNested<T>(work: () => T): T {
  return nesting.enter(work, () => new WriteFailure(TOO_DEEP, "more"));
}

/** Runs a step into a part of a value. Its failures name the part. */
export function at<T>(step: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ReadFailure || error instanceof WriteFailure) error.steps.unshift(step);
    throw error;
  }
}
