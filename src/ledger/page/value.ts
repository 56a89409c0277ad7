/** Values of entries, as a program gives them. */
import { copyBytes, isBytes } from "../../bytes/bytes.js";
import { MerostoreError } from "../../errors.js";
import { isOneOf, type OptionCheck } from "../../options.js";
import { within } from "../callbacks/calls.js";
import type { Priority } from "../tables/tree-node.js";
import { textOrBytes } from "./key.js";

/** A value: bytes, a text that stands for its UTF-8 bytes, or bytes that come piece by piece. */
export type EntryValue = Uint8Array | string | AsyncIterable<Uint8Array>;

/**
 * A copy of the value, or its pieces as they arrive.
 *
 * @param taker the owner of calls to the source of the pieces, see `within`
 * @throws MerostoreError INVALID_ARGUMENT if it is not a value
 */
export function valueBytes(value: EntryValue, taker: object): Uint8Array | AsyncIterable<Uint8Array> {
  const comes = typeof value === "object" && value !== null && Symbol.asyncIterator in value;
  return comes ? pieces(value, taker) : textOrBytes(value, "a value");
}

async function* pieces(
  source: AsyncIterable<Uint8Array>,
  taker: object,
): AsyncGenerator<Uint8Array, void, undefined> {
  const iterator = source[Symbol.asyncIterator]();
  let mustEnd = false;
  try {
    for (;;) {
      mustEnd = false; // like `for await`: an iterator that throws is not closed
      const { done, value } = await within(taker, () => iterator.next());
      if (done === true) return;
      mustEnd = true;
      if (!isBytes(value))
        throw new MerostoreError("INVALID_ARGUMENT", "a value that comes piece by piece comes as bytes");
      yield copyBytes(value);
    }
  } finally {
    if (mustEnd) await within(taker, () => iterator.return?.());
  }
}

/** A priority, as an option. */
export const isPriority: OptionCheck = isOneOf(["eager", "lazy"]);

/**
 * The priority that was asked for: `eager` unless given.
 * @throws MerostoreError INVALID_ARGUMENT
 */
export function priorityOf(priority: Priority = "eager"): Priority {
  if (priority === "eager" || priority === "lazy") return priority;
  throw new MerostoreError("INVALID_ARGUMENT", "a priority is eager or lazy");
}
