/** The differences between two states of a database, as the operations that make one of the other. */

import { compareBytes, equalBytes } from "../bytes/order.js";
import { copyValue } from "../bytes/undecrypted.js";
import type { EngineReader, RawRow, WriteOperation } from "../engine/engine.js";

/** A difference: an operation, and whether its row was there before. */
export interface StateDifference {
  readonly operation: WriteOperation;
  readonly existed: boolean;
  /** The value before; undefined without such a row. */
  readonly before?: Uint8Array | undefined;
}

/** The operations that lead from a state to another, family by family, in key order, in arrays. Reads both once. */
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

/** Differences in an array at most. */
const MOST = 512;

/** The rows of a column family, one after another; none of a family that is not there. */
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
