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

/** Milliseconds since 1970 of a time of a hybrid logical clock (NTP64: seconds in the high 32 bits, a fraction below). */
export function millisOfNtp64(time: bigint): number {
  return Number(time >> 32n) * 1000 + Math.floor((Number(time & 0xffff_ffffn) * 1000) / 2 ** 32);
}

/** A time in ISO 8601, to the second. A number that no calendar has stays a number of milliseconds. */
export function isoTime(millis: number): string {
  const date = new Date(millis);
  if (Number.isNaN(date.getTime())) return `${millis} ms`;
  return date.toISOString().replace(/\.\d+Z$/, "Z");
}
