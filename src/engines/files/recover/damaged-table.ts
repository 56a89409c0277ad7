/** Opens a table of a damaged database: its properties, and the places of its data blocks. */

import { copyBytes } from "../../../bytes/bytes.js";
import { MalformedBytes, UnsupportedFormat } from "../../../lsm/format/byte-cursor.js";
import { Decompressors, loadDecompressors } from "../../../lsm/format/compression.js";
import { decodeEntries, EntryBlock } from "../../../lsm/format/entry-block.js";
import {
  type BlockHandle,
  FOOTER,
  type Footer,
  handleWithin,
  readFooter,
} from "../../../lsm/format/footer.js";
import { type IndexEntry, type IndexFormat, readIndexEntries } from "../../../lsm/format/index-block.js";
import type { LiveFile } from "../../../lsm/format/manifest.js";
import {
  checkDictionary,
  readMetaindex,
  readOrigin,
  readProperties,
  type TableOrigin,
} from "../../../lsm/format/properties.js";
import { isAnother } from "../../../lsm/format/table-id.js";
import type { FileSource } from "../../../lsm/source.js";
import { type RangeDeletion, rangeDeletionsIn } from "../read/tombstones.js";
import { type BlockReading, readBlock, whyOf } from "./block-reading.js";
import { findChecks } from "./block-search.js";
import { type DataBlock, type FoundTable, findTable } from "./found-table.js";

/** The index of a table. It is read again together with the rows. */
interface TableIndex extends IndexFormat {
  readonly handle: BlockHandle;
  readonly twoLevels: boolean;
}

/** The first format version whose footer has a checksum. */
const FIRST_WITH_CHECKSUM = 6;

/** A table that is at least partly readable. */
export interface DamagedTable {
  readonly name: string;
  /** The bytes of the file. */
  readonly size: number;
  /** The origin from its properties; undefined if they cannot be read. */
  readonly origin: TableOrigin | undefined;
  /** Its entry in the MANIFEST, if there is one. */
  readonly live: LiveFile | undefined;
  readonly reading: BlockReading;
  /** The footer's offset; the size of the file if it has none. */
  readonly footerOffset: number;
  readonly index: TableIndex | undefined;
  /** The blocks that were found without the index. */
  readonly found: FoundTable | undefined;
  /** The reason why the index was not used; undefined if it was used. */
  readonly why: string | undefined;
  /** The first key; undefined if it cannot be read. */
  readonly first: Uint8Array | undefined;
  /** The last key or a later key, as the index has it; undefined if the table has no data block. */
  readonly last: Uint8Array | undefined;
  /** True if it is not the table that the MANIFEST names, but has another one's identity or size. */
  readonly isAnother: boolean;
  readonly rangeDeletions: readonly RangeDeletion[];
  /** The reason why the range deletions cannot be read. */
  readonly lostRanges: string | undefined;
  /** The reason why the compression dictionary of the data blocks cannot be read. */
  readonly lostDictionary: string | undefined;
}

/** Returns the data blocks of a table, from its index or from the search. @throws MalformedBytes, UnsupportedFormat */
export async function blocksOf(source: FileSource, table: DamagedTable): Promise<readonly DataBlock[]> {
  const { index, found, reading } = table;
  return index === undefined ? (found?.blocks ?? []) : indexed(source, reading, index);
}

/**
 * Opens a table that may be damaged.
 *
 * @returns the table, or the reason why nothing of it can be read
 * @throws MerostoreError of reading the file
 */
