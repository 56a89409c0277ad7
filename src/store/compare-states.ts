/** Finds the differences between two states of a database, as the operations that turn one into the other. */

import { compareBytes, equalBytes } from "../bytes/order.js";
import { copyValue } from "../bytes/undecrypted.js";
import type { EngineReader, RawRow, WriteOperation } from "../engine/engine.js";

/** A difference: an operation, and whether its row existed before. */
export interface StateDifference {
  readonly operation: WriteOperation;
  readonly existed: boolean;
  /** The previous value; undefined if there was no row. */
  readonly before?: Uint8Array | undefined;
}

/**
 * Yields the operations that turn one state into the other, family by family, in key order, in arrays. It reads both
 * states once.
 */
export async function* differencesOf(
  before: EngineReader,
  after: EngineReader,
): AsyncGenerator<readonly StateDifference[], void, undefined> {
  for (const column of new Set([...before.columns, ...after.columns])) {
    const [a, b] = [new Rows(before, column), new Rows(after, column)];
    let found: StateDifference[] = [];
    try {
      for (;;) {
        const [one, other] = [await a.first(), await b.first()];
        if (one === undefined && other === undefined) break;
        const order = one === undefined ? 1 : other === undefined ? -1 : compareBytes(one.key, other.key);
        if (order < 0) {
          const { key } = one as RawRow;
          found.push({ operation: { type: "delete", column, key: Uint8Array.from(key) }, existed: true });
          a.take();
          continue;
        }
        const { key, value } = other as RawRow;
        b.take();
        if (order === 0) a.take();
        if (order === 0 && equalBytes((one as RawRow).value, value)) continue;
        const operation = {
          type: "put",
          column,
          key: Uint8Array.from(key),
          value: copyValue(value),
        } as const;
        const before = order === 0 ? copyValue((one as RawRow).value) : undefined;
        found.push({ operation, existed: order === 0, before });
        if (found.length < MOST) continue;
        yield found;
        found = [];
      }
    } finally {
      await a.close();
      await b.close();
    }
    if (found.length > 0) yield found;
  }
}

/** The most differences in an array. */
const MOST = 512;

/** Reads the rows of a column family one by one; none if the family does not exist. */
class Rows {
  readonly #chunks: AsyncIterator<readonly RawRow[]> | undefined;
  #rows: readonly RawRow[] = [];
  #at = 0;

  constructor(reader: EngineReader, column: string) {
    if (reader.columns.includes(column)) this.#chunks = reader.scan(column).chunks()[Symbol.asyncIterator]();
  }

  async first(): Promise<RawRow | undefined> {
    while (this.#at === this.#rows.length) {
      const next = await this.#chunks?.next();
      if (next === undefined || next.done === true) return undefined;
      this.#rows = next.value;
      this.#at = 0;
    }
    return this.#rows[this.#at];
  }

  take(): void {
    this.#at++;
  }

  async close(): Promise<void> {
    await this.#chunks?.return?.();
  }
}
