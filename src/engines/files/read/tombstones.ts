/**
 * Range deletions of one column family. Each hides the entries in its range with lower sequence numbers, in any file. A
 * range deletion in a table file counts only between the first and the last entry of that file. The rest of its range
 * is in other files, or was dropped together with the entries that it hid.
 */

import { compareBytes, compareRanges } from "../../../bytes/order.js";
import { firstNotBefore } from "../../../bytes/search.js";
import { Heap } from "../../../collections/heap.js";
import { readEntries } from "../../../lsm/format/block.js";
import { MalformedBytes } from "../../../lsm/format/byte-cursor.js";
import {
  comparePositions,
  EntryType,
  MAX_SEQUENCE,
  type Position,
  parseInternalKey,
} from "../../../lsm/format/internal-key.js";
import type { TableFile } from "../../../lsm/format/manifest.js";

/** A range deletion: hides entries from `begin` to before `end` with sequence numbers below `sequence`. */
export interface RangeDeletion {
  readonly begin: Position;
  readonly end: Position;
  readonly sequence: number;
}

/** The range deletion of the keys in `[begin, end)`. */
export function rangeDeletion(begin: Uint8Array, end: Uint8Array, sequence: number): RangeDeletion {
  if (compareBytes(begin, end) > 0) throw new MalformedBytes("a range deletion ends before it begins");
  return { begin: before(begin), end: before(end), sequence };
}

/**
 * The range deletions of a block of a table.
 *
 * @param file the entry of the MANIFEST; without it, each range deletion counts as a whole
 * @throws MalformedBytes
 */
export function rangeDeletionsIn(contents: Uint8Array, file: TableFile | undefined): RangeDeletion[] {
  return readEntries(contents).map(({ key, value }) => {
    const begin = parseInternalKey(key);
    const whole = rangeDeletion(begin.key, value, begin.sequence);
    return file === undefined ? whole : truncated(whole, file);
  });
}

/** The part of a range deletion that counts in a table file. */
export function truncated({ begin, end, sequence }: RangeDeletion, file: TableFile): RangeDeletion {
  const last = boundAfter(file.largest);
  return {
    begin: comparePositions(begin, file.smallest) < 0 ? file.smallest : begin,
    end: comparePositions(end, last) > 0 ? last : end,
    sequence,
  };
}

function before(key: Uint8Array): Position {
  return { key, sequence: MAX_SEQUENCE };
}

/** The position right after the last entry of a file. */
function boundAfter(largest: TableFile["largest"]): Position {
  const isEndOfRange = largest.type === EntryType.RangeDeletion && largest.sequence === MAX_SEQUENCE;
  if (isEndOfRange || largest.sequence === 0) return largest;
  return { key: largest.key, sequence: largest.sequence - 1 };
}

/** All range deletions as pieces that do not overlap, each with the highest sequence number of the deletions there. */
export class Tombstones {
  readonly #starts: Position[] = [];
  /** The sequence number of each piece; 0 if nothing is deleted there. */
  readonly #sequences: number[] = [];

  constructor(deletions: readonly RangeDeletion[]) {
    const real = deletions.filter(({ begin, end }) => comparePositions(begin, end) < 0);
    const edges = real
      .flatMap(({ begin, end, sequence }) => [
        { at: begin, sequence, opens: true },
        { at: end, sequence, opens: false },
      ])
      .sort((a, b) => comparePositions(a.at, b.at));
    const open = new OpenSequences();
    for (const [index, { at, sequence, opens }] of edges.entries()) {
      if (opens) open.add(sequence);
      else open.remove(sequence);
      const next = edges[index + 1];
      if (next !== undefined && comparePositions(at, next.at) === 0) continue;
      this.#starts.push(at);
      this.#sequences.push(open.highest);
    }
  }

  /** Builds the pieces; undefined if there are no range deletions. */
  static of(deletions: readonly RangeDeletion[]): Tombstones | undefined {
    return deletions.length === 0 ? undefined : new Tombstones(deletions);
  }

  /** Returns true if the entry of the key `keys[start, end)` with this sequence number is deleted. */
  cover(keys: Uint8Array, start: number, end: number, sequence: number): boolean {
    const next = firstNotBefore(this.#starts.length, (at) => {
      const piece = this.#starts[at] as Position;
      const order = compareRanges(piece.key, 0, piece.key.length, keys, start, end);
      return order < 0 || (order === 0 && piece.sequence >= sequence);
    });
    return next > 0 && (this.#sequences[next - 1] as number) > sequence;
  }
}

/** The sequence numbers of range deletions that have begun and not ended. */
class OpenSequences {
  readonly #begun = new Heap<number>(descending);
  /** Numbers of ended deletions. They are removed when they become the highest in the other heap. */
  readonly #ended = new Heap<number>(descending);

  /** The highest sequence number; 0 if there is none. */
  get highest(): number {
    while (this.#ended.size > 0 && this.#ended.first === this.#begun.first) {
      this.#begun.pop();
      this.#ended.pop();
    }
    return this.#begun.first ?? 0;
  }

  add(sequence: number): void {
    this.#begun.push(sequence);
  }

  remove(sequence: number): void {
    this.#ended.push(sequence);
  }
}

function descending(a: number, b: number): number {
  return b - a;
}
