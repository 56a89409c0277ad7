import { successor } from "../bytes/order.js";
import type { ByteRange, EngineReader, RawRow, ScanOptions } from "../engine/engine.js";
import type { AnyKeyClass, KeyRange } from "../keys/index.js";

/**
 * Typed rows in key order, read in chunks: while one chunk is used the next is being read. Iterate the scan itself for
 * row after row, or `chunks()` for arrays of rows, which is faster. One iteration per scan. Leaving the loop ends the
 * scan; so does `await using`.
 */
export class Scan<T> implements AsyncIterable<T>, AsyncDisposable {
  readonly #chunks: AsyncGenerator<readonly T[], void, undefined>;

  constructor(chunks: AsyncGenerator<readonly T[], void, undefined>) {
    this.#chunks = chunks;
  }

  /** The rows in arrays, none of them empty. */
  chunks(): AsyncGenerator<readonly T[], void, undefined> {
    return this.#chunks;
  }

  [Symbol.asyncIterator](): AsyncIterator<T, void, undefined> & AsyncDisposable {
    return new RowIterator(this.#chunks);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#chunks.return();
  }
}

/** Rows one by one out of chunks. Not a generator: that costs three times as much for each row. */
class RowIterator<T> implements AsyncIterator<T, void, undefined>, AsyncDisposable {
  readonly #chunks: AsyncGenerator<readonly T[], void, undefined>;
  #rows: readonly T[] = [];
  #at = 0;

  constructor(chunks: AsyncGenerator<readonly T[], void, undefined>) {
    this.#chunks = chunks;
  }

  next(): Promise<IteratorResult<T, void>> {
    if (this.#at < this.#rows.length) {
      return Promise.resolve({ done: false, value: this.#rows[this.#at++] as T });
    }
    return this.#refill();
  }

  async return(): Promise<IteratorResult<T, void>> {
    this.#rows = [];
    await this.#chunks.return();
    return { done: true, value: undefined };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  async #refill(): Promise<IteratorResult<T, void>> {
    const { done, value } = await this.#chunks.next();
    if (done || value === undefined) return { done: true, value: undefined };
    this.#rows = value;
    this.#at = 1;
    return { done: false, value: value[0] as T };
  }
}

/**
 * The rows of a range that belong to its key class, in chunks. Rows of other kinds that lie between them (a column
 * family may hold keys of several sizes, or unknown ones) do not count.
 */
export async function* rowsOfKind(
  reader: EngineReader,
  range: KeyRange<AnyKeyClass>,
  options: ScanOptions,
): AsyncGenerator<readonly RawRow[], void, undefined> {
  if (!reader.columns.includes(range.column)) return;
  let bounds: ByteRange = range;
  let limit = options.limit;
  for (;;) {
    let read = 0;
    let given = 0;
    let last: RawRow | undefined;
    for await (const chunk of reader.scan(range.column, bounds, { ...options, limit }).chunks()) {
      read += chunk.length;
      last = chunk.at(-1);
      const rows = chunk.every(({ key }) => range.key.matches(key))
        ? chunk
        : chunk.filter(({ key }) => range.key.matches(key));
      given += rows.length;
      if (rows.length > 0) yield rows;
    }
    // With a limit the rows of other kinds used up part of it: go on behind the last one.
    if (limit === undefined || last === undefined || read < limit || given === limit) return;
    limit -= given;
    bounds = options.reverse ? { ...bounds, to: last.key } : { ...bounds, from: after(last.key) };
  }
}

/** The key right after another one. */
export function after(key: Uint8Array): Uint8Array {
  const next = new Uint8Array(key.length + 1);
  next.set(key);
  return next;
}

/** A range that holds exactly the rows that begin with `prefix`. */
export function prefixRange(prefix: Uint8Array): ByteRange {
  return { from: prefix, to: successor(prefix) };
}
