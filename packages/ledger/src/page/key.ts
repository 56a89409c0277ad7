/** Keys of entries. */
import { copyBytes, invalidArgument, isBytes, type OptionCheck } from "merostore/internal";

/** Bytes, or text, which stands for its UTF-8 bytes. */
export type EntryKey = Uint8Array | string;

/** The most bytes of a key. */
export const MAX_KEY_SIZE = 256;

const encoder = new TextEncoder();

/**
 * Returns a copy of the bytes of a key.
 * @throws MerostoreError INVALID_ARGUMENT for more than 256 bytes
 */
export function keyBytes(key: EntryKey): Uint8Array {
  const bytes = textOrBytes(key, "a key");
  if (bytes.length > MAX_KEY_SIZE)
    throw invalidArgument(`a key has at most ${MAX_KEY_SIZE} bytes, this one has ${bytes.length}`);
  return bytes;
}

/**
 * Returns a copy of the bytes, or the UTF-8 bytes of text.
 * @throws MerostoreError INVALID_ARGUMENT, also for text with a lone surrogate: UTF-8 would replace it, and two
 * different texts would have the same bytes
 */
export function textOrBytes(value: Uint8Array | string, what: string): Uint8Array {
  if (typeof value === "string") {
    if (value.isWellFormed()) return encoder.encode(value);
    throw invalidArgument(`${what} cannot be a text with a lone surrogate: pass its bytes instead`);
  }
  if (isBytes(value)) return copyBytes(value);
  throw invalidArgument(`${what} is bytes or text`);
}

/** Checks an option that is a key or a prefix of keys. */
export const isKey: OptionCheck = (value) =>
  isBytes(value) || (typeof value === "string" && value.isWellFormed())
    ? undefined
    : "bytes or well-formed text";
