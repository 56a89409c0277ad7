import { keyAfter } from "../bytes/order.js";
import type { ByteRange, EngineReader, RawRow, ScanOptions } from "../engine/engine.js";
import { RowIterator } from "../engine/row-iterator.js";
import { MerostoreError } from "../errors.js";
import type { AnyKeyClass, KeyRange } from "../keys/index.js";

/**
 * Typed rows in key order, read in chunks. The next chunk is read ahead. Iterate the scan for single rows, or
 * `chunks()` for arrays of rows, which is faster. A scan can be iterated once. Leaving the loop ends the scan; so does
 * `await using`.
 */
export class Scan<T> implements AsyncIterable<T>, AsyncDisposable {
  readonly #chunks: AsyncGenerator<readonly T[], void, undefined>;
  #taken = false;

  readonly #check: () => void;

  /** @param check throws if rows that were read must no longer be returned */
  constructor(chunks: AsyncGenerator<readonly T[], void, undefined>, check: () => void) {
    this.#check = check;
    this.#chunks = chunks;
    // Generators are disposable from Node 24 on.
    chunks[Symbol.asyncDispose] ??= async () => void (await chunks.return());
  }

  /** Iterates the rows in non-empty arrays. */
  chunks(): AsyncGenerator<readonly T[], void, undefined> {
    if (this.#taken) {
      throw new MerostoreError(
        "INVALID_ARGUMENT",
        "a scan can be iterated once: call scan() again for another pass",
      );
    }
    this.#taken = true;
    return this.#chunks;
  }

  /** Iterates over the rows. @throws MerostoreError `INVALID_ARGUMENT` for a second iteration */
  [Symbol.asyncIterator](): AsyncIterableIterator<T, undefined> & AsyncDisposable {
    return new RowIterator(this.chunks(), this.#check);
  }

  /** Ends the scan; its iteration, if there is one, is then done. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#chunks.return();
  }
}

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
  let bounds: ByteRange = { from: range.from, to: range.to };
  // Rows of other kinds consume part of a limit; the rest is then read without a limit.
  for (const limit of [options.limit, undefined]) {
    let read = 0;
    let last: RawRow | undefined;
    for await (const chunk of reader.scan(range.column, bounds, { ...options, limit }).chunks()) {
      read += chunk.length;
      last = chunk.at(-1);
      const fits = ({ key }: RawRow): boolean => range.key.matches(key);
      const rows = (chunk.every(fits) ? chunk : chunk.filter(fits)).slice(0, left);
      left -= rows.length;
      if (rows.length > 0) yield rows;
      if (left === 0) return;
    }
    if (limit === undefined || last === undefined || read < limit) return;
    bounds = options.reverse ? { ...bounds, to: last.key } : { ...bounds, from: keyAfter(last.key) };
  }
}
