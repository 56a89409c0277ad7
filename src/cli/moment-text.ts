/** Times as they are typed for a moment. */

/** The moment of a date or time; of one in whole seconds the end of that second. Undefined for another text. */
export function timeOf(typed: string): Date | undefined {
  if (!/^\d{4}-\d\d/.test(typed)) return undefined;
  const time = new Date(typed);
  // Times are shown in whole seconds, so a whole second means all of it.
  if (/\d:\d\d(?::\d\d)?(?![:.\d])/.test(typed)) time.setTime(time.getTime() + 999);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
