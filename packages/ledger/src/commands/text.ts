/** The form of keys, ids and times of ledgers in output. */
import { orUndefined, toHex } from "merostore/internal";
import { printable, shortDate } from "merostore/internal/commands";
import { ledgerNameBytes } from "../index.js";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Bytes as a text in UTF-8; undefined if they are not one. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  return orUndefined(() => decoder.decode(bytes));
}

/** Bytes for people: as text if they are UTF-8, else as hex. */
export function readable(bytes: Uint8Array, asHex = false): string {
  const text = asHex ? undefined : utf8Text(bytes);
  return text === undefined ? `0x${toHex(bytes)}` : printable(text);
}

/** The name of a ledger for people, and as it is given back: bytes that are not UTF-8 as hex. */
export function ledgerText(name: string): string {
  return readable(ledgerNameBytes(name));
}

/** The name of a ledger in JSON: as it is given back, nothing escaped. */
export function ledgerWord(name: string): string {
  return name.isWellFormed() ? name : `0x${toHex(ledgerNameBytes(name))}`;
}

/** Milliseconds that `Date` can hold. */
const LAST = 8_640_000_000_000_000n;

/** Nanoseconds since the Unix epoch as a date; null if no date can hold them. */
export function dateOf(nanoseconds: bigint): string | null {
  const milliseconds = nanoseconds / 1_000_000n;
  if (milliseconds > LAST || milliseconds < -LAST) return null;
  return new Date(Number(milliseconds)).toISOString();
}

/** A date for people, in local time unless `utc`. */
export function timeText(nanoseconds: bigint, utc = false): string {
  return dateOf(nanoseconds) === null
    ? `${nanoseconds} ns`
    : shortDate(Number(nanoseconds / 1_000_000n), utc);
}

/** `2e49a903…`, or the whole id. */
export function shortId(id: Uint8Array, whole: boolean): string {
  return whole ? toHex(id) : `${toHex(id).slice(0, 8)}…`;
}
