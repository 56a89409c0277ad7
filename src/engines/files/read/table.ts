/** A table file. It is opened once; its blocks are then read by their place. */

import { compareBytes } from "../../../bytes/order.js";
import type { ByteRange } from "../../../engine/engine.js";
import { isMerostoreError, type MerostoreError } from "../../../errors.js";
import { damaged } from "../../../lsm/catalog/catalog.js";
import { RESTORE, unsupported } from "../../../lsm/damage.js";
import { MalformedBytes, UnsupportedFormat } from "../../../lsm/format/byte-cursor.js";
import { BLOCK_TRAILER, verifyBlock } from "../../../lsm/format/checksum.js";
import { type BlockContent, type Decompressors, loadDecompressors } from "../../../lsm/format/compression.js";
import { type BlockHandle, type Footer, handleWithin } from "../../../lsm/format/footer.js";
import { type BlockIndex, readIndex } from "../../../lsm/format/index-block.js";
import type { LiveFile } from "../../../lsm/format/manifest.js";
import {
  checkDictionary,
  type Metaindex,
  readProperties,
  type TableProperties,
} from "../../../lsm/format/properties.js";
import { readTableEnd } from "../../../lsm/format/table-end.js";
import { ANOTHER_TABLE, isAnother } from "../../../lsm/format/table-id.js";
import { chain, type FileSource, type MaybePromise, readBytes } from "../../../lsm/source.js";
import type { BlockCache } from "./block-cache.js";
import { type RangeDeletion, rangeDeletionsIn } from "./tombstones.js";

const REMEDY = `Rows in other files can still be read. ${RESTORE}`;

/** The resources that all tables of a database share. */
export interface TableContext {
  /** True if the checksums of blocks are verified. */
  readonly verify: boolean;
  readonly cache: BlockCache;
  /** True if each read takes long, as over a network. */
  readonly isFar: boolean;
  /** Receives damage, which reads then leave out. Without it, they fail. */
  readonly onDamage: ((column: string, error: MerostoreError) => void) | undefined;
}

/** The contents of a block: a part of a larger buffer, or a decompressed block. */
export interface Contents {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** The index of a table, in one or more partitions. */
export interface TableIndex {
  readonly length: number;
  /** Returns the first partition that may have `key` or a later key; `length` if none has. */
  find(key: Uint8Array): number;
  partition(at: number): MaybePromise<BlockIndex>;
}

interface Layout extends Metaindex, TableProperties {
  readonly footer: Footer;
  readonly decompressors: Decompressors;
}

/** Reads the end of a table. @throws MerostoreError DATABASE_DAMAGED, FORMAT_UNSUPPORTED */
async function readLayout(source: FileSource, where: string, file: LiveFile): Promise<Layout> {
  try {
    const end = await readTableEnd(source);
    const { footer, metaindex } = end;
    const properties = readProperties(end.properties, file.largestSequence);
    if (await isAnother(end.properties, file)) throw new MalformedBytes(ANOTHER_TABLE);
    const { dictionary } = metaindex;
    const decompressors = await loadDecompressors(
      properties.compression,
      footer.version,
      dictionary && (async () => end.block(checkDictionary(dictionary))),
    );
    for (const handle of [metaindex.index, metaindex.rangeDeletions])
      if (handle !== undefined) handleWithin(handle, source.size, "a block is beyond the end of the file");
    return { ...metaindex, ...properties, footer, decompressors };
  } catch (error) {
    throw tableError(error, where, file.column);
  }
}

/** Longer blocks are not read in one step: a row can be that long. */
const LARGE = 1 << 20;

/** A table. `open` or the first use reads its end. */
export class Table {
  readonly file: LiveFile;
  /** The file, for messages. */
  readonly where: string;
  readonly #source: FileSource;
  readonly #context: TableContext;
  #layout: Layout | undefined;
  #opening: Promise<Layout> | undefined;
  /** The pending reads: many lookups may need the same block at the same time, and an index may be large. */
  readonly #reading = new Map<BlockHandle, Promise<object>>();

