/** Values and priorities as a program passes them. */
import { copyBytes, isBytes } from "../../bytes/bytes.js";
import { MerostoreError } from "../../errors.js";
import { isOneOf, type OptionCheck } from "../../options.js";
import { within } from "../callbacks/calls.js";
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
