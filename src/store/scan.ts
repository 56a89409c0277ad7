import { copyBytes } from "../bytes/bytes.js";
import { keyAfter } from "../bytes/order.js";
import type { ByteRange, EngineReader, RawRow, ScanOptions } from "../engine/engine.js";
import type { AnyKeyClass, KeyRange } from "../keys/index.js";

/**
 * Yields the rows of a range that belong to its key class, in chunks. Rows of other kinds between them do not count
 * towards the limit.
 */
export async function* rowsOfKind(
  reader: EngineReader,
  range: KeyRange<AnyKeyClass>,
  options: ScanOptions,
): AsyncGenerator<readonly RawRow[], void, undefined> {
  if (!reader.columns.includes(range.column)) return;
  let left = options.limit ?? Number.POSITIVE_INFINITY;
  let bounds: ByteRange = { gte: range.gte, lt: range.lt };
  // The limit also counts rows of other kinds, so missing rows are then read without a limit.
  for (const limit of [options.limit, undefined]) {
    let read = 0;
    let last: Uint8Array | undefined;
    for await (const chunk of reader.scan(range.column, bounds, { ...options, limit }).chunks()) {
      read += chunk.length;
      // The rows belong to the caller, who may change them.
      last = copyBytes((chunk.at(-1) as RawRow).key);
      const fits = ({ key }: RawRow): boolean => range.key.matches(key);
      const rows = (chunk.every(fits) ? chunk : chunk.filter(fits)).slice(0, left);
      left -= rows.length;
      if (rows.length > 0) yield rows;
      if (left === 0) return;
    }
    if (limit === undefined || last === undefined || read < limit) return;
    bounds = options.reverse ? { ...bounds, lt: last } : { ...bounds, gte: keyAfter(last) };
  }
}

/** Reads the rows of ranges that ascend and do not overlap, in chunks; of the whole column family by default. */
export async function* rowsInRanges(
  reader: EngineReader,
  column: string,
  ranges: readonly ByteRange[] = [{}],
  options: Pick<ScanOptions, "reverse" | "keysOnly" | "limit"> = {},
): AsyncGenerator<readonly RawRow[], void, undefined> {
  for (const range of options.reverse ? ranges.toReversed() : ranges)
    yield* reader.scan(column, range, options).chunks();
}
