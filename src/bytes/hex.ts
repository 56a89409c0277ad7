/** Lowercase hexadecimal text without a prefix. All output shows bytes in this form. */
import { invalidArgument } from "../errors.js";
import { isBytes } from "./bytes.js";

const DIGITS = new TextEncoder().encode("0123456789abcdef");
const decoder = new TextDecoder();
const scratch = new Uint8Array(1024);

/** The value of each character code below 128; 255 for characters that are not hex digits. */
const NIBBLES = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? 255 : value;
});

/** The part of Node's Buffer that converts long texts, many times as fast; undefined outside Node. */
const native = (
  globalThis as {
    readonly Buffer?: {
      from(bytes: ArrayBufferLike, offset: number, length: number): { toString(as: "hex"): string };
    };
  }
).Buffer;
const LONG = 48;

/** `Uint8Array.of(1, 255)` → `"01ff"`. Throws `INVALID_ARGUMENT` for anything but bytes. */
export function toHex(bytes: Uint8Array): string {
  if (!((bytes as unknown) instanceof Uint8Array || isBytes(bytes)))
    throw invalidArgument("only the bytes of a Uint8Array have a hex text");
  if (bytes.length > LONG && native !== undefined)
    return native.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex");
  // Printing a text that was concatenated piece by piece costs far more than one that was decoded at once.
  const length = 2 * bytes.length;
  const digits = length <= scratch.length ? scratch : new Uint8Array(length);
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    digits[2 * at] = DIGITS[byte >> 4] as number;
    digits[2 * at + 1] = DIGITS[byte & 15] as number;
  }
  return decoder.decode(digits.subarray(0, length));
}

/** `"01FF"` → `Uint8Array.of(1, 255)`. Accepts upper and lower case. Throws `INVALID_ARGUMENT` for anything else. */
export function fromHex(text: string): Uint8Array {
  if (typeof text !== "string") throw invalidArgument("hex text must be a string");
  const bytes = new Uint8Array(text.length >> 1);
  let wrong = 0;
  for (let at = 0; at < bytes.length; at++) {
    const high = NIBBLES[text.charCodeAt(2 * at)] ?? 255;
    const low = NIBBLES[text.charCodeAt(2 * at + 1)] ?? 255;
    wrong |= high | low;
    bytes[at] = (high << 4) | low;
  }
  if (wrong > 15 || text.length % 2 !== 0) {
    throw invalidArgument(
      wrong > 15
        ? "hex text may contain only the digits 0-9 and a-f"
        : `hex text needs an even number of digits, got ${text.length}`,
    );
  }
  return bytes;
}
