/** Times as people read them, always in UTC: two people look at the same database. */

/** `2026-11-21` */
export function dateText(millis: number): string {
  return iso(millis).slice(0, -14);
}

/** `05:51:50` */
export function timeText(millis: number): string {
  return iso(millis).slice(-13, -5);
}

/** `2026-11-21 05:51:50` */
export function dateTimeText(millis: number): string {
  return `${dateText(millis)} ${timeText(millis)}`;
}

/** Years beyond 9999 have a sign and six digits. */
function iso(millis: number): string {
  return Math.abs(millis) <= 8.64e15 ? new Date(millis).toISOString() : "unknown  00:00:00.000Z";
}

/** `05:51:29.618` */
export function exactTimeText(millis: number): string {
  return iso(millis).slice(-13, -1);
}

/** `2026-11-21 05:51:29.618` */
export function exactText(millis: number): string {
  return `${dateText(millis)} ${exactTimeText(millis)}`;
}

const UNITS: readonly (readonly [unit: string, millis: number])[] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
];

/** A span of time in its largest fitting unit: `39 seconds`, `1.5 days`. */
export function spanText(millis: number): string {
  const [unit, of] = UNITS.find(([, least]) => millis >= least) ?? ["millisecond", 1];
  const exact = millis / of;
  const number = exact < 2 ? Math.round(exact * 10) / 10 : Math.round(exact);
  return `${number.toLocaleString("en-US")} ${unit}${number === 1 ? "" : "s"}`;
}
