/** Keys of entries, and how ranges of them are said. */
import { copyBytes, isBytes } from "../../bytes/bytes.js";
import { toHex } from "../../bytes/hex.js";
import { MerostoreError } from "../../errors.js";

/** Bytes, or a text that stands for its UTF-8 bytes. */
export type EntryKey = Uint8Array | string;

/** Most bytes of a key. */
export const MAX_KEY_SIZE = 256;

const encoder = new TextEncoder();

/**
 * The bytes of a key: a copy.
 * @throws MerostoreError INVALID_ARGUMENT for more than 256 bytes
 */
export function keyBytes(key: EntryKey): Uint8Array {
  const bytes = textOrBytes(key, "a key");
  if (bytes.length > MAX_KEY_SIZE)
    throw new MerostoreError(
      "INVALID_ARGUMENT",
      `a key has at most ${MAX_KEY_SIZE} bytes, this one has ${bytes.length}`,
    );
  return bytes;
}

/** Bytes as they are, or those of a text: a copy. */
export function textOrBytes(value: Uint8Array | string, what: string): Uint8Array {
  if (typeof value === "string") return encoder.encode(value);
  if (isBytes(value)) return copyBytes(value);
  throw new MerostoreError("INVALID_ARGUMENT", `${what} is bytes or text`);
}

/** How a key is called in errors. */
export function keyName(key: Uint8Array): string {
  return toHex(key);
}
