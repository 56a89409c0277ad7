/** Finds the blocks of a table with a damaged index or footer, one after another, from the start of the file. */

import { wordAt } from "../../../bytes/bytes.js";
import {
  BLOCK_TRAILER,
  type BlockChecks,
  type BlockPlace,
  ChecksumType,
  isVerified,
  loadChecksum,
} from "../../../lsm/format/checksum.js";
import { FOOTER } from "../../../lsm/format/footer.js";
import { type Effort, measureBlock } from "../../../lsm/format/measure-block.js";
import { measureLz4, measureZstd } from "../../../lsm/format/measure-compressed.js";
import type { FileSource } from "../../../lsm/source.js";
import { Pause } from "../../../pause.js";

/** A found block. */
export interface FoundBlock extends BlockPlace {
  /** The type of its compression; 0 for none. */
  readonly type: number;
}

/** A kind of block: the types of compression before its checksum, and the function that finds its end. */
interface BlockKind {
  readonly types: readonly number[];
  /** A quick check that rules out most places where no such block begins. */
  mayBegin(bytes: Uint8Array, at: number): boolean;
  readonly measure: typeof measureBlock;
}

/** The kinds of blocks whose end can be found. */
const KINDS: readonly BlockKind[] = [
  // The first entry of a block shares no bytes, and its key is not empty.
  { types: [0], mayBegin: (bytes, at) => bytes[at] === 0 && bytes[at + 1] !== 0, measure: measureBlock },
  // A zero at the beginning would be a size of 0, or a copy from before the beginning.
  { types: [4, 5], mayBegin: (bytes, at) => bytes[at] !== 0, measure: measureLz4 },
  { types: [7, 0x40], mayBegin: (bytes, at) => bytes[at] !== 0, measure: measureZstd },
];

/** The number of places, and the most effort, between two looks at the clock. */
const BETWEEN_LOOKS = 1024;
const EFFORT_BETWEEN_LOOKS = 256 * 1024;

/** The bytes of the longest block that the search finds. A value has at most some MB. */
const LONGEST = 256 * 1024 * 1024;

/** The number of blocks that are tried to find the kind of checksum. */
const TRIED = 256;

/** The effort of a search, in examined bytes: for each byte of the file and each byte that it passes, and at least. */
const EFFORT = 16;
const LEAST_EFFORT = 16 * 1024 * 1024;

/** The bytes that may be read to find the ends of long blocks: for each byte of the file, and at least. */
const READS = 8;
const LEAST_READS = 64 * 1024 * 1024;

const TYPES = [ChecksumType.Xxh3, ChecksumType.Crc32c, ChecksumType.XxHash64, ChecksumType.XxHash] as const;

/** Searches for blocks by their structure. The effort is limited, so misleading bytes cannot make the search slow. */
class Places {
  readonly window: Window;
  readonly #size: number;
  readonly #effort: Effort;
  #reads: number;

  constructor(source: FileSource) {
    this.window = new Window(source);
    this.#size = source.size;
    this.#effort = { left: LEAST_EFFORT + EFFORT * source.size };
    this.#reads = LEAST_READS + READS * source.size;
  }

