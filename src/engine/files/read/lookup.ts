/** The newest entry of one key in one sorted run. */

import { allocate } from "../../../bytes/pool.js";
import { decodeEntries, EntryBlock } from "../format/entry-block.js";
import type { BlockHandle } from "../format/footer.js";
import { firstWith } from "./feed.js";
import type { Memtable } from "./memtable.js";
import type { Table } from "./table.js";

/** An entry that was found: its value is `values[start, end)`. */
export interface Found {
  readonly type: number;
  readonly sequence: number;
  readonly values: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** Blocks are decoded into it one after another; nothing of it is kept, and nothing is waited for meanwhile. */
const scratch = new EntryBlock();

/** The entry of a key in the write-ahead log. */
export function findInMemory({ blocks }: Memtable, key: Uint8Array): Found | undefined {
  const block = blocks[firstWith(blocks, key)];
  return block && entryOf(block, block.find(key), key);
}

/** The newest entry of a key in a table. */
export async function findInTable(table: Table, key: Uint8Array): Promise<Found | undefined> {
  // Waiting where there is no need would cost more than the search.
  const reading = table.index();
  const index = reading instanceof Promise ? await reading : reading;
  for (let part = index.find(key); part < index.length; part++) {
    const loading = index.partition(part);
    const blocks = loading instanceof Promise ? await loading : loading;
    for (let at = blocks.find(key); at < blocks.length; at++) {
      const getting = table.block(blocks.handles[at] as BlockHandle);
      const contents = getting instanceof Promise ? await getting : getting;
      table.guard(() => {
        scratch.keysUsed = 0;
        decodeEntries(scratch, contents, 0, contents.length);
      });
      const found = scratch.find(key);
      if (found < scratch.count) return entryOf(scratch, found, key);
    }
  }
  return undefined;
}

/** A copy of a value, which its taker may change. */
export function valueOf({ values, start, end }: Found): Uint8Array {
  const copy = allocate(end - start);
  copy.set(values.subarray(start, end));
  return copy;
}

function entryOf(block: EntryBlock, at: number, key: Uint8Array): Found | undefined {
  if (at === block.count || block.compare(at, key) !== 0) return undefined;
  return {
    type: block.types[at] as number,
    sequence: block.sequences[at] as number,
    values: block.values,
    start: block.valueStarts[at] as number,
    end: block.valueEnds[at] as number,
  };
}
