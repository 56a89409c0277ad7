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