export async function openDamagedTable(
  source: FileSource,
  name: string,
  live: LiveFile | undefined,
): Promise<DamagedTable | string> {
  const file = { name, size: source.size, footerOffset: source.size - FOOTER, live };
  let end: TableEnd | undefined;
  let why: string;
  try {
    end = await readEnd(source, live);
    why = end.why ?? "";
  } catch (error) {
    why = whyOf(error);
    if (error instanceof UnsupportedFormat) return why; // the undamaged properties say so
  }
  if (end?.blocks !== undefined) {
    const { reading, origin, index, blocks } = end;
    const isAnother = end.isAnother || (live !== undefined && live.size !== source.size);
    return {
      ...file,
      isAnother,
      ...{ reading, origin, index, found: undefined, why: undefined, lostDictionary: end.lostDictionary },
      first: await firstKeyOf(source, reading, blocks[0]),
      last: blocks.at(-1)?.until,
      ...rangesOf(end.rangeDeletions, end.lostRanges, isAnother ? undefined : live),
    };
  }
  const checks = end?.isSure === true ? end.reading.checks : await findChecks(source);
  if (checks === undefined) return `${why}, and no block of it can be verified`;
  let found: FoundTable;
  try {
    found = await findTable(source, checks, end?.decompressors);
  } catch (error) {
    return whyOf(error);
  }
  const { properties, reading } = found;
  let another = end?.isAnother === true;
  try {
    if (properties !== undefined) {
      readProperties(properties, live?.largestSequence);
      another ||= live !== undefined && (await isAnother(properties, live));
    }
  } catch (error) {
    return whyOf(error);
  }
  const origin = end?.origin ?? (properties && readOrigin(properties));
  const hadRanges = origin === undefined ? end?.mayHaveRanges !== false : (origin.rangeDeletions ?? 0) > 0;
  const whyNoRanges =
    origin === undefined ? "nothing tells whether there were any" : "their block is damaged";
  return {
    ...file,
    isAnother: another,
    footerOffset: end === undefined ? source.size : file.footerOffset,
    ...{ reading, origin, index: undefined, lostDictionary: end?.lostDictionary },
    ...{ found, why, first: found.first, last: found.last },
    ...rangesOf(
      found.rangeDeletions,
      hadRanges && found.rangeDeletions === undefined ? whyNoRanges : undefined,
      live,
    ),
  };
}

function rangesOf(contents: Uint8Array | undefined, lost: string | undefined, live: LiveFile | undefined) {
  try {
    return {
      rangeDeletions: contents === undefined ? [] : rangeDeletionsIn(contents, live),
      lostRanges: lost,
    };
  } catch (error) {
    return { rangeDeletions: [], lostRanges: whyOf(error) };
  }
}

interface TableEnd {
  /** True if the footer is not damaged: it has a checksum, or blocks agree with it. */
  isSure: boolean;
  reading: BlockReading;
  origin?: TableOrigin;
  index?: TableIndex;
  /** The data blocks; absent if the index cannot be read. */
  blocks?: readonly DataBlock[];
  rangeDeletions?: Uint8Array;
  lostRanges?: string;
  /** True if it has range deletions, or if the list of its blocks, which would name them, cannot be read. */
  mayHaveRanges: boolean;
  /** The decompressors; absent if they are not known. */
  decompressors?: Decompressors;
  lostDictionary?: string | undefined;
  /** True if the identity in its properties differs from the one in the MANIFEST. */
  isAnother: boolean;
  /** The reason why the index cannot be read. */
  why?: string;
}

/**
 * Reads the readable parts of the end of a table.
 *
 * @throws MalformedBytes if the footer is damaged, UnsupportedFormat as the properties say
 */