  constructor(source: FileSource, where: string, file: LiveFile, context: TableContext) {
    this.#source = source;
    this.where = where;
    this.file = file;
    this.#context = context;
  }

  /**
   * Reads the end of the table, which has the places of its blocks. @throws MerostoreError DATABASE_DAMAGED,
   * FORMAT_UNSUPPORTED
   */
  open(): MaybePromise<Layout> {
    if (this.#layout !== undefined) return this.#layout;
    this.#opening ??= (async () => {
      try {
        this.#layout = await readLayout(this.#source, this.where, this.file);
        return this.#layout;
      } finally {
        this.#opening = undefined;
      }
    })();
    return this.#opening;
  }

  /** True if each read takes long, as over a network. */
  get isFar(): boolean {
    return this.#context.isFar;
  }

  /** True if the table contains range deletions; false before it is open. */
  get deletesRanges(): boolean {
    return this.#layout?.rangeDeletions !== undefined;
  }

  /** The range deletions in this table, cut to its key range. */
  async rangeDeletions(): Promise<readonly RangeDeletion[]> {
    return this.unlessDamaged(() => this.#rangeDeletions(), []);
  }

  async #rangeDeletions(): Promise<RangeDeletion[]> {
    const { rangeDeletions: handle } = await this.open();
    if (handle === undefined) return [];
    const contents = await this.#read(handle, "other");
    return this.guard(handle, () => rangeDeletionsIn(contents, this.file));
  }

  /** @param keep false for a full scan, which needs each part of the index only once */
  index(keep = true): MaybePromise<TableIndex> {
    return chain(this.open(), (layout) =>
      chain(this.#indexBlock(layout, layout.index, keep), (top) => this.#tableIndex(layout, top, keep)),
    );
  }

  /** Returns the contents of a data block, through the cache. They are valid only until the next call. */
  block(handle: BlockHandle): MaybePromise<Uint8Array> {
    const { cache } = this.#context;
    const cached = cache.get(handle);
    if (cached !== undefined) return cached as Uint8Array;
    if (this.#source.readNow === undefined || handle.size > LARGE) {
      return this.#once(handle, "data", (contents) => {
        cache.keep(handle, contents, contents.length);
        return contents;
      });
    }
    const target = cache.allocate(handle.size + BLOCK_TRAILER);
    const contents = this.#take(this.#source.readNow(handle.offset, target), handle, "data");
    cache.keep(handle, contents, contents.length);
    return contents;
  }

  /** Reads bytes of the file into `target`. `contents` then takes blocks out of them. */
  read(offset: number, target: Uint8Array): MaybePromise<Uint8Array> {
    return readBytes(this.#source, offset, target);
  }

  /** The contents of a block whose bytes begin at `at`, verified. @throws MalformedBytes, UnsupportedFormat */
  contents(bytes: Uint8Array, at: number, handle: BlockHandle, content: BlockContent = "data"): Contents {
    const { footer, decompressors } = this.#layout as Layout; // a known block means that the table is open
    const end = at + handle.size;
    if (this.#context.verify) verifyBlock(footer, bytes, at, handle);
    const type = bytes[end] as number;
    if (type === 0) return { bytes, start: at, end };
    const expanded = decompressors.expand(content, type, bytes.subarray(at, end));
    return { bytes: expanded, start: 0, end: expanded.length };
  }

  /** Runs a function that decodes a block. Its errors then name the file and the place. */
  guard<T>(handle: BlockHandle | undefined, work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw tableError(error, this.where, this.file.column, handle?.offset);
    }
  }

  /** Returns the result of `read`, or `otherwise` if the bytes are damaged and reads leave out damage. */
  unlessDamaged<T>(read: () => MaybePromise<T>, otherwise: T): MaybePromise<T> {
    const { onDamage } = this.#context;
    if (onDamage === undefined) return read();
    const leaveOut = (error: unknown): T => {
      if (!isMerostoreError(error, "DATABASE_DAMAGED")) throw error;
      onDamage(this.file.column, error);
      return otherwise;
    };
    try {
      const found = read();
      return found instanceof Promise ? found.catch(leaveOut) : found;
    } catch (error) {
      return leaveOut(error);
    }
  }

  /** Reads a block into its own buffer. */
  async #read(handle: BlockHandle, content: BlockContent): Promise<Uint8Array> {
    const bytes = await this.read(handle.offset, new Uint8Array(handle.size + BLOCK_TRAILER));
    return this.#take(bytes, handle, content);
  }

  #take(bytes: Uint8Array, handle: BlockHandle, content: BlockContent): Uint8Array {
    return this.guard(handle, () => {
      const { bytes: found, start, end } = this.contents(bytes, 0, handle, content);
      return found.subarray(start, end);
    });
  }

  #tableIndex(layout: Layout, top: BlockIndex, keep: boolean): TableIndex {
    if (!layout.twoLevels) return { length: 1, find: firstPartition, partition: () => top };
    return {
      length: top.length,
      find: (key) => top.find(key),
      partition: (at) =>
        this.#indexBlock(
          layout,
          this.guard(undefined, () => top.handle(at)),
          keep,
        ),
    };
  }

  #indexBlock(layout: Layout, handle: BlockHandle, keep: boolean): MaybePromise<BlockIndex> {
    const { cache } = this.#context;
    const cached = cache.get(handle);
    if (cached !== undefined) return cached as BlockIndex;
    return this.#once(handle, "other", (contents) =>
      this.guard(handle, () => {
        const index = readIndex(contents, layout, this.#source.size);
        if (keep) cache.keep(handle, index, INDEX_FACTOR * contents.length);
        return index;
      }),
    );
  }

  /** Reads a block and makes the object for the cache. Concurrent callers wait for the same read. */
  #once<T extends object>(
    handle: BlockHandle,
    content: BlockContent,
    keep: (contents: Uint8Array) => T,
  ): Promise<T> {
    let reading = this.#reading.get(handle) as Promise<T> | undefined;
    if (reading === undefined) {
      reading = this.#read(handle, content)
        .then(keep)
        .finally(() => this.#reading.delete(handle));
      this.#reading.set(handle, reading);
    }
    return reading;
  }
}

