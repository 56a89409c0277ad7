/** Parsing of ids that a user types: 64 hex digits, or base58. */
import { MerostoreError } from "../errors.js";
import { fromBase58 } from "./base58.js";
import { fromHex } from "./hex.js";

/**
 * Parses an id of `size` bytes from hex (exactly 2 × `size` digits) or base58. Throws `INVALID_ARGUMENT` for any other
 * text.
 */
export function parseId(text: string, size = 32): Uint8Array {
  const bytes =
    text.length === 2 * size && /^[0-9a-fA-F]+$/.test(text) ? fromHex(text) : tryBase58(text, size);
  if (bytes?.length === size) return bytes;
  throw new MerostoreError(
    "INVALID_ARGUMENT",
    `an id of ${size} bytes is ${2 * size} hex digits or a base58 text, got ${text.length} characters that are neither`,
  );
}

function tryBase58(text: string, size: number): Uint8Array | undefined {
  // Decoding base58 takes quadratic time, so long texts are refused first.
  if (text.length > 2 * size) return undefined;
  try {
    return fromBase58(text);
  } catch {
    return undefined;
  }
}
