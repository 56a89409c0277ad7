/** The newest entry of one key: in a table, or in the memtable. */

import { allocate } from "../../../bytes/pool.js";
import { type BlockEntry, seekInBlock } from "../../../lsm/format/block-seek.js";
import type { BlockIndex } from "../../../lsm/format/index-block.js";
import { chain, type MaybePromise } from "../../../lsm/source.js";
import type { Memtable } from "./memtable.js";
import type { Table } from "./table.js";

/** An entry that was found. The value is a copy. */
export interface FoundEntry {
  readonly type: number;
  readonly sequence: number;
  readonly value: Uint8Array;
}

/** The entry of a key in the write-ahead log. */
export function findInMemory(memtable: Memtable, key: Uint8Array): FoundEntry | undefined {
  const at = memtable.find(key);
  if (at === memtable.count || memtable.compare(at, key) !== 0) return undefined;
  const { type, sequence, value } = memtable.entry(at);
  return { type, sequence, value: copy(value, 0, value.length) };
}

/**
 * Finds the newest entry of a key in a table. The block that the index gives is the only one to read. The index key of
 * a block is before the first key of the next block, unless that block begins with older entries of the same key.
 */
export function findInTable(table: Table, key: Uint8Array): MaybePromise<FoundEntry | undefined> {
  return table.unlessDamaged(
    () =>
      chain(table.index(), (index) => {
        const part = table.guard(undefined, () => index.find(key));
        if (part === index.length) return undefined;
        return chain(index.partition(part), (blocks) => findInBlock(table, blocks, key));
      }),
    undefined,
  );
}

function findInBlock(
  table: Table,
  blocks: BlockIndex,
  key: Uint8Array,
): MaybePromise<FoundEntry | undefined> {
  const handle = table.guard(undefined, () => {
    const at = blocks.find(key);
    return at < blocks.length ? blocks.handle(at) : undefined;
  });
  if (handle === undefined) return undefined;
  return chain(table.block(handle), (contents) => {
    const found = table.guard(handle, () => seekInBlock(contents, key));
    return found && entryOf(found);
  });
}

function entryOf({ type, sequence, values, start, end }: BlockEntry): FoundEntry {
  // A block with a large value has its own buffer, which is never reused.
  const value = end - start >= LARGE ? values.subarray(start, end) : copy(values, start, end);
  return { type, sequence, value };
}

/** A value of at least so many bytes is not copied out of its block. Smaller blocks share buffers that are reused. */
const LARGE = 256 * 1024;

function copy(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const copied = allocate(end - start);
  copied.set(bytes.subarray(start, end));
  return copied;
}
