/** The sides of a comparison: an open database, or an export. */

import type { ByteRange } from "../engine/engine.js";
import { type Pair, pairsOf } from "../engine/pairs.js";
import { invalidArgument } from "../errors.js";
import { checkArgument, isReader } from "../options.js";
import {
  findPrivateEntities,
  type PrivateEntities,
  type RowSelection,
  type Schema,
} from "../schemas/index.js";
import { rowsInRanges, type StoreReader } from "../store/browser.js";

/** A row of one side. An export without secrets omits values. */
export interface SourceRow {
  /** The key as it is stored. */
  readonly key: Uint8Array;
  /** The value as it is stored; undefined if the export left it out. */
  readonly value: Uint8Array | undefined;
}

/** Rows by column family, keys ascending. */
export interface RowSource {
  /** The schema of the rows. */
  readonly schema: Schema;
  /** Names of the column families, unknown ones included. */
  readonly columns: readonly string[];
  /** The column families that an export leaves out completely; undefined for a whole database. */
  readonly leftOut?: readonly string[] | undefined;
  /**
   * The context, group or member that an export is limited to: compare no other rows. Undefined for an export of all
   * rows, and for a database.
   */
  readonly selection?: RowSelection | undefined;
  /**
   * Reads the rows of a column family, in chunks. Errors of reading reject the iteration.
   *
   * @param ranges the rows that are needed; they ascend. A source that cannot seek returns others too
   */
  rows(column: string, ranges?: readonly ByteRange[]): AsyncIterable<readonly SourceRow[]>;
  /** Finds the private entities. It reads the rows separately and does not affect iterators that `rows` returned. */
  privateEntities(): Promise<PrivateEntities>;
  /** Called after all requested rows were read: checks the rest of the source. */
  finish?(): Promise<void>;
  /** Called at the end, also after an error: releases resources. */
  close?(): Promise<void>;
}

/** Throws INVALID_ARGUMENT unless both sides are sources of rows. A store is not a source. */
export function checkSources(caller: string, ...sources: readonly RowSource[]): void {
  for (const source of sources)
    if (typeof source?.rows !== "function")
      throw invalidArgument(
        `${caller} takes two sources of rows: rowsOfStore(store), or await rowsOfExport(file)`,
      );
}

/** Returns the rows of a store, a snapshot or an overlay. */
export function rowsOfStore(store: StoreReader): RowSource {
  checkArgument("rowsOfStore", store, isReader);
  return {
    schema: store.schema,
    columns: store.columns,
    rows: (column, ranges) => rowsInRanges(store.raw, column, ranges),
    privateEntities: () => findPrivateEntities(store.raw, store.schema),
  };
}

/**
 * Yields the pairs of a column family in arrays, keys ascending.
 *
 * @param ranges the rows that are needed; a source may return others too
 * @param onRead called with the number of rows read from both sides since the last call
 */
export function pairs(
  a: RowSource,
  b: RowSource,
  column: string,
  ranges: readonly ByteRange[],
  onRead?: (rows: number) => void,
): AsyncGenerator<readonly Pair<SourceRow>[], void, undefined> {
  const rowsOf = (source: RowSource) =>
    source.columns.includes(column) ? source.rows(column, ranges) : undefined;
  return pairsOf(rowsOf(a), rowsOf(b), onRead);
}