/** Returns the bytes of a table's blocks that a range touches. */
export async function sizeWithin(table: Table, { gte: from, lt: to }: ByteRange): Promise<number> {
  const { smallest, largest, size } = table.file;
  if (to !== undefined && compareBytes(smallest.key, to) >= 0) return 0;
  if (from !== undefined && compareBytes(largest.key, from) < 0) return 0;
  const startsBefore = from !== undefined && compareBytes(smallest.key, from) < 0;
  const endsAfter = to !== undefined && compareBytes(largest.key, to) >= 0;
  const begin = startsBefore ? await offsetOf(table, from) : 0;
  return Math.max(0, (endsAfter ? await offsetOf(table, to) : size) - begin);
}

/** Returns the offset of the block that may have a key. */
async function offsetOf(table: Table, key: Uint8Array): Promise<number> {
  const index = await table.index();
  const partition = table.guard(undefined, () => index.find(key));
  if (partition === index.length) return table.file.size;
  const blocks = await index.partition(partition);
  return table.guard(undefined, () => {
    const at = blocks.find(key);
    return at < blocks.length ? blocks.handle(at).offset : table.file.size;
  });
}

/** An index in memory needs its block, and about the same again for the places of blocks. */
const INDEX_FACTOR = 2;

/** The partition of every key in an index with one. */
const firstPartition = (): number => 0;

/** Turns an error about the bytes of a table into an error that names the file and gives advice. */
function tableError(error: unknown, where: string, column: string, offset?: number): unknown {
  const place = offset === undefined ? where : `${where} at byte ${offset}`;
  if (error instanceof MalformedBytes)
    return damaged(`reading ${column} failed: ${place} is damaged (${error.message})`, REMEDY, error);
  if (error instanceof UnsupportedFormat) return unsupported(place, error);
  return error;
}
