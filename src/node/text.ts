/** Bytes and numbers as texts. */
import { toHex } from "../bytes/hex.js";

const decoder = new TextDecoder("utf-8", { fatal: true });

/** The text of bytes in UTF-8, or their hex digits after `0x`. Texts stay as they are. */
export function utf8Text(bytes: Uint8Array | string): string {
  if (typeof bytes === "string") return bytes;
  try {
    return decoder.decode(bytes);
  } catch {
    return `0x${toHex(bytes)}`;
  }
}

/** A time in ISO 8601, to the second. A number that no calendar has stays a number of milliseconds. */
export function isoTime(millis: bigint): string {
  const date = new Date(Number(millis));
  if (Number.isNaN(date.getTime())) return `${millis} ms`;
  return date.toISOString().replace(/\.\d+Z$/, "Z");
}

/** Whole seconds in milliseconds: Infinity for a time that a number of milliseconds cannot express exactly. */
export function millisOf(seconds: bigint): number {
  const millis = 1000 * Number(seconds);
  return Number.isSafeInteger(millis) ? millis : Number.POSITIVE_INFINITY;
}
