// The entries that a page shows, as texts.

/** @param opening the promise of a snapshot, which is closed */
export async function shownBy(opening) {
  const snapshot = await opening;
  const shown = new Map();
  for await (const { key, value } of snapshot.entries())
    shown.set(Buffer.from(key).toString(), value && Buffer.from(value).toString());
  await snapshot.close();
  return shown;
}

export function equal(a, b) {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}