  /**
   * Returns the block at a place; undefined if none begins there.
   *
   * @param accept returns whether the bytes are a block
   */
  async at(offset: number, accept: Accept): Promise<FoundBlock | undefined> {
    const { window } = this;
    await window.reach(offset);
    for (const kind of KINDS) {
      const size = await this.#sizeOf(kind, offset);
      const found = size === undefined ? undefined : await this.#accepted(kind, { offset, size }, accept);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Returns the next block at or after a place. */
  async next(from: number, accept: Accept): Promise<FoundBlock | undefined> {
    const { window } = this;
    const pause = new Pause();
    let nextLook = this.#effort.left;
    for (let offset = from; offset + BLOCK_TRAILER < this.#size; offset++) {
      if (this.#effort.left < 0) return undefined;
      if (offset % BETWEEN_LOOKS === 0 || this.#effort.left < nextLook) {
        nextLook = this.#effort.left - EFFORT_BETWEEN_LOOKS;
        if (pause.isLong) await pause.ifLong();
      }
      if (offset < window.offset || offset + WINDOW / 2 > window.end) await window.reach(offset);
      this.#effort.left += EFFORT;
      for (const kind of KINDS) {
        if (!kind.mayBegin(window.bytes, offset - window.offset)) continue;
        const measured = this.#measure(kind, offset);
        const size = measured === "more" ? await this.#sizeOf(kind, offset) : measured;
        if (size === undefined) continue;
        this.#effort.left -= size;
        const found = await this.#accepted(kind, { offset, size }, accept);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  async #sizeOf(kind: BlockKind, offset: number): Promise<number | undefined> {
    for (let length = WINDOW; ; length *= 4) {
      const found = this.#measure(kind, offset);
      if (found !== "more") return found;
      if (length > LONGEST || this.#reads < 4 * length) return undefined;
      this.#reads -= 4 * length;
      await this.window.load(offset, 4 * length);
    }
  }

  #measure({ measure }: BlockKind, offset: number) {
    const { window } = this;
    const left = this.#size - offset - BLOCK_TRAILER;
    return measure(window.bytes, offset - window.offset, left, this.#effort);
  }

  /** Loads the whole block, checks its type, and asks `accept`. */
  async #accepted({ types }: BlockKind, { offset, size }: BlockPlace, accept: Accept) {
    const { window } = this;
    await window.load(offset, size + BLOCK_TRAILER);
    const type = window.bytes[offset - window.offset + size];
    if (type === undefined || !types.includes(type)) return undefined;
    const block = { offset, size, type };
    return accept(block) ? block : undefined;
  }
}

/** Returns whether a block is wanted. */
type Accept = (block: BlockPlace) => boolean;

/**
 * Finds the blocks of a table. The bytes between them are damaged, or are blocks whose end cannot be found.
 *
 * @param checks the kind of checksum, and its number from the footer
 */
export async function* findBlocks(source: FileSource, checks: BlockChecks): AsyncGenerator<FoundBlock> {
  const places = new Places(source);
  const { window } = places;
  const isWhole = (block: BlockPlace): boolean => {
    const at = block.offset - window.offset;
    const isLoaded = at + block.size + BLOCK_TRAILER <= window.bytes.length;
    return isLoaded && isVerified(checks, window.bytes, at, block);
  };
  for (let offset = 0; offset + BLOCK_TRAILER < source.size; ) {
    const block = (await places.at(offset, isWhole)) ?? (await places.next(offset + 1, isWhole));
    if (block === undefined) return;
    yield block;
    offset = block.offset + block.size + BLOCK_TRAILER;
  }
}

/**
 * Finds the checksums of a table with a damaged footer: their kind, and the number from the footer that is part of each
 * checksum. Two blocks that agree are proof, or one block that agrees with the rest of the footer.
 *
 * @returns undefined if there is no proof
 */
export async function findChecks(source: FileSource): Promise<BlockChecks | undefined> {
  const checksums = await Promise.all(TYPES.map(async (type) => loadChecksum(type)));
  const remembered = await baseInFooter(source);
  const votes = TYPES.map(() => new Map<number, number>());
  const places = new Places(source);
  const { window } = places;
  const any = () => true;
  let offset = 0;
  /** True if the last block directly follows the block before. A search may find bytes that only look like a block. */
  let follows = true;
  for (let tried = 0; tried < TRIED; tried++) {
    let block = follows ? await places.at(offset, any) : undefined;
    if (block === undefined) {
      block = await places.next(follows ? offset : offset + 1, any);
      if (block === undefined) return undefined;
      follows = false;
      offset = block.offset;
    }
    const at = offset - window.offset;
    const end = at + block.size + 1;
    if (end + 4 <= window.bytes.length) {
      for (const [index, checksum] of checksums.entries()) {
        if (checksum === undefined) continue;
        const rest = (wordAt(window.bytes, end) - checksum(window.bytes, at, end)) >>> 0;
        const place = (offset >>> 0) + Math.floor(offset / 2 ** 32);
        const baseContext = rest === 0 ? 0 : (rest ^ place) >>> 0;
        const seen = votes[index] as Map<number, number>;
        const count = (seen.get(baseContext) ?? 0) + 1;
        seen.set(baseContext, count);
        if (count > 1 || baseContext === 0 || baseContext === remembered) return { checksum, baseContext };
      }
    }
    if (follows) offset += block.size + BLOCK_TRAILER;
  }
  return undefined;
}

/** Reads the number from the footer, which may be damaged. */
async function baseInFooter(source: FileSource): Promise<number | undefined> {
  if (source.size < FOOTER) return undefined;
  const base = wordAt(await source.read(source.size - FOOTER + 9, new Uint8Array(4)), 0);
  return base === 0 ? undefined : base;
}

/** The bytes of the window, unless more are needed. */
const WINDOW = 1024 * 1024;

class Window {
  readonly #source: FileSource;
  /** The bytes of the file from `offset` on. */
  bytes: Uint8Array = new Uint8Array(0);
  offset = 0;

  constructor(source: FileSource) {
    this.#source = source;
  }

  /** The offset of the window's end in the file. */
  get end(): number {
    return this.offset + this.bytes.length;
  }

  /** Moves the window to a place. It reads nothing if the window already has so many bytes from there on. */
  async load(offset: number, length: number = WINDOW): Promise<void> {
    const end = Math.min(this.#source.size, offset + length);
    if (offset >= this.offset && end <= this.end) return;
    this.bytes = await this.#source.read(offset, new Uint8Array(end - offset));
    this.offset = offset;
  }

  /** Moves the window to a place if less than half of a window is left after it. */
  async reach(offset: number): Promise<void> {
    const isAhead =
      offset >= this.offset && (this.end - offset >= WINDOW / 2 || this.end === this.#source.size);
    if (!isAhead) await this.load(offset);
  }
}
