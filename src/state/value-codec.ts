/** Codecs of the application's values, as they were found. */
import type { Codec } from "../codec/index.js";
import type { StateEntry } from "./collections/scope.js";
import type { StateField } from "./fields.js";
import { codecOf } from "./types/codec-of.js";

/**
 * The codec of the value of a field, or of an entry without its key: it decodes and encodes the value's bytes exactly.
 * Collections in it are handles. Undefined where the value has a problem.
 *
 * Encoding is for comparison and search: the database of a node must not be changed with it.
 */
export function valueCodec(part: StateField | StateEntry): Codec<unknown> | undefined {
  return part.type && codecOf(part.type);
}
