/** The newest entry of one key in one sorted run. */

import { allocate } from "../../../bytes/pool.js";
import { type Found, seekInBlock } from "../format/block-seek.js";
import type { BlockIndex } from "../format/index-block.js";
import { chain, type MaybePromise } from "../source/source.js";
import { firstWith } from "./feed.js";
import type { Memtable } from "./memtable.js";
import type { Table, TableIndex } from "./table.js";

/** An entry that was found. The value is a copy. */
export interface Entry {
  readonly type: number;
  readonly sequence: number;
  readonly value: Uint8Array;
}

/** The entry of a key in the write-ahead log. */
export function findInMemory({ blocks }: Memtable, key: Uint8Array): Entry | undefined {
  const block = blocks[firstWith(blocks, key)];
  if (block === undefined) return undefined;
  const at = block.find(key);
  if (block.compare(at, key) !== 0) return undefined;
  return {
    type: block.types[at] as number,
    sequence: block.sequences[at] as number,
    value: copy(block.values, block.valueStarts[at] as number, block.valueEnds[at] as number),
  };
}

/** The newest entry of a key in a table. */
export function findInTable(table: Table, key: Uint8Array): MaybePromise<Entry | undefined> {
  return chain(table.index(), (index) => {
    const part = table.guard(undefined, () => index.find(key));
    return findFrom(table, index, part, key);
  });
}

/** Searches a partition of the index, and those after it. */
function findFrom(
  table: Table,
  index: TableIndex,
  part: number,
  key: Uint8Array,
): MaybePromise<Entry | undefined> {
  if (part >= index.length) return undefined;
  return chain(index.partition(part), (blocks) => {
    const at = table.guard(undefined, () => blocks.find(key));
    return findInBlocks(table, blocks, at, key, () => findFrom(table, index, part + 1, key));
  });
}

/** Searches a block, and those after it; then what follows. */
function findInBlocks(
  table: Table,
  blocks: BlockIndex,
  at: number,
  key: Uint8Array,
  following: () => MaybePromise<Entry | undefined>,
): MaybePromise<Entry | undefined> {
  if (at >= blocks.length) return following();
  const handle = table.guard(undefined, () => blocks.handle(at));
  return chain(table.block(handle), (contents) => {
    const found = table.guard(handle, () => seekInBlock(contents, key));
    if (found === "beyond") return findInBlocks(table, blocks, at + 1, key, following);
    return found === "absent" ? undefined : entryOf(found);
  });
}

function entryOf({ type, sequence, values, start, end }: Found): Entry {
  return { type, sequence, value: copy(values, start, end) };
}

function copy(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const copied = allocate(end - start);
  copied.set(bytes.subarray(start, end));
  return copied;
}
