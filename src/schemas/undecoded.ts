/**
 * Finds the place at which a row does not decode: in its value, in a payload of the value, or in the type inside raw
 * bytes.
 */
import { DecodeError, payloadsIn, ReadFailure } from "../codec/index.js";
import type { RawRow } from "../engine/engine.js";
import type { AnyRow } from "./schema.js";

/** A decoded value, and the offset at which the decoding of a part stopped. */
export interface Decoded {
  /** The value; undefined if it does not decode. */
  readonly value: unknown;
  /** Bytes from the beginning of the value; undefined if everything decodes. */
  readonly stop: number | undefined;
}

/** Decodes a row to its innermost part. */
export function decodeWhole(row: AnyRow, raw: RawRow): Decoded {
  const key = row.key.view(raw.key);
  const value = row.valueAt(key).readWhole(raw.value);
  if (value instanceof ReadFailure) return { value: undefined, stop: value.offset };
  const held = row.heldAt(key)?.readWhole(raw.value);
  if (held instanceof ReadFailure) return { value, stop: held.offset };
  for (const payload of payloadsIn(value)) {
    if (payload.value !== undefined) continue;
    const start = payload.bytes.byteOffset - raw.value.byteOffset;
    return { value, stop: start + offsetOf(() => payload.decode()) };
  }
  return { value, stop: undefined };
}

function offsetOf(decode: () => unknown): number {
  try {
    decode();
  } catch (error) {
    if (error instanceof DecodeError) return error.offset;
    throw error;
  }
  return 0;
}
