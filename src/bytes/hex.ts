/** Hexadecimal text of bytes, lowercase, without prefix: the form in which all bytes are shown. */
import { MerostoreError } from "../errors.js";

const DIGITS = new TextEncoder().encode("0123456789abcdef");
const decoder = new TextDecoder();
const scratch = new Uint8Array(1024);

/** `Uint8Array.of(1, 255)` → `"01ff"`. */
export function toHex(bytes: Uint8Array): string {
  // Decoded from digits: a text put together piece by piece costs far more once it is printed.
  const length = 2 * bytes.length;
  const digits = length <= scratch.length ? scratch : new Uint8Array(length);
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    digits[2 * at] = DIGITS[byte >> 4] as number;
    digits[2 * at + 1] = DIGITS[byte & 15] as number;
  }
  return decoder.decode(digits.subarray(0, length));
}

/** `"01FF"` → `Uint8Array.of(1, 255)`. Upper and lower case are read; anything else is an `INVALID_ARGUMENT`. */
export function fromHex(text: string): Uint8Array {
  if (text.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(text)) {
    throw new MerostoreError(
      "INVALID_ARGUMENT",
      text.length % 2 === 0
        ? "hex text may hold only the digits 0-9 and a-f"
        : `hex text needs an even number of digits, got ${text.length}`,
    );
  }
  const bytes = new Uint8Array(text.length / 2);
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(text.slice(2 * at, 2 * at + 2), 16);
  return bytes;
}
