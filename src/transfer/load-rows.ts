/** Many rows into a database: in batches, or by the engine's own way of loading. */

import type { Engine, RawRow, WriteOperation } from "../engines/index.js";

/** A row, and the column family that it belongs to. */
export interface FamilyRow extends RawRow {
  readonly column: string;
}

/** Limits of one batch. */
const BATCH_ROWS = 1000;
const BATCH_BYTES = 4 * 1024 * 1024;

/** Writes rows over those with the same keys. They belong to the engine from now on. */
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

/** Writes rows into an empty database, each key once: in the engine's fastest way. */
export async function loadRows(engine: Engine, rows: AsyncIterable<readonly FamilyRow[]>): Promise<void> {
  if (engine.load === undefined) return writeBatches(engine, rows);
  const pieces = rows[Symbol.asyncIterator]();
  let piece: readonly FamilyRow[] = [];
  let at = 0;
  /** Returns whether a row is loaded. Reads the next piece if necessary. */
  const hasRow = async (): Promise<boolean> => {
    while (at === piece.length) {
      const next = await pieces.next();
      if (next.done === true) return false;
      piece = next.value;
      at = 0;
    }
    return true;
  };
  /** The rows up to the next one of another family. */
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
