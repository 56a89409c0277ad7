/** Hexadecimal text of bytes, lowercase, without prefix: the form in which all bytes are shown. */
import { MerostoreError } from "../errors.js";

const PAIRS: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** `Uint8Array.of(1, 255)` → `"01ff"`. */
export function toHex(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at++) text += PAIRS[bytes[at] as number];
  return text;
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
