import { keyAfter } from "../bytes/order.js";
import type { ByteRange, EngineReader, WriteOperation } from "../engine/engine.js";

/**
 * The operation that deletes a range. RocksDB needs an end; a range that has none ends behind the last key that is
 * there or that `earlier` operations put.
 */
export async function deletionOf(
  reader: EngineReader,
  column: string,
  { from = new Uint8Array(0), to }: ByteRange,
  earlier: readonly WriteOperation[] = [],
): Promise<WriteOperation[]> {
  const ends = to === undefined ? await lastKeys(reader, column, earlier) : [to];
  return ends.map((end) => ({ type: "deleteRange", column, from, to: end }));
}

async function lastKeys(
  reader: EngineReader,
  column: string,
  earlier: readonly WriteOperation[],
): Promise<readonly Uint8Array[]> {
  const ends: Uint8Array[] = [];
  for await (const { key } of reader.scan(column, {}, { reverse: true, limit: 1, keysOnly: true })) {
    ends.push(keyAfter(key));
  }
  for (const operation of earlier) {
    if (operation.type === "put" && operation.column === column) ends.push(keyAfter(operation.key));
  }
  return ends;
}
