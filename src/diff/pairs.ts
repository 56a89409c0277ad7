/** Pairs of rows with the same key, in one pass over both sides. */

import { compareBytes } from "../bytes/order.js";
import type { ByteRange } from "../engine/engine.js";
import type { RowSource, SourceRow } from "./row-source.js";

/** The rows of a key. One of them may be missing. */
export type Pair = readonly [a: SourceRow | undefined, b: SourceRow | undefined];

/**
 * Yields the pairs of a column family in arrays, keys ascending.
 *
 * @param ranges the rows that are needed; a source may return others too
 * @param onRead called with the number of rows read from both sides since the last call
 */
export async function* pairs(
  a: RowSource,
  b: RowSource,
  column: string,
  ranges: readonly ByteRange[],
  onRead: (rows: number) => void,
): AsyncGenerator<readonly Pair[], void, undefined> {
  const [sideA, sideB] = [new Side(a, column, ranges), new Side(b, column, ranges)];
  try {
    for (;;) {
      onRead((await sideA.load()) + (await sideB.load()));
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
function paired(a: Side, b: Side): Pair[] {
  const found: Pair[] = [];
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

/** The rows of a column family of one side. */
class Side {
  readonly #chunks: AsyncIterator<readonly SourceRow[]> | undefined;
  #rows: readonly SourceRow[] = [];
  #at = 0;
  #ended: boolean;

  constructor(source: RowSource, column: string, ranges: readonly ByteRange[]) {
    const has = source.columns.includes(column);
    this.#chunks = has ? source.rows(column, ranges)[Symbol.asyncIterator]() : undefined;
    this.#ended = !has;
  }

  /** The next row; undefined at the end. */
  get row(): SourceRow | undefined {
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
