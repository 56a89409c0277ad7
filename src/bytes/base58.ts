/** Base58 (Bitcoin alphabet): how a Calimero node prints ids and names blob files. */
import { base58 } from "@scure/base";
import { MerostoreError } from "../errors.js";

/** 32 bytes become 32 to 44 characters. Meant for ids: the cost grows with the square of the length. */
export function toBase58(bytes: Uint8Array): string {
  return base58.encode(bytes);
}

/** The bytes of a base58 text; anything else is an `INVALID_ARGUMENT`. */
export function fromBase58(text: string): Uint8Array {
  try {
    return base58.decode(text);
  } catch (cause) {
    throw new MerostoreError("INVALID_ARGUMENT", "not a base58 text", { cause });
  }
}
