import { compareBytes, keyAfter } from "../bytes/order.js";
import type { ByteRange, EngineReader, WriteOperation } from "../engine/engine.js";

/**
 * Returns the operation that deletes a range; undefined if there is nothing to delete. RocksDB requires an end: an open
 * range ends after the last key that is stored or that `earlier` operations put.
 */
export async function deletionOf(
  reader: EngineReader,
  column: string,
  { from = new Uint8Array(0), to }: ByteRange,
  earlier: readonly WriteOperation[] = [],
): Promise<WriteOperation | undefined> {
  const end = to ?? (await endOfKeys(reader, column, earlier));
  return end && { type: "deleteRange", column, from, to: end };
}

async function endOfKeys(
  reader: EngineReader,
  column: string,
  earlier: readonly WriteOperation[],
): Promise<Uint8Array | undefined> {
  let last: Uint8Array | undefined;
  for await (const { key } of reader.scan(column, {}, { reverse: true, limit: 1, keysOnly: true }))
    last = key;
  for (const operation of earlier) {
    if (operation.type !== "put" || operation.column !== column) continue;
    if (last === undefined || compareBytes(operation.key, last) > 0) last = operation.key;
  }
  return last && keyAfter(last);
}
