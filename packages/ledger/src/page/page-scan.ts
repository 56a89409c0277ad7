/** Entries or keys of a page, read one after another, in chunks or in parts. */
/** Entries or keys in the order of the keys. Can be iterated once: a second iteration fails with INVALID_ARGUMENT. */
export interface PageScan<T> extends AsyncIterable<T> {
  /** Iterates over many items at a time, which is faster than one at a time. */
  chunks(): AsyncIterableIterator<readonly T[]>;
  /** Reads all items into an array. */
  toArray(): Promise<T[]>;
}

/** A part of the entries or keys, and where the next part begins. */
export interface PagePart<T> {
  /** The entries or keys, ascending; empty only at the end. */
  readonly items: readonly T[];
  /** The first key of the next part; undefined at the end. */
  readonly next: Uint8Array | undefined;
}

/** The most entries and bytes of a part: the size of a message of the original service. */
export const PART_ENTRIES = 64;
export const PART_BYTES = Math.floor((65_536 * 9) / 10);

/** Returns as many items as fit, and the key of the next one. */
export async function partOf<T>(
  scan: PageScan<T>,
  limit: number,
  measure: (item: T) => readonly [key: Uint8Array, bytes: number],
): Promise<PagePart<T>> {
  const items: T[] = [];
  let bytes = 0;
  for await (const item of scan) {
    const [key, size] = measure(item);
    if (items.length >= limit || (items.length > 0 && bytes + size > PART_BYTES)) return { items, next: key };
    items.push(item);
    bytes += size;
  }
  return { items, next: undefined };
}
