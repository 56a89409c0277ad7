/** Finds the differences between two states of a database, as the operations that turn one into the other. */

import { copyBytes } from "../bytes/bytes.js";
import { equalBytes } from "../bytes/order.js";
import { copyValue } from "../bytes/undecrypted.js";
import type { EngineReader, RawRow, WriteOperation } from "../engine/engine.js";
import { type Pair, pairsOf } from "../engine/pairs.js";

/** A difference: an operation, and whether its row existed before. */
interface StateDifference {
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
    const rowsOf = (reader: EngineReader) =>
      reader.columns.includes(column) ? reader.scan(column).chunks() : undefined;
    for await (const pairs of pairsOf(rowsOf(before), rowsOf(after))) {
      const found = pairs.flatMap((pair) => differenceOf(column, pair));
      if (found.length > 0) yield found;
    }
  }
}

/** The difference between the rows of a key; none if they are equal. */
function differenceOf(column: string, [old, row]: Pair<RawRow>): StateDifference[] {
  if (row === undefined) {
    const { key } = old as RawRow;
    return [{ operation: { type: "delete", column, key: copyBytes(key) }, existed: true }];
  }
  if (old !== undefined && equalBytes(old.value, row.value)) return [];
  const operation = { type: "put", column, key: copyBytes(row.key), value: copyValue(row.value) } as const;
  return [{ operation, existed: old !== undefined, before: old && copyValue(old.value) }];
}
