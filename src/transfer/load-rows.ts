/** Writes many rows into a database, in batches or with the engine's `load`. */

import type { Engine, RawRow, WriteOperation } from "../engines/index.js";

/** A row with its column family. */
export interface FamilyRow extends RawRow {
  readonly column: string;
}

/** The limits of a batch. */
const BATCH_ROWS = 1000;
const BATCH_BYTES = 4 * 1024 * 1024;

/** Writes rows, which replace rows with the same keys. The arrays belong to the engine from now on. */
export async function writeBatches(engine: Engine, rows: AsyncIterable<readonly FamilyRow[]>): Promise<void> {
  let batch: WriteOperation[] = [];
  let bytes = 0;
  const write = async (): Promise<void> => {
    if (batch.length > 0) await engine.write(batch, { owned: true });
    batch = [];
    bytes = 0;
  };
  for await (const piece of rows) {
    for (const { column, key, value } of piece) {
      batch.push({ type: "put", column, key, value });
      bytes += key.length + value.length;
      if (batch.length >= BATCH_ROWS || bytes >= BATCH_BYTES) await write();
    }
  }
  await write();
}

/** Writes rows into an empty database in the engine's fastest way. Each key comes once. */
export async function loadRows(engine: Engine, rows: AsyncIterable<readonly FamilyRow[]>): Promise<void> {
  if (engine.load === undefined) return writeBatches(engine, rows);
  const pieces = rows[Symbol.asyncIterator]();
  let piece: readonly FamilyRow[] = [];
  let at = 0;
  /** Returns whether there is a next row. Reads the next piece if necessary. */
  const hasRow = async (): Promise<boolean> => {
    while (at === piece.length) {
      const next = await pieces.next();
      if (next.done === true) return false;
      piece = next.value;
      at = 0;
    }
    return true;
  };
  /** Yields the rows up to the next row of another family. */
  const ofFamily = async function* (column: string): AsyncGenerator<readonly RawRow[]> {
    while ((await hasRow()) && piece[at]?.column === column) {
      const from = at;
      while (piece[at]?.column === column) at++;
      yield piece.slice(from, at);
    }
  };
  try {
    while (await hasRow()) {
      const { column } = piece[at] as FamilyRow;
      await engine.load(column, ofFamily(column));
    }
  } finally {
    await pieces.return?.();
  }
}
