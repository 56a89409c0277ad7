/** Column families that are read without being asked. */
import type { Store } from "../store/index.js";

/** Bytes that are read in a moment: deltas for the times of operations, state for what deltas changed. */
const QUICK_BYTES = 16 * 1024 * 1024;

/** Returns whether column families are read in a moment. */
export async function isSmall(store: Store, ...columns: readonly string[]): Promise<boolean> {
  let bytes = 0;
  for (const column of columns)
    if (store.columns.includes(column)) bytes += await store.raw.approximateSize(column);
  return bytes <= QUICK_BYTES;
}
