/** Finds the blocks of a table whose index, properties or footer cannot be read. */

import { copyBytes } from "../../../bytes/bytes.js";
import { compareBytes } from "../../../bytes/order.js";
import { firstNotBefore } from "../../../bytes/search.js";
import { readEntries } from "../../../lsm/format/block.js";
import { ByteCursor, MalformedBytes, UnsupportedFormat } from "../../../lsm/format/byte-cursor.js";
import { BLOCK_TRAILER, type BlockChecks } from "../../../lsm/format/checksum.js";
import { decodeEntries, EntryBlock, type Rest } from "../../../lsm/format/entry-block.js";
import { readHandle } from "../../../lsm/format/footer.js";
import { EntryType, MAX_SEQUENCE, parseInternalKey } from "../../../lsm/format/internal-key.js";
import type { FileSource } from "../../../lsm/source.js";
import { findBlocks } from "./block-search.js";

/** A data block, and keys of its neighbours. */
export interface DataBlock {
  readonly offset: number;
  /** Bytes of its contents. */
  readonly size: number;
  /** A key that is not after its first key; undefined if absent. */
  readonly after: Uint8Array | undefined;
  /** A key that is not before its last key. */
  readonly until: Uint8Array | undefined;
}

/** Bytes of a table between its blocks. */
export interface TableGap {
  readonly offset: number;
  readonly end: number;
  readonly after: Uint8Array | undefined;
  readonly until: Uint8Array | undefined;
}

/** The blocks that were found. */
export interface FoundTable {
  readonly blocks: readonly DataBlock[];
  /** Puts and deletions in them. */
  readonly entries: number;
  readonly gaps: readonly TableGap[];
  /** Contents of the block of properties; undefined if it was not found. */
  readonly properties: Uint8Array | undefined;
  /** Contents of the block of range deletions; undefined if none was found. */
  readonly rangeDeletions: Uint8Array | undefined;
  readonly first: Uint8Array | undefined;
  readonly last: Uint8Array | undefined;
}

/** Bytes of the place of a block: two numbers. */
const LONGEST_HANDLE = 20;

/** Finds the blocks of a table without its index. @throws MerostoreError of reading the file */
export async function findTable(source: FileSource, checks: BlockChecks): Promise<FoundTable> {
  const blocks: DataBlock[] = [];
  const gaps: TableGap[] = [];
  /** Gaps of which the first key after them is not known yet. */
  let open: { offset: number; end: number }[] = [];
  const scratch = new EntryBlock();
  let entries = 0;
  let end = 0;
  let properties: Uint8Array | undefined;
  let rangeDeletions: Uint8Array | undefined;
  let first: Uint8Array | undefined;
  let last: Position | undefined;
  for await (const { offset, contents } of findBlocks(source, checks)) {
    if (offset > end) open.push({ offset: end, end: offset });
    end = offset + contents.length + BLOCK_TRAILER;
    const data = readData(scratch, contents, last, blocks);
    if (data === undefined) {
      if (isProperties(contents)) properties = copyBytes(contents);
      else if (areRangeDeletions(contents)) rangeDeletions = copyBytes(contents);
      continue;
    }
    gaps.push(...open.map((gap) => ({ ...gap, after: last?.key, until: data.first })));
    open = [];
    blocks.push({ offset, size: contents.length, after: last?.key, until: data.last.key });
    entries += data.entries;
    first ??= data.first;
    last = data.last;
  }
  if (end < source.size) open.push({ offset: end, end: source.size });
  gaps.push(...open.map((gap) => ({ ...gap, after: last?.key, until: undefined })));
  return { blocks, entries, gaps, properties, rangeDeletions, first, last: last?.key };
}

interface Position {
  readonly key: Uint8Array;
  readonly sequence: number;
}

interface Data {
  readonly first: Uint8Array;
  readonly last: Position;
  readonly entries: number;
}

/** The keys of a data block; undefined for any other block. Data blocks have keys after those of the blocks before. */
function readData(
  block: EntryBlock,
  contents: Uint8Array,
  before: Position | undefined,
  found: readonly DataBlock[],
): Data | undefined {
  let first: Uint8Array | undefined;
  let last: Position | undefined;
  let entries = 0;
  let mayBeIndex = false;
  try {
    let rest: Rest | undefined;
    do {
      rest = decodeEntries(block, contents, 0, contents.length, rest);
      const { keys, keyStarts, keyEnds, sequences, count } = block;
      if (count === 0) return undefined;
      for (let at = 0; at < count; at++) if ((sequences[at] as number) >= MAX_SEQUENCE) return undefined;
      const keyAt = (at: number) => copyBytes(keys.subarray(keyStarts[at], keyEnds[at]));
      if (first === undefined) {
        first = keyAt(0);
        mayBeIndex = handleIn(block.values.subarray(block.valueStarts[0], block.valueEnds[0])) !== undefined;
        const order = before === undefined ? 1 : compareBytes(first, before.key);
        if (order < 0 || (order === 0 && (sequences[0] as number) >= (before?.sequence ?? 0)))
          return undefined;
      }
      last = { key: keyAt(count - 1), sequence: sequences[count - 1] as number };
      entries += count;
    } while (rest !== undefined);
  } catch (error) {
    if (error instanceof MalformedBytes || error instanceof UnsupportedFormat) return undefined;
    throw error;
  }
  if (first === undefined || last === undefined) return undefined;
  if (mayBeIndex && isIndex(contents, found)) return undefined;
  return { first, last, entries };
}

/**
 * Returns true if the values of a block are places of blocks that were found before: an index whose keys are like those of
 * data.
 */
function isIndex(contents: Uint8Array, found: readonly DataBlock[]): boolean {
  let known = 0;
  for (const { value } of readEntries(contents)) {
    const handle = handleIn(value);
    if (handle === undefined) return false;
    if (found[firstFrom(found, handle.offset)]?.size === handle.size) known++;
  }
  return known > 0;
}

/** The place of a block that a value is; undefined if it is something else. */
function handleIn(value: Uint8Array): { readonly offset: number; readonly size: number } | undefined {
  if (value.length < 2 || value.length > LONGEST_HANDLE) return undefined;
  const fields = new ByteCursor(value);
  try {
    const handle = readHandle(fields);
    return fields.done ? handle : undefined;
  } catch {
    return undefined;
  }
}

/** The first block at or after an offset. */
function firstFrom(found: readonly DataBlock[], offset: number): number {
  return firstNotBefore(found.length, (at) => (found[at] as DataBlock).offset < offset);
}

function isProperties(contents: Uint8Array): boolean {
  return keysOf(contents).some((key) => new TextDecoder().decode(key) === "rocksdb.num.entries");
}

function areRangeDeletions(contents: Uint8Array): boolean {
  const keys = keysOf(contents);
  return (
    keys.length > 0 &&
    keys.every((key) => key.length >= 8 && parseInternalKey(key).type === EntryType.RangeDeletion)
  );
}

function keysOf(contents: Uint8Array): readonly Uint8Array[] {
  try {
    return readEntries(contents).map(({ key }) => key);
  } catch {
    return [];
  }
}
