/** Column families that commands read by default if they are small. */
import type { Store } from "../../store/index.js";

/** The bytes that can be read quickly: deltas for the times of operations, and state for the changes by deltas. */
const QUICK_BYTES = 16 * 1024 * 1024;

/** Returns whether column families can be read quickly. */
export async function isSmall(store: Store, ...columns: readonly string[]): Promise<boolean> {
  let bytes = 0;
  for (const column of columns)
    if (store.columns.includes(column)) bytes += await store.raw.approximateSize(column);
  return bytes <= QUICK_BYTES;
}
