/** The readable form of values whose meaning is declared: dates, sizes and texts. */
import { isBytes } from "../bytes/bytes.js";
import { size } from "../bytes/quantity.js";
import { visible } from "../bytes/visible.js";
import type { Json, JsonOptions, Meaning } from "../codec/index.js";

/** Turns a value with a meaning into its form for people. */
export type Readable = NonNullable<JsonOptions["readable"]>;

/**
 * The readable forms for the option `readable` of the JSON form of rows: dates in local time or in UTC, sizes, texts.
 * For people only: such JSON cannot be read back.
 *
 * @example
 * import { openStore, readableForm, rowToJson } from "merostore";
 *
 * await using store = await openStore("node/data");
 * for await (const row of store.raw.scan("Delta"))
 *   console.log(rowToJson(store.schema, "Delta", row, { readable: readableForm(true) }).decoded);
 */
export function readableForm(utc: boolean): Readable {
  return (value, meaning, form) => {
    if (meaning === "text") return isBytes(value) ? textForm(value, form) : form;
    if (typeof value !== "bigint" && typeof value !== "number") return form;
    if (meaning === "bytes") return size(Number(value));
    return dateForm(millisecondsOf(BigInt(value), meaning), meaning, utc) ?? form;
  };
}

function millisecondsOf(value: bigint, meaning: Exclude<Meaning, "bytes" | "text">): bigint {
  switch (meaning) {
    case "seconds":
      return value * 1_000n;
    case "milliseconds":
      return value;
    case "nanoseconds":
      return value / 1_000_000n;
    case "ntp64":
      return (value * 1_000n) >> 32n;
  }
}

/** The year 10000. */
const LAST = 253_402_300_800_000n;

/** A date; undefined for 0, which means no date, and for numbers outside the years 1970 to 9999. */
function dateForm(milliseconds: bigint, meaning: Meaning, utc: boolean): string | undefined {
  if (milliseconds <= 0n || milliseconds >= LAST) return undefined;
  return dateText(new Date(Number(milliseconds)), utc, meaning !== "seconds");
}

/** `2026-11-21 14:03:07.123 UTC`, or local time with its distance from UTC: `2026-11-21 15:03:07 +01:00`. */
export function dateText(date: Date, utc: boolean, withMilliseconds: boolean): string {
  const away = utc ? 0 : -date.getTimezoneOffset();
  const [day = "", time = ""] = new Date(date.getTime() + away * 60_000).toISOString().split("T");
  const minutes = Math.abs(away);
  const two = (number: number): string => `${number}`.padStart(2, "0");
  const zone = utc ? "UTC" : `${away < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  return `${day} ${time.slice(0, withMilliseconds ? 12 : 8)} ${zone}`;
}

/** Texts of at most so many bytes have their hex beside them. */
const HEX_BESIDE = 32;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Bytes that are text: the text in quotes, with the hex of short ones beside it. Other bytes stay hex. */
function textForm(bytes: Uint8Array, hex: Json): Json {
  if (bytes.length === 0) return hex;
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return hex;
  }
  // Numbers and ids are often valid UTF-8 by chance, but hold control characters then.
  if (visible(text) !== text.replaceAll(/[\n\t]/g, "")) return hex;
  const shown = isJson(text) ? text : JSON.stringify(text);
  return bytes.length <= HEX_BESIDE ? `${shown} (${hex})` : shown;
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
