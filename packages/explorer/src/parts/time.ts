/** Times as people read them: always UTC. */

/** The latest time that dates have. */
const LATEST = 8.64e15;

function iso(millis: number): string | undefined {
  return Math.abs(millis) <= LATEST ? new Date(millis).toISOString() : undefined;
}

/** The date: `2026-11-21`. */
export function utcDate(millis: number): string {
  return iso(millis)?.replace(/T.*/, "") ?? "no date";
}

/** The time of day: `05:51:29.618`. */
export function utcTime(millis: number): string {
  return iso(millis)?.replace(/.*T|Z$/g, "") ?? "";
}

/** Date and time: `2026-11-21 05:51:29.618`. */
export function utc(millis: number): string {
  return `${utcDate(millis)} ${utcTime(millis)}`.trim();
}

/** The time of day to the second: `05:51:29`. */
export function utcClock(millis: number): string {
  return utcTime(millis).replace(/\.\d+$/, "");
}

/** Date and time to the second: `2026-11-21 05:51:29`. */
export function utcToSecond(millis: number): string {
  return `${utcDate(millis)} ${utcClock(millis)}`.trim();
}

/** A time in words, or its bounds. */
export function timeWords(after: number | undefined, before: number | undefined): string {
  if (after !== undefined && before !== undefined)
    return after === before ? `${utc(after)} UTC` : `between ${utc(after)} and ${utc(before)} UTC`;
  if (before !== undefined) return `before ${utc(before)} UTC`;
  return after === undefined ? "time unknown" : `after ${utc(after)} UTC`;
}

const UNITS: readonly (readonly [unit: string, millis: number])[] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
];

/** A span of time in its largest fitting unit: `39 seconds`, `1.5 days`. */
export function spanOf(millis: number): string {
  const [unit, of] = UNITS.find(([, least]) => millis >= least) ?? ["millisecond", 1];
  const exact = millis / of;
  const number = exact < 2 ? Math.round(exact * 10) / 10 : Math.round(exact);
  return `${number.toLocaleString("en-US")} ${unit}${number === 1 ? "" : "s"}`;
}
