/**
 * The place where a row stops to decode: in its value, in a payload of the value, or in the type that raw bytes hold.
 */
import { DecodeError, payloadsIn, ReadFailure } from "../codec/index.js";
import type { RawRow } from "../engine/engine.js";
import type { AnyRow } from "./schema.js";

/** A value as its codec reads it, and the offset at which a part of it stops to decode. */
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
