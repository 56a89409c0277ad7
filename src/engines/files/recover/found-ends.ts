/** Finds the blocks at the end of a table that are needed to read its other blocks, if no footer gives their places. */

import { wordAt } from "../../../bytes/bytes.js";
import { firstNotBefore } from "../../../bytes/search.js";
import { isDamage } from "../../../lsm/damage.js";
import { readEntries } from "../../../lsm/format/block.js";
import {
  BLOCK_TRAILER,
  type BlockChecks,
  type BlockPlace,
  isVerified,
} from "../../../lsm/format/checksum.js";
import { Decompressors, decompressorsFor } from "../../../lsm/format/compression.js";
import { handleWithin } from "../../../lsm/format/footer.js";
import { EntryType, parseInternalKey } from "../../../lsm/format/internal-key.js";
import { dictionaryIn } from "../../../lsm/format/properties.js";
import { DICTIONARY_MAGIC } from "../../../lsm/format/zstd.js";
import type { FileSource } from "../../../lsm/source.js";
import { Pause } from "../../../pause.js";
import { readBlock } from "./block-reading.js";
import type { FoundBlock } from "./block-search.js";

/** The last blocks are range deletions, properties and the metaindex. */
const LAST = 3;

/** A dictionary is looked for within so many bytes before the properties. */
const BEFORE_PROPERTIES = 1024 * 1024;

/** The most places that are tried as the beginning of a dictionary: each check reads all bytes after it. */
const TRIED = 8;

const decoder = new TextDecoder();

/** The contents of the last blocks of a table. */
interface FoundEnds {
  /** Contents of the block of properties; undefined if it was not found. */
  readonly properties: Uint8Array | undefined;
  /** Contents of the block of range deletions; undefined if none was found. */
  readonly rangeDeletions: Uint8Array | undefined;
  readonly decompressors: Decompressors;
  /** The found blocks. None of them has rows. */
  readonly blocks: ReadonlySet<FoundBlock>;
}

/**
 * Reads the last blocks, and loads the decompressors for the others.
 *
 * @param known the decompressors, if other blocks gave them
 * @throws UnreadableFormat if a library is not installed; MerostoreError of reading the file
 */
export async function readEnds(
  source: FileSource,
  checks: BlockChecks,
  found: readonly FoundBlock[],
  known: Decompressors | undefined,
): Promise<FoundEnds> {
  let [properties, rangeDeletions, metaindex]: (Uint8Array | undefined)[] = [];
  const blocks = new Set<FoundBlock>();
  /** The first of the last blocks. A dictionary is before it. */
  let first: FoundBlock | undefined;
  for (const block of found.filter(({ type }) => type === 0).slice(-LAST)) {
    const contents = await plainBlock(source, checks, block);
    const keys = keysIn(contents);
    const names = new Set(keys.map((key) => decoder.decode(key)));
    if (names.has("rocksdb.num.entries")) properties = contents;
    else if (names.has("rocksdb.properties")) metaindex = contents;
    else if (areRangeDeletions(keys)) rangeDeletions = contents;
    else continue;
    if (contents !== metaindex) first ??= block;
    blocks.add(block);
  }
  const types = new Set(found.map(({ type }) => type).filter((type) => type !== 0));
  const ends = { properties, rangeDeletions, blocks };
  if (known !== undefined || types.size === 0)
    return { ...ends, decompressors: known ?? new Decompressors() };
  const dictionary =
    metaindex === undefined
      ? first && (await dictionaryBefore(source, checks, found, first))
      : await dictionaryOf(source, checks, metaindex);
  return { ...ends, decompressors: await decompressorsFor(types, dictionary) };
}

async function dictionaryOf(source: FileSource, checks: BlockChecks, metaindex: Uint8Array) {
  try {
    const handle = dictionaryIn(metaindex);
    if (handle === undefined) return undefined;
    return await plainBlock(source, checks, handleWithin(handle, source.size, "it is not in the file"));
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}

/**
 * Finds a dictionary directly before the block `next`, after the last block found before it. Only its checksum
 * identifies it.
 */
async function dictionaryBefore(
  source: FileSource,
  checks: BlockChecks,
  blocks: readonly FoundBlock[],
  next: FoundBlock,
): Promise<Uint8Array | undefined> {
  const before =
    blocks[firstNotBefore(blocks.length, (at) => (blocks[at] as FoundBlock).offset < next.offset) - 1];
  const start = before === undefined ? 0 : before.offset + before.size + BLOCK_TRAILER;
  const from = Math.max(start, next.offset - BEFORE_PROPERTIES);
  if (next.offset - from <= BLOCK_TRAILER) return undefined;
  const bytes = await source.read(from, new Uint8Array(next.offset - from));
  const pause = new Pause();
  let tried = 0;
  for (let at = 0; at + BLOCK_TRAILER < bytes.length && tried < TRIED; at++) {
    if (from + at !== start && wordAt(bytes, at) !== DICTIONARY_MAGIC) continue;
    tried++;
    await pause.ifLong();
    const size = bytes.length - at - BLOCK_TRAILER;
    if (isVerified(checks, bytes, at, { offset: from + at, size })) return bytes.subarray(at, at + size);
  }
  return undefined;
}

function plainBlock(source: FileSource, checks: BlockChecks, block: BlockPlace): Promise<Uint8Array> {
  return readBlock(source, { checks, decompressors: new Decompressors() }, block, "other");
}

function areRangeDeletions(keys: readonly Uint8Array[]): boolean {
  return (
    keys.length > 0 &&
    keys.every((key) => key.length >= 8 && parseInternalKey(key).type === EntryType.RangeDeletion)
  );
}

function keysIn(contents: Uint8Array): readonly Uint8Array[] {
  try {
    return readEntries(contents).map(({ key }) => key);
  } catch {
    return [];
  }
}
