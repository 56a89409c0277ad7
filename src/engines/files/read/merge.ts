/**
 * Merges all levels of a column family into the rows of a scan: the newest entry of each key, unless it is a deletion
 * or a range deletion covers it.
 */

import { copyBytes } from "../../../bytes/bytes.js";
import { compareRanges } from "../../../bytes/order.js";
import { NO_VALUE } from "../../../engine/chunk-source.js";
import type { RawRow } from "../../../engine/engine.js";
import { UnsupportedFormat } from "../../../lsm/format/byte-cursor.js";
import type { TableEntry } from "../../../lsm/format/encode-table.js";
import { EntryType } from "../../../lsm/format/internal-key.js";
import { type Cursor, compareEntries } from "./cursor.js";
import type { Tombstones } from "./tombstones.js";

export interface MergeOptions {
  readonly reverse: boolean;
  readonly keysOnly: boolean;
  /**
   * True for a compaction, which goes forward: deletions are rows too, and each row has the sequence number and type of
   * its entry.
   */
  readonly asEntries: boolean;
  /** Undefined if the family has no range deletions. */
  readonly tombstones: Tombstones | undefined;
}

export class Merge {
  /** A binary heap with the first cursor at 0. It has no cursors that are done. */
  readonly #heap: Cursor[] = [];
  readonly #options: MergeOptions;
  /** The cursors that are on no entry: all at the beginning, later those with a pending read. */
  #waiting: { readonly cursor: Cursor; readonly ready: Promise<void> | undefined }[];
  #failure: { readonly error: unknown } | undefined;
  /** The last key of the merge so far. */
  #keys: Uint8Array = NO_VALUE;
  #keyStart = 0;
  #keyEnd = -1;
  /** In a reverse scan, the newest entry of that key so far: older entries come first there. */
  #values: Uint8Array = NO_VALUE;
  #valueStart = 0;
  #valueEnd = 0;
  #sequence = 0;
  #type = -1;

  /** @param cursors not loaded yet */
  constructor(cursors: readonly Cursor[], options: MergeOptions) {
    this.#waiting = cursors.map((cursor) => ({ cursor, ready: undefined }));
    this.#options = options;
  }

