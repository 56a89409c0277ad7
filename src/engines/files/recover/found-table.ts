/** Finds the blocks of a table whose index, properties or footer cannot be read. */

import { copyBytes } from "../../../bytes/bytes.js";
import { compareBytes } from "../../../bytes/order.js";
import { firstNotBefore } from "../../../bytes/search.js";
import { ByteCursor, MalformedBytes, UnsupportedFormat } from "../../../lsm/format/byte-cursor.js";
import { BLOCK_TRAILER, type BlockChecks, type BlockPlace } from "../../../lsm/format/checksum.js";
import type { Decompressors } from "../../../lsm/format/compression.js";
import { decodeEntries, EntryBlock, type Rest } from "../../../lsm/format/entry-block.js";
import { readHandle } from "../../../lsm/format/footer.js";
import { MAX_SEQUENCE, type Position } from "../../../lsm/format/internal-key.js";
import { measureBlock } from "../../../lsm/format/measure-block.js";
import type { FileSource } from "../../../lsm/source.js";
import { type BlockReading, readBlock, whyOf } from "./block-reading.js";
import { type FoundBlock, findBlocks } from "./block-search.js";
import { readEnds } from "./found-ends.js";

/** A data block, and keys of its neighbours. */
export interface DataBlock extends BlockPlace {
  /** A key that is not after its first key; undefined if absent. */
  readonly after: Uint8Array | undefined;
  /** A key that is not before its last key. */
  readonly until: Uint8Array | undefined;
}

/** The bytes of a table between two found blocks. */
export interface TableGap {
  readonly offset: number;
  readonly end: number;
  readonly after: Uint8Array | undefined;
  readonly until: Uint8Array | undefined;
}

/** The found blocks. */
export interface FoundTable {
  readonly blocks: readonly DataBlock[];
  /** The number of puts and deletions in them. */
  readonly entries: number;
  readonly gaps: readonly TableGap[];
  /** Whole blocks that cannot be decompressed, one after another, because the dictionary is damaged. */
  readonly locked: readonly BlockPlace[];
  readonly reading: BlockReading;
  /** Contents of the block of properties; undefined if it was not found. */
  readonly properties: Uint8Array | undefined;
  /** Contents of the block of range deletions; undefined if none was found. */
  readonly rangeDeletions: Uint8Array | undefined;
  readonly first: Uint8Array | undefined;
  readonly last: Uint8Array | undefined;
}

/** The most bytes of the encoded place of a block: two numbers. */
const LONGEST_HANDLE = 20;

/**
 * Finds the blocks of a table without its index.
 *
 * @param known the decompressors, if the end of the table gave them
 * @throws UnreadableFormat if a library is not installed; MerostoreError of reading the file
 */
export async function findTable(
  source: FileSource,
  checks: BlockChecks,
  known: Decompressors | undefined,
): Promise<FoundTable> {
  const all: FoundBlock[] = [];
  for await (const block of findBlocks(source, checks)) all.push(block);
  const ends = await readEnds(source, checks, all, known);
  const { properties, rangeDeletions, decompressors } = ends;
  const reading = { checks, decompressors };
  const blocks: DataBlock[] = [];
  const locked: BlockPlace[] = [];
  const gaps: TableGap[] = [];
  /** The gaps whose next key is not known yet. */
  const open: { offset: number; end: number }[] = [];
  const scratch = new EntryBlock();
  let entries = 0;
  let end = 0;
  let first: Uint8Array | undefined;
  let last: Position | undefined;
  for (const block of all) {
    const { offset, size } = block;
    if (offset > end) open.push({ offset: end, end: offset });
    end = offset + size + BLOCK_TRAILER;
    if (ends.blocks.has(block)) continue;
    const contents = await contentsOf(source, reading, block);
    if (contents === undefined) locked.push(block);
    const data = contents ? readData(scratch, contents, last, blocks) : undefined;
    if (data === undefined) continue;
    for (const gap of open.splice(0)) gaps.push({ ...gap, after: last?.key, until: data.first });
    blocks.push({ offset, size, after: last?.key, until: data.last.key });
    entries += data.entries;
    first ??= data.first;
    last = data.last;
  }
  if (end < source.size) open.push({ offset: end, end: source.size });
  for (const gap of open) gaps.push({ ...gap, after: last?.key, until: undefined });
  return { blocks, entries, gaps, locked, reading, properties, rangeDeletions, first, last: last?.key };
}

/**
 * Reads the contents of a block that looks like a data block. An index block is compressed without the dictionary, so
 * with the dictionary it gives garbage or an error.
 *
 * @returns null for any other block; undefined if it cannot be decompressed
 */
async function contentsOf(
  source: FileSource,
  reading: BlockReading,
  block: FoundBlock,
): Promise<Uint8Array | null | undefined> {
  let contents: Uint8Array;
  try {
    contents = await readBlock(source, reading, block, "data");
  } catch (error) {
    whyOf(error);
    const others = readBlock(source, reading, block, "other");
    return others.then(
      () => null,
      (other: unknown) => void whyOf(other),
    );
  }
  const length = measureBlock(contents, 0, contents.length, { left: Number.POSITIVE_INFINITY });
  return length === contents.length ? contents : null;
}

interface Data {
  readonly first: Uint8Array;
  readonly last: Position;
  readonly entries: number;
}

/**
 * Reads the keys of a data block; undefined for any other block. The keys of a data block come after the keys of the
 * blocks before it. If all values of a block are places, and one of them is the place of a found block, it is an index
 * block.
 */
function readData(
  block: EntryBlock,
  contents: Uint8Array,
  before: Position | undefined,
  found: readonly DataBlock[],
): Data | undefined {
  let first: Uint8Array | undefined;
  let last: Position | undefined;
  let entries = 0;
  let hasPlaces = true;
  let isKnown = false;
  try {
    let rest: Rest | undefined;
    do {
      rest = decodeEntries(block, contents, 0, contents.length, rest);
      const { keys, keyStarts, keyEnds, values, valueStarts, valueEnds, sequences, count } = block;
      for (let at = 0; at < count; at++) {
        if ((sequences[at] as number) >= MAX_SEQUENCE) return undefined;
        if (!hasPlaces) continue;
        const handle = handleIn(values.subarray(valueStarts[at], valueEnds[at]));
        hasPlaces = handle !== undefined;
        isKnown ||= handle !== undefined && found[firstFrom(found, handle.offset)]?.size === handle.size;
      }
      const keyAt = (at: number) => copyBytes(keys.subarray(keyStarts[at], keyEnds[at]));
      if (first === undefined) {
        first = keyAt(0);
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
  return hasPlaces && isKnown ? undefined : { first, last, entries };
}

/** Decodes a value as the place of a block; undefined if it is none. */
function handleIn(value: Uint8Array): BlockPlace | undefined {
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
