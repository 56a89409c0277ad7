/** Lists in maps, and items in arrays. */

/** Adds an item to the list of a key. */
export function append<K, T>(lists: Map<K, T[]>, key: K, item: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** Some items: at most `count`, from a place on. */
export function some<T>(items: Iterable<T>, count: number, from = 0): T[] {
  const found: T[] = [];
  let at = 0;
  for (const item of items) {
    if (found.length >= count) break;
    if (at++ >= from) found.push(item);
  }
  return found;
}

/** Items in arrays of at most `size`. */
export function* slices<T>(items: Iterable<T>, size: number): Generator<readonly T[], void, undefined> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
