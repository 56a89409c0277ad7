/** Rows of several ranges of a column family. */
import type { ByteRange, EngineReader, RawRow, ScanOptions } from "./engine.js";

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
