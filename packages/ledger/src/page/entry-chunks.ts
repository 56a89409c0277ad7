/** Chunks of entries whose values are read together. */
import { pieceType } from "../objects/digest.js";
import type { TreeEntry } from "../tables/tree-node.js";

/** The most entries whose values are read at once. */
const CHUNK_ENTRIES = 256;

/** Cuts runs of entries into chunks. A value of several pieces may be of any size: it is a chunk of its own. */
export async function* chunksOf(
  runs: AsyncIterable<readonly TreeEntry[]>,
): AsyncGenerator<readonly TreeEntry[], void, undefined> {
  for await (const run of runs)
    for (let at = 0; at < run.length; ) {
      const large = run.findIndex((entry, index) => index >= at && isSplit(entry));
      const end = large === at ? at + 1 : Math.min(at + CHUNK_ENTRIES, large < 0 ? run.length : large);
      yield run.slice(at, end);
      at = end;
    }
}

/** Returns whether the value of an entry has several pieces. */
export function isSplit({ value }: TreeEntry): boolean {
  return pieceType(value.digest) === "index";
}
