/** Names that are near a mistyped one. */

/** Longer names are not compared: nobody types such names. */
const LONGEST = 100;

/**
 * At most `most` of the known names, the nearest first: names that contain the wanted one or are contained in it, and
 * names with less than half of their letters to change. Case is ignored.
 */
export function nearest(wanted: string, known: readonly string[], most = 3): string[] {
  const name = wanted.toLowerCase();
  if (name === "" || name.length > LONGEST) return [];
  return known
    .map((one) => ({ one, far: distance(name, one.toLowerCase()) }))
    .filter(({ far }) => far < 0.5)
    .toSorted((a, b) => a.far - b.far)
    .slice(0, most)
    .map(({ one }) => one);
}

/** `; did you mean A, B or C?`, or the other text if no name is near. */
export function didYouMean(wanted: string, known: readonly string[], otherwise = ""): string {
  const names = nearest(wanted, known);
  const last = names.pop();
  if (last === undefined) return otherwise;
  return `; did you mean ${names.length === 0 ? last : `${names.join(", ")} or ${last}`}?`;
}

/** From 0 for equal names to 1: the share of letters that must change, less for a name within the other. */
function distance(a: string, b: string): number {
  const longer = Math.max(a.length, b.length);
  const shorter = Math.min(a.length, b.length);
  if (longer > LONGEST) return 1;
  // A short name within a long one is not near.
  if (b.includes(a)) return 0.4 * (1 - shorter / longer);
  if (a.includes(b) && 2 * shorter > longer) return 0.4 * (1 - shorter / longer);
  return changes(a, b) / longer;
}

/** The number of letters that must be added, removed or replaced to turn one name into the other. */
function changes(a: string, b: string): number {
  let before = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (before[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, (before[j] as number) + 1, (row[j - 1] as number) + 1));
    }
    before = row;
  }
  return before[b.length] as number;
}
