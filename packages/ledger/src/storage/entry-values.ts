/**
 * Reads the values of entries. The value of a lazy entry may be missing on this device. The value of an eager entry may not
 * be missing: syncing stores it before the commit that uses it. If a piece of it is missing, the database is damaged.
 */
import { isMerostoreError, toHex } from "merostore/internal";
import { damage } from "../tables/table-reader.js";
import type { TreeEntry } from "../tables/tree-node.js";
import type { FetchPiece, ObjectReader } from "./object-reader.js";

/**
 * Returns the handler of pieces of an entry's value that are missing on this device.
 *
 * @param fetch fetches a piece from the cloud, which may also have a piece that this device has lost
 * @returns undefined if a missing piece should throw NEEDS_FETCH
 */
export function missingPieces(
  { priority }: Pick<TreeEntry, "priority">,
  fetch?: FetchPiece,
): FetchPiece | undefined {
  if (priority === "lazy") return fetch;
  return async (identifier) => {
    let cause: unknown;
    try {
      if (fetch !== undefined) return await fetch(identifier);
    } catch (error) {
      if (!isMerostoreError(error, "NETWORK_ERROR")) throw error;
      cause = error;
    }
    throw damage(`the piece objects/${toHex(identifier.digest)} of an eager entry's value is missing`, cause);
  };
}

/**
 * Reads the values of entries; undefined for a lazy entry whose value is not completely on this device.
 * @throws MerostoreError DATA_INTEGRITY_ERROR if a piece of an eager entry's value is missing
 */
export async function valuesOf(
  objects: ObjectReader,
  entries: readonly TreeEntry[],
): Promise<(Uint8Array | undefined)[]> {
  const values = await objects.wholes(entries.map(({ value }) => value));
  for (const [index, entry] of entries.entries())
    if (values[index] === undefined && entry.priority === "eager")
      values[index] = await objects.whole(entry.value, missingPieces(entry));
  return values;
}
