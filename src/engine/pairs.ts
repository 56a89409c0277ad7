/** Pairs of rows with the same key, in one pass over two readers. */

import { compareBytes } from "../bytes/order.js";

/** A row with a key. */
interface Keyed {
  readonly key: Uint8Array;
}

/** The rows of a key. One of them may be missing. */
export type Pair<R> = readonly [a: R | undefined, b: R | undefined];

/**
 * Yields the pairs of two sides in arrays, keys ascending.
 *
 * @param a the rows of a side in chunks, keys ascending; undefined for none
 * @param onRead called with the number of rows read from both sides since the last call
 */
export async function* pairsOf<R extends Keyed>(
  a: AsyncIterable<readonly R[]> | undefined,
  b: AsyncIterable<readonly R[]> | undefined,
  onRead?: (rows: number) => void,
): AsyncGenerator<readonly Pair<R>[], void, undefined> {
  const [sideA, sideB] = [new Side(a), new Side(b)];
  try {
    for (;;) {
      const read = (await sideA.load()) + (await sideB.load());
      onRead?.(read);
      const found = paired(sideA, sideB);
      if (found.length === 0) return;
      yield found;
    }
  } finally {
    await sideA.close();
    await sideB.close();
  }
}

/** The pairs among the rows that were read, up to the point where one side must read more. */
function paired<R extends Keyed>(a: Side<R>, b: Side<R>): Pair<R>[] {
  const found: Pair<R>[] = [];
  while (!a.waits && !b.waits) {
    const [rowA, rowB] = [a.row, b.row];
    if (rowA === undefined && rowB === undefined) break;
    const order = rowA === undefined ? 1 : rowB === undefined ? -1 : compareBytes(rowA.key, rowB.key);
    found.push([order <= 0 ? rowA : undefined, order >= 0 ? rowB : undefined]);
    if (order <= 0) a.advance();
    if (order >= 0) b.advance();
  }
  return found;
}

/** The rows of one side. */
class Side<R> {
  readonly #chunks: AsyncIterator<readonly R[]> | undefined;
  #rows: readonly R[] = [];
  #at = 0;
  #ended = false;

  constructor(chunks: AsyncIterable<readonly R[]> | undefined) {
    this.#chunks = chunks?.[Symbol.asyncIterator]();
  }

  /** The next row; undefined at the end. */
  get row(): R | undefined {
    return this.#rows[this.#at];
  }

  /** True if more rows must be read to know the next one. */
  get waits(): boolean {
    return this.#at === this.#rows.length && !this.#ended;
  }

  advance(): void {
    this.#at++;
  }

  /** Reads more rows if necessary. Returns the number of rows read. */
  async load(): Promise<number> {
    if (!this.waits) return 0;
    const next = await this.#chunks?.next();
    this.#ended = next?.done !== false;
    this.#rows = next?.done === false ? next.value : [];
    this.#at = 0;
    return this.#rows.length;
  }

  async close(): Promise<void> {
    await this.#chunks?.return?.();
  }
}
