/** The order that nodes of core-0.11 keep of sorted collections. */
import { concat } from "../../bytes/concat.js";
import { equalBytes, successor } from "../../bytes/order.js";
import { Column } from "../../columns/index.js";
import type { EngineReader } from "../../engine/engine.js";
import type { IndexRow } from "../index-row.js";

/**
 * The ids of a collection's entries from a key on, in the order of the keys; undefined if the database has no order of
 * the collection in its present state.
 */
export async function sortedIdsOf(
  reader: EngineReader,
  contextId: Uint8Array,
  { id, fullHash }: IndexRow,
  from: Uint8Array | undefined,
): Promise<AsyncIterable<readonly Uint8Array[]> | undefined> {
  const { columns } = reader;
  if (!columns.includes(Column.SortedIndex) || !columns.includes(Column.SortedIndexMeta)) return undefined;
  const prefix = concat(contextId, id);
  const marker = await reader.get(Column.SortedIndexMeta, prefix);
  if (marker === undefined || !equalBytes(marker, fullHash)) return undefined;
  const range = { gte: from === undefined ? prefix : concat(prefix, from), lt: successor(prefix) };
  return idsIn(reader.scan(Column.SortedIndex, range).chunks());
}

async function* idsIn(
  chunks: AsyncIterable<readonly { readonly value: Uint8Array }[]>,
): AsyncGenerator<readonly Uint8Array[], void, undefined> {
  for await (const rows of chunks) yield rows.map(({ value }) => value).filter(({ length }) => length === 32);
}
