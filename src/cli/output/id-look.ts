/** The form of ids in output: short or whole, in hex or base58. */
import { toBase58 } from "../../bytes/base58.js";
import { fromHex } from "../../bytes/hex.js";

export interface IdLook {
  /** All digits, instead of the first ones. */
  readonly whole: boolean;
  /** Base58, instead of hex. */
  readonly base58: boolean;
}

/** The default form of ids in tables and sentences. */
export const SHORT: IdLook = { whole: false, base58: false };
export const WHOLE: IdLook = { whole: true, base58: false };

/** An id in hex as text: its first digits, or all. */
export function idText(hex: string, { whole, base58 }: IdLook, digits = 8): string {
  const id = base58 && hex.length === 64 ? toBase58(fromHex(hex)) : hex;
  return whole ? id : id.slice(0, digits);
}