async function readEnd(source: FileSource, live: LiveFile | undefined): Promise<TableEnd> {
  if (source.size < FOOTER) throw new MalformedBytes("it is shorter than a footer");
  const footer = await footerAt(source, source.size - FOOTER);
  const plain = { checks: footer, decompressors: new Decompressors() };
  const isSure = footer.version >= FIRST_WITH_CHECKSUM;
  const end: TableEnd = { isSure, reading: plain, mayHaveRanges: true, isAnother: false };
  const block = (handle: BlockHandle, reading = plain, wrong = "a block is beyond the end of the file") =>
    readBlock(source, reading, handleWithin(handle, source.size, wrong), "other");
  try {
    const metaindex = readMetaindex(await block(footer.metaindex), footer);
    end.mayHaveRanges = metaindex.rangeDeletions !== undefined;
    const contents = await block(metaindex.properties);
    end.isSure = true;
    end.origin = readOrigin(contents);
    end.isAnother = live !== undefined && (await isAnother(contents, live));
    const properties = readProperties(contents, live?.largestSequence);
    const dictionary = await dictionaryOf(metaindex.dictionary, block);
    end.lostDictionary = dictionary.why;
    const { compression } = properties;
    end.decompressors = await loadDecompressors(compression, footer.version, dictionary.read);
    const reading = { checks: footer, decompressors: end.decompressors };
    const index = { ...properties, handle: metaindex.index };
    const { rangeDeletions: handle } = metaindex;
    const ranges =
      handle &&
      (await block(handle, reading, "it is not in the file").then(
        (rangeDeletions) => ({ rangeDeletions }),
        (error: unknown) => ({ lostRanges: whyOf(error) }),
      ));
    const blocks = await indexed(source, reading, index).catch((error: unknown) => whyOf(error));
    end.reading = reading;
    return typeof blocks === "string" ? { ...end, why: blocks } : { ...end, index, blocks, ...ranges };
  } catch (error) {
    if (error instanceof UnsupportedFormat) throw error;
    return { ...end, why: whyOf(error) };
  }
}

/** Reads the dictionary, or returns the reason why it cannot be read. Some blocks can be read without it. */
async function dictionaryOf(
  handle: BlockHandle | undefined,
  read: (handle: BlockHandle) => Promise<Uint8Array>,
): Promise<{ readonly read?: () => Promise<Uint8Array>; readonly why: string | undefined }> {
  if (handle === undefined) return { why: undefined };
  try {
    const dictionary = await read(checkDictionary(handle));
    return { read: async () => dictionary, why: undefined };
  } catch (error) {
    return { why: whyOf(error) };
  }
}

/** Reads the footer. @throws MalformedBytes, also for a format that only a damaged footer can name */
async function footerAt(source: FileSource, offset: number): Promise<Footer> {
  try {
    return await readFooter(await source.read(offset, new Uint8Array(FOOTER)), offset);
  } catch (error) {
    throw error instanceof UnsupportedFormat ? new MalformedBytes(error.message) : error;
  }
}

async function indexed(
  source: FileSource,
  reading: BlockReading,
  index: TableIndex,
): Promise<readonly DataBlock[]> {
  const read = async (handle: BlockHandle): Promise<readonly IndexEntry[]> => {
    handleWithin(handle, source.size, "the index is beyond the end of the file");
    return readIndexEntries(await readBlock(source, reading, handle, "other"), index, source.size);
  };
  const top = await read(index.handle);
  const blocks: DataBlock[] = [];
  let after: Uint8Array | undefined;
  const add = (entries: readonly IndexEntry[]): void => {
    for (const { handle, key } of entries) {
      blocks.push({ offset: handle.offset, size: handle.size, after, until: key });
      after = key;
    }
  };
  if (!index.twoLevels) add(top);
  else for (const { handle } of top) add(await read(handle));
  return blocks;
}

/** The first key of a block; undefined if it cannot be read. */
async function firstKeyOf(
  source: FileSource,
  reading: BlockReading,
  block: DataBlock | undefined,
): Promise<Uint8Array | undefined> {
  if (block === undefined) return undefined;
  try {
    const contents = await readBlock(source, reading, block, "data");
    const scratch = new EntryBlock();
    decodeEntries(scratch, contents, 0, contents.length);
    return copyBytes(scratch.keys.subarray(scratch.keyStarts[0], scratch.keyEnds[0]));
  } catch (error) {
    whyOf(error);
    return undefined;
  }
}
