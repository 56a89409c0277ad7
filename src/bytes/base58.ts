/** Base58 (Bitcoin alphabet): a Calimero node prints ids and names blob files in this form. */
import { base58 } from "@scure/base";
import { MerostoreError } from "../errors.js";

/** Encodes bytes as base58: 32 bytes become 32 to 44 characters. The cost grows with the square of the length. */
export function toBase58(bytes: Uint8Array): string {
  return base58.encode(bytes);
}

/** Decodes a base58 text. Throws `INVALID_ARGUMENT` for any other text. */
export function fromBase58(text: string): Uint8Array {
  try {
    return base58.decode(text);
  } catch (cause) {
    throw new MerostoreError(
      "INVALID_ARGUMENT",
      "the text is not base58: it must consist of the digits 1-9 and letters without I, O and l",
      { cause },
    );
  }
}