  /**
   * Returns up to `most` rows, at least one; undefined at the end. An error is thrown only after the rows before it.
   */
  async next(most: number): Promise<readonly RawRow[] | undefined> {
    if (this.#failure !== undefined) throw this.#failure.error;
    const rows: RawRow[] = [];
    try {
      await this.#start();
      while (rows.length < most) {
        if (this.#options.reverse) this.#backward(rows, most);
        else this.#forward(rows, most);
        const waiting = this.#waiting.pop();
        if (waiting === undefined) break;
        await waiting.ready;
        if (!waiting.cursor.done) this.#push(waiting.cursor);
      }
    } catch (error) {
      if (rows.length === 0) throw error;
      this.#failure = { error };
    }
    if (rows.length === 0) return undefined;
    // The caller may change the rows, and the last key is a view of one of them.
    this.#keys = copyBytes(this.#keys.subarray(this.#keyStart, this.#keyEnd));
    this.#keyStart = 0;
    this.#keyEnd = this.#keys.length;
    return rows;
  }

  /** Loads all cursors at the beginning, at the same time. */
  async #start(): Promise<void> {
    const fresh = this.#waiting.filter(({ ready }) => ready === undefined);
    if (fresh.length === 0) return;
    this.#waiting = [];
    await Promise.all(fresh.map(async ({ cursor }) => cursor.load())); // load() may throw or reject
    for (const { cursor } of fresh) if (!cursor.done) this.#push(cursor);
  }

  /** Adds rows until there are `most`, no cursor is left, or a cursor has a pending read. */
  #forward(rows: RawRow[], most: number): void {
    const { tombstones, keysOnly, asEntries } = this.#options;
    while (this.#heap.length > 0 && rows.length < most && this.#waiting.length === 0) {
      const cursor = this.#heap[0] as Cursor;
      const { block, at: first } = cursor;
      const { keys, keyStarts, keyEnds, values, valueStarts, valueEnds, types, repeats, sequences } = block;
      if (asEntries && !block.isPlain) throw new UnsupportedFormat("values have several columns");
      const end = this.#endOfLead(cursor);
      let at = first;
      for (; at < end && rows.length < most; at++) {
        // Within a block, `repeats` marks the entries with the key of the entry before.
        if (at === first ? this.#isMet(cursor) : repeats[at] === 1) continue;
        if (types[at] !== EntryType.Value && !asEntries) continue;
        const start = keyStarts[at] as number;
        const keyEnd = keyEnds[at] as number;
        const sequence = sequences[at] as number;
        if (tombstones?.cover(keys, start, keyEnd, sequence)) continue;
        const key = view(keys, start, keyEnd);
        const value = keysOnly ? NO_VALUE : view(values, valueStarts[at] as number, valueEnds[at] as number);
        if (asEntries)
          rows.push({ key, value, sequence, type: types[at] as number } satisfies TableEntry as RawRow);
        else rows.push({ key, value });
      }
      this.#keys = keys;
      this.#keyStart = keyStarts[at - 1] as number;
      this.#keyEnd = keyEnds[at - 1] as number;
      cursor.at = at;
      this.#moveOn(cursor);
    }
  }

  #backward(rows: RawRow[], most: number): void {
    while (this.#heap.length > 0 && rows.length < most && this.#waiting.length === 0) {
      const cursor = this.#heap[0] as Cursor;
      const { block, at } = cursor;
      const isMet = this.#isMet(cursor);
      if (!isMet) this.#addNewest(rows);
      if (!isMet || (block.sequences[at] as number) > this.#sequence) {
        this.#keys = block.keys;
        this.#keyStart = block.keyStarts[at] as number;
        this.#keyEnd = block.keyEnds[at] as number;
        this.#values = block.values;
        this.#valueStart = block.valueStarts[at] as number;
        this.#valueEnd = block.valueEnds[at] as number;
        this.#sequence = block.sequences[at] as number;
        this.#type = block.types[at] as number;
      }
      cursor.at--;
      this.#moveOn(cursor);
    }
    if (this.#heap.length === 0 && this.#waiting.length === 0 && rows.length < most) this.#addNewest(rows);
  }

  /** Adds the newest entry of the last key, in a reverse scan. */
  #addNewest(rows: RawRow[]): void {
    const { tombstones, keysOnly } = this.#options;
    const isValue = this.#type === EntryType.Value;
    this.#type = -1;
    if (!isValue || tombstones?.cover(this.#keys, this.#keyStart, this.#keyEnd, this.#sequence)) return;
    rows.push({
      key: view(this.#keys, this.#keyStart, this.#keyEnd),
      value: keysOnly ? NO_VALUE : view(this.#values, this.#valueStart, this.#valueEnd),
    });
  }

  /** Returns true if the cursor is on the last key of the merge. */
  #isMet({ block, at }: Cursor): boolean {
    if (this.#keyEnd < 0) return false;
    const start = block.keyStarts[at] as number;
    const end = block.keyEnds[at] as number;
    return compareRanges(this.#keys, this.#keyStart, this.#keyEnd, block.keys, start, end) === 0;
  }

  /**
   * Returns the end of the entries of the first cursor that come before the entries of all other cursors; at most the
   * end of its block.
   */
  #endOfLead(cursor: Cursor): number {
    const [, left, right] = this.#heap;
    if (left === undefined) return cursor.end;
    const other = right !== undefined && this.#isBefore(right, left) ? right : left;
    if (compareEntries(cursor, cursor.end - 1, other) < 0) return cursor.end;
    let at = cursor.at + 1;
    // In a repaired database, another level may have the same last entry.
    while (at < cursor.end && compareEntries(cursor, at, other) < 0) at++;
    return at;
  }

  /** Restores the order of the heap after the `at` of its first cursor has changed. */
  #moveOn(cursor: Cursor): void {
    if (cursor.at === cursor.end) {
      const ready = cursor.load();
      if (ready !== undefined) this.#waiting.push({ cursor, ready });
      if (ready !== undefined || cursor.done) {
        const last = this.#heap.pop() as Cursor;
        if (this.#heap.length === 0) return;
        this.#heap[0] = last;
      }
    }
    this.#sink();
  }

  #isBefore(a: Cursor, b: Cursor): boolean {
    const order = compareEntries(a, a.at, b);
    return this.#options.reverse ? order > 0 : order < 0;
  }

  #push(cursor: Cursor): void {
    const heap = this.#heap;
    let at = heap.push(cursor) - 1;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (!this.#isBefore(cursor, heap[parent] as Cursor)) break;
      heap[at] = heap[parent] as Cursor;
      at = parent;
    }
    heap[at] = cursor;
  }

  #sink(): void {
    const heap = this.#heap;
    const cursor = heap[0] as Cursor;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && this.#isBefore(heap[child + 1] as Cursor, heap[child] as Cursor))
        child++;
      if (!this.#isBefore(heap[child] as Cursor, cursor)) break;
      heap[at] = heap[child] as Cursor;
      at = child;
    }
    heap[at] = cursor;
  }
}

function view(bytes: Uint8Array, start: number, end: number): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset + start, end - start);
}
