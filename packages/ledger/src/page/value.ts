/** Values and priorities as a program passes them. */
import {
  copyBytes,
  describeValue,
  isBytes,
  isOneOf,
  MerostoreError,
  type OptionCheck,
} from "merostore/internal";
import { within } from "../callbacks/listeners.js";
import type { Priority } from "../tables/tree-node.js";
import { textOrBytes } from "./key.js";

/** A value: bytes, text, which stands for its UTF-8 bytes, or a stream of bytes. */
export type EntryValue = Uint8Array | string | AsyncIterable<Uint8Array>;

/**
 * Returns a copy of the value, or a stream of copies of its chunks.
 *
 * @param valueSource the owner of calls to the source of a stream, see `within`
 * @throws MerostoreError INVALID_ARGUMENT if it is not a value
 */
export function valueBytes(value: EntryValue, valueSource: object): Uint8Array | AsyncIterable<Uint8Array> {
  const isStream = typeof value === "object" && value !== null && Symbol.asyncIterator in value;
  return isStream ? copyChunks(value, valueSource) : textOrBytes(value, "a value");
}

/**
 * Runs a call that takes a value. If it is rejected, a stream that was passed is destroyed, also one that was never read.
 */
export async function takingValue<T>(value: unknown, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    await giveUp(value);
    throw error;
  }
}

/** The ways in which streams of Node, streams of the Web and generators are given up. */
interface Destroyable {
  readonly destroy?: () => void;
  readonly cancel?: () => Promise<void>;
  readonly return?: () => Promise<unknown>;
}

/** Destroys a stream that will not be read to its end. Other values have nothing to destroy. */
export async function giveUp(value: unknown): Promise<void> {
  if (typeof value !== "object" || value === null || isBytes(value)) return;
  const stream = value as Destroyable;
  try {
    if (typeof stream.destroy === "function") stream.destroy();
    else if (typeof stream.cancel === "function") await stream.cancel();
    else if (typeof stream.return === "function") await stream.return();
  } catch {
    // The call has its own error.
  }
}

async function* copyChunks(
  source: AsyncIterable<Uint8Array>,
  valueSource: object,
): AsyncGenerator<Uint8Array, void, undefined> {
  const iterator = source[Symbol.asyncIterator]();
  let mustEnd = false;
  try {
    for (;;) {
      mustEnd = false; // like `for await`: an iterator that throws is not closed
      const { done, value } = await within(valueSource, () => iterator.next());
      if (done === true) return;
      mustEnd = true;
      if (!isBytes(value))
        throw new MerostoreError("INVALID_ARGUMENT", "a value that comes piece by piece comes as bytes");
      yield copyBytes(value);
    }
  } finally {
    if (mustEnd) await within(valueSource, () => iterator.return?.());
  }
}

/** Checks an option that is a priority. */
export const isPriority: OptionCheck = isOneOf(["eager", "lazy"]);

/**
 * Checks a priority: `eager` unless given.
 * @throws MerostoreError INVALID_ARGUMENT
 */
export function priorityOf(priority: Priority = "eager"): Priority {
  if (priority === "eager" || priority === "lazy") return priority;
  throw new MerostoreError("INVALID_ARGUMENT", "a priority is eager or lazy");
}

/** @throws MerostoreError INVALID_ARGUMENT for a size that no value can have */
export function checkSize(size: number | undefined): void {
  if (size === undefined || (Number.isSafeInteger(size) && size >= 0)) return;
  throw new MerostoreError(
    "INVALID_ARGUMENT",
    `the size of a value is a whole number from 0, not ${describeValue(size)}`,
  );
}
