/** Keeps the rows of a small column family in memory: a question about members scans the same few rows many times. */

import { compareBytes } from "../../../bytes/order.js";
import { firstNotBefore } from "../../../bytes/search.js";
import { CHUNK_ROWS, type ChunkSource, NO_VALUE } from "../../../engine/chunk-source.js";
import type { RawRow } from "../../../engine/engine.js";
import type { ScanBounds } from "./block-iterator.js";

/** Reads all rows of a scan; undefined if they have more bytes than `most`, or cannot all be read. */
export async function readAll(
  scan: () => Promise<ChunkSource>,
  most: number,
): Promise<readonly RawRow[] | undefined> {
  const all: RawRow[] = [];
  let bytes = 0;
  let source: ChunkSource | undefined;
  try {
    source = await scan();
    for (;;) {
      const rows = await source.next(CHUNK_ROWS);
      if (rows === undefined) return all;
      for (const row of rows) {
        bytes += row.key.length + row.value.length;
        all.push(row);
      }
      if (bytes > most) return undefined;
    }
  } catch {
    return undefined; // the next scan meets the same failure and reports it
  } finally {
    await source?.close?.();
  }
}

/** A scan of rows in memory, in key order. It returns copies, because callers may change the rows. */
export function scanOf(
  rows: readonly RawRow[],
  { gte: from, lt: to, reverse }: ScanBounds,
  keysOnly: boolean,
): ChunkSource {
  const before = (key: Uint8Array): number =>
    firstNotBefore(rows.length, (at) => compareBytes((rows[at] as RawRow).key, key) < 0);
  let start = from === undefined ? 0 : before(from);
  let end = to === undefined ? rows.length : before(to);
  return {
    next: (most) => {
      if (start >= end) return undefined;
      const chunk = reverse
        ? rows.slice(Math.max(start, end - most), end).reverse()
        : rows.slice(start, Math.min(start + most, end));
      if (reverse) end -= chunk.length;
      else start += chunk.length;
      return copiesOf(chunk, keysOnly);
    },
  };
}

/** Copies rows into one buffer. One buffer for each key and value takes nine times as long. */
function copiesOf(rows: readonly RawRow[], keysOnly: boolean): RawRow[] {
  const sizeOf = ({ key, value }: RawRow): number => key.length + (keysOnly ? 0 : value.length);
  const all = new Uint8Array(rows.reduce((size, row) => size + sizeOf(row), 0));
  let end = 0;
  const copy = (bytes: Uint8Array): Uint8Array => {
    all.set(bytes, end);
    end += bytes.length;
    return new Uint8Array(all.buffer, end - bytes.length, bytes.length);
  };
  return rows.map(({ key, value }) => ({ key: copy(key), value: keysOnly ? NO_VALUE : copy(value) }));
}
