/** Reads the rows of a base outside deleted ranges. */
import { copyBytes } from "../bytes/bytes.js";
import { compareBytes, FIRST_KEY, keyAfter } from "../bytes/order.js";
import { contains, isEmptyRange } from "../engine/arguments.js";
import type { ByteRange, EngineReader, RawRow } from "../engine/engine.js";

/** The part of a base to read. */
interface VisiblePlan {
  readonly column: string;
  readonly range: ByteRange;
  readonly reverse: boolean;
  readonly keysOnly: boolean;
  /** Deleted ranges. */
  readonly hidden: readonly ByteRange[];
  /** The number of rows that suffices; `Infinity` for all. */
  readonly enough: number;
}

/** If hidden rows exhausted the limit of a scan, the limit of the next scan is larger by this factor. */
const GROWTH = 4;

/**
 * Reads a base in order, in chunks. If few rows suffice, it scans for these only, and scans again if some of them were
 * hidden. If the base is an engine, the second scan sees a later state.
 */
export async function* visibleRows(
  base: EngineReader,
  { column, range, reverse, keysOnly, hidden, enough }: VisiblePlan,
): AsyncGenerator<readonly RawRow[], undefined, undefined> {
  const isVisible = ({ key }: RawRow): boolean => !hidden.some((deleted) => contains(deleted, key));
  /** The range that has not been read. */
  let rest = range;
  let found = 0;
  for (let most = enough; ; most *= GROWTH) {
    rest = withoutHiddenStart(rest, hidden, reverse);
    if (isEmptyRange(rest)) return undefined;
    let read = 0;
    const limit = Number.isFinite(most) ? most : undefined;
    for await (const chunk of base.scan(column, rest, { reverse, keysOnly, limit }).chunks()) {
      read += chunk.length;
      // The rows belong to the caller, who may change them.
      const last = copyBytes((chunk.at(-1) as RawRow).key);
      rest = reverse ? { ...rest, lt: last } : { ...rest, gte: keyAfter(last) };
      const rows = hidden.length === 0 ? chunk : chunk.filter(isVisible);
      found += rows.length;
      if (rows.length > 0) yield rows;
    }
    if (read < most || found >= enough) return undefined;
  }
}

/** Returns a range without its completely hidden start, in the direction of the scan. */
function withoutHiddenStart(range: ByteRange, hidden: readonly ByteRange[], reverse: boolean): ByteRange {
  let rest = range;
  for (let at = 0; at < hidden.length && !isEmptyRange(rest); at++) {
    const shorter = reverse ? cutEnd(rest, hidden[at] as ByteRange) : cutStart(rest, hidden[at] as ByteRange);
    if (shorter === undefined) continue;
    rest = shorter;
    at = -1; // an earlier range may begin at the new start
  }
  return rest;
}

const NO_KEY: ByteRange = { lt: FIRST_KEY };

/** Returns the range from the end of `hidden` on, if `hidden` contains its start. */
function cutStart(range: ByteRange, hidden: ByteRange): ByteRange | undefined {
  if (!contains(hidden, range.gte ?? FIRST_KEY)) return undefined;
  return hidden.lt === undefined ? NO_KEY : { gte: hidden.lt, lt: range.lt };
}

/** Returns the range up to the start of `hidden`, if `hidden` contains its end. */
function cutEnd({ gte: from, lt: to }: ByteRange, hidden: ByteRange): ByteRange | undefined {
  const coversEnd = hidden.lt === undefined || (to !== undefined && compareBytes(hidden.lt, to) >= 0);
  const start = hidden.gte ?? FIRST_KEY;
  if (!coversEnd || (to !== undefined && compareBytes(start, to) >= 0)) return undefined;
  return { gte: from, lt: start };
}
