/** Values of entries, as a program gives them. */
import { copyBytes, isBytes } from "../../bytes/bytes.js";
import { MerostoreError } from "../../errors.js";
import type { Priority } from "../tables/tree-node.js";
import { textOrBytes } from "./key.js";

/** A value: bytes, a text that stands for its UTF-8 bytes, or bytes that come piece by piece. */
export type EntryValue = Uint8Array | string | AsyncIterable<Uint8Array>;

/**
 * The value as a whole, a copy, or as it comes.
 * @throws MerostoreError INVALID_ARGUMENT for what is no value
 */
export function valueBytes(value: EntryValue): Uint8Array | AsyncIterable<Uint8Array> {
  const comes = typeof value === "object" && value !== null && Symbol.asyncIterator in value;
  return comes ? pieces(value) : textOrBytes(value, "a value");
}

async function* pieces(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const bytes of source) {
    if (!isBytes(bytes))
      throw new MerostoreError("INVALID_ARGUMENT", "a value that comes piece by piece comes as bytes");
    yield copyBytes(bytes);
  }
}

/**
 * The priority that was asked for: `eager` unless given.
 * @throws MerostoreError INVALID_ARGUMENT
 */
export function priorityOf(priority: Priority = "eager"): Priority {
  if (priority === "eager" || priority === "lazy") return priority;
  throw new MerostoreError("INVALID_ARGUMENT", "a priority is eager or lazy");
}
