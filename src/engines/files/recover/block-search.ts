/** The blocks of a table whose index or footer is damaged: found one after another, from the start of the file. */

import { wordAt } from "../../../lsm/format/block.js";
import {
  BLOCK_TRAILER,
  type BlockChecks,
  ChecksumType,
  contextModifier,
  loadChecksum,
} from "../../../lsm/format/checksum.js";
import { FOOTER } from "../../../lsm/format/footer.js";
import { type Effort, measureBlock } from "../../../lsm/format/measure-block.js";
import type { FileSource } from "../../../lsm/source.js";

/** The contents of a block that was found. They are not to be used any more once another one was asked for. */
export interface FoundBlock {
  readonly offset: number;
  readonly contents: Uint8Array;
}

/** Bytes of the longest block that is looked for. A value has at most some MB. */
const LONGEST = 256 * 1024 * 1024;

/** Blocks that are tried to find out how blocks are checked. */
const TRIED = 256;

/** The work of a search for each byte of the file and for each byte that it passes, and the least, in bytes that are looked at. */
const EFFORT = 16;
const LEAST_EFFORT = 16 * 1024 * 1024;

/** The bytes of long blocks that are read to find their ends, for each byte of the file, and the least. */
const READS = 8;
const LEAST_READS = 64 * 1024 * 1024;

const TYPES = [ChecksumType.Xxh3, ChecksumType.Crc32c, ChecksumType.XxHash64, ChecksumType.XxHash] as const;

/** The places of blocks, as far as their structure shows. Bytes that lead a search astray end it before it takes long. */
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

  /** The length of the contents of a block that begins at a place; undefined if no block does. */
  async at(offset: number): Promise<number | undefined> {
    const { window } = this;
    await window.reach(offset);
    for (let length = WINDOW; ; length *= 4) {
      const found = this.#measure(offset);
      if (found !== "more") return found;
      if (length > LONGEST || this.#reads < 4 * length) return undefined;
      this.#reads -= 4 * length;
      await window.load(offset, 4 * length);
    }
  }

  /**
   * The next block from a place on.
   *
   * @param accept returns whether a block begins at `offset` and has contents of `length` bytes
   */
  async next(from: number, accept: (offset: number, length: number) => boolean): Promise<number | undefined> {
    const { window } = this;
    for (let offset = from; offset + BLOCK_TRAILER < this.#size; offset++) {
      if (this.#effort.left < 0) return undefined;
      if (offset < window.offset || offset + WINDOW / 2 > window.end) await window.reach(offset);
      this.#effort.left += EFFORT;
      // The first entry of a block shares nothing, and its key has bytes.
      const at = offset - window.offset;
      if (window.bytes[at] !== 0 || window.bytes[at + 1] === 0) continue;
      const found = this.#measure(offset);
      const length = found === "more" ? await this.at(offset) : found;
      if (length === undefined) continue;
      this.#effort.left -= length;
      await window.load(offset, length + BLOCK_TRAILER);
      if (accept(offset, length)) return offset;
    }
    return undefined;
  }

  #measure(offset: number) {
    const { window } = this;
    const left = this.#size - offset - BLOCK_TRAILER;
    return measureBlock(window.bytes, offset - window.offset, left, this.#effort);
  }
}

/** Returns true if the block at an offset, which is in the window, has its checksum. */
function holds({ checksum, baseContext }: BlockChecks, window: Window, offset: number, length: number) {
  const at = offset - window.offset;
  const end = at + length;
  if (end + BLOCK_TRAILER > window.bytes.length || window.bytes[end] !== 0) return false;
  const expected = (checksum(window.bytes, at, end + 1) + contextModifier(baseContext, offset)) >>> 0;
  return wordAt(window.bytes, end + 1) === expected;
}

/**
 * Finds the blocks of a table. What is between them is damaged, or a block of another structure.
 *
 * @param checks how blocks are checked
 */
export async function* findBlocks(source: FileSource, checks: BlockChecks): AsyncGenerator<FoundBlock> {
  const places = new Places(source);
  const { window } = places;
  for (let offset = 0; offset + BLOCK_TRAILER < source.size; ) {
    let length = await places.at(offset);
    if (length === undefined || !(await isWhole(window, checks, offset, length))) {
      const next = await places.next(offset + 1, (place, found) => holds(checks, window, place, found));
      if (next === undefined) return;
      offset = next;
      length = (await places.at(offset)) as number;
    }
    const at = offset - window.offset;
    yield { offset, contents: window.bytes.subarray(at, at + length) };
    offset += length + BLOCK_TRAILER;
  }
}

async function isWhole(window: Window, checks: BlockChecks, offset: number, length: number) {
  await window.load(offset, length + BLOCK_TRAILER);
  return holds(checks, window, offset, length);
}

/**
 * Finds out how the blocks of a table are checked whose footer is damaged: the kind of checksum, and the number from the
 * footer that is part of each. Two blocks that agree on it prove it, or one that agrees with what is left of the footer.
 *
 * @returns undefined if nothing tells
 */
export async function findChecks(source: FileSource): Promise<BlockChecks | undefined> {
  const checksums = await Promise.all(TYPES.map(async (type) => loadChecksum(type)));
  const remembered = await baseInFooter(source);
  const votes = TYPES.map(() => new Map<number, number>());
  const places = new Places(source);
  const { window } = places;
  let offset = 0;
  /** True if the last block follows the one before. A search may find bytes that only look like a block. */
  let follows = true;
  for (let tried = 0; tried < TRIED; tried++) {
    let length = follows ? await places.at(offset) : undefined;
    if (length === undefined) {
      const next = await places.next(follows ? offset : offset + 1, () => true);
      if (next === undefined) return undefined;
      follows = false;
      offset = next;
      length = (await places.at(offset)) as number;
    }
    await window.load(offset, length + BLOCK_TRAILER);
    const at = offset - window.offset;
    const end = at + length + 1;
    if (end + 4 <= window.bytes.length && window.bytes[end - 1] === 0) {
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
    if (follows) offset += length + BLOCK_TRAILER;
  }
  return undefined;
}

/** The bytes of the footer in place of the number. */
async function baseInFooter(source: FileSource): Promise<number | undefined> {
  if (source.size < FOOTER) return undefined;
  const base = wordAt(await source.read(source.size - FOOTER + 9, new Uint8Array(4)), 0);
  return base === 0 ? undefined : base;
}

/** Bytes of the part, unless more are needed. */
const WINDOW = 1024 * 1024;

class Window {
  readonly #source: FileSource;
  /** The bytes in memory, from `offset` of the file on. */
  bytes: Uint8Array = new Uint8Array(0);
  offset = 0;

  constructor(source: FileSource) {
    this.#source = source;
  }

  /** The end of the part in the file. */
  get end(): number {
    return this.offset + this.bytes.length;
  }

  /** Reads the part that begins at a place. Nothing is read if it has as many bytes from there on already. */
  async load(offset: number, length: number = WINDOW): Promise<void> {
    const end = Math.min(this.#source.size, offset + length);
    if (offset >= this.offset && end <= this.end) return;
    this.bytes = await this.#source.read(offset, new Uint8Array(end - offset));
    this.offset = offset;
  }

  /** Moves on when less than half of a part is left after a place. */
  async reach(offset: number): Promise<void> {
    const isAhead =
      offset >= this.offset && (this.end - offset >= WINDOW / 2 || this.end === this.#source.size);
    if (!isAhead) await this.load(offset);
  }
}
