/** Reads times as they are typed or printed. */
import { asPrinted } from "../../bytes/id.js";

/** The time of a text: a whole day, minute or second, as its first and last millisecond since 1970. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

/** The forms of a time, in a message. */
export const TIME_FORMS = "2026-11-21, 2026-11-21T05:51Z, 2d, 12h, today or yesterday";

const FORM = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(\.\d{1,9})?)?(?: ?(Z|UTC|[+-]\d\d:?\d\d))?$/i;

/**
 * The day, minute, second or millisecond of a text: `2026-11-21`, `2026-11-21T05:51Z`, `2026-11-21 06:51:14 +01:00`.
 * Without a zone it is in local time unless `utc`. Undefined for another text.
 */
export function spanOf(typed: string, utc = false): Span | undefined {
  const [, day, minute, second = "", fraction = "", typedZone] = FORM.exec(asPrinted(typed)) ?? [];
  if (day === undefined) return undefined;
  const zone = typedZone === undefined ? (utc ? "Z" : "") : typedZone.replace(/^utc$/i, "Z");
  const time = new Date(`${day}T${minute ?? "00:00"}${second || ":00"}${fraction}${zone}`);
  const first = time.getTime();
  // Refuses 30 February, which Date would read as a day in March.
  if (Number.isNaN(first) || new Date(`${day}T00:00Z`).toISOString().slice(0, 10) !== day) return undefined;
  if (fraction !== "") return { first, last: first };
  if (minute !== undefined) return { first, last: first + (second === "" ? 59_999 : 999) };
  // A local day may have 23 or 25 hours.
  if (zone === "") time.setDate(time.getDate() + 1);
  return { first, last: (zone === "" ? time.getTime() : first + 86_400_000) - 1 };
}

const HOUR = 3_600_000;
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: HOUR, d: 24 * HOUR, w: 168 * HOUR };

/**
 * The time of a text as `spanOf` reads it, or before now: `2d`, `12h`, `today`, `yesterday`. Undefined for another
 * text.
 */
export function typedSpan(typed: string, utc: boolean, now: number): Span | undefined {
  const [, number, unit = ""] = /^(\d{1,6})([mhdw])$/.exec(typed) ?? [];
  if (number !== undefined) {
    const time = now - Number(number) * (UNITS[unit] as number);
    return { first: time, last: time };
  }
  if (typed !== "today" && typed !== "yesterday") return spanOf(typed, utc);
  const day = new Date(now);
  if (!utc) day.setMinutes(day.getMinutes() - day.getTimezoneOffset());
  if (typed === "yesterday") day.setUTCDate(day.getUTCDate() - 1);
  return spanOf(day.toISOString().slice(0, 10), utc);
}

/**
 * The moment of a date or time as `typedSpan` reads it: its end, because times are shown in whole seconds. Undefined
 * for another text.
 */
export function timeOf(typed: string, utc: boolean, now = Date.now()): Date | undefined {
  // Four or more hex digits are the beginning of an id.
  const span = /^[0-9a-f]{4,}$/i.test(typed) ? undefined : typedSpan(typed, utc, now);
  return span && new Date(span.last);
}
