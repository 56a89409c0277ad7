/** Reads the rows of a base outside deleted ranges. */
import { copyBytes } from "../bytes/bytes.js";
import { compareBytes, keyAfter } from "../bytes/order.js";
import { isEmptyRange } from "../engine/arguments.js";
import type { ByteRange, EngineReader, RawRow } from "../engine/engine.js";
import { contains } from "./column-changes.js";

/** The part of a base to read. */
export interface VisiblePlan {
  readonly column: string;
  readonly range: ByteRange;
  readonly reverse: boolean;
  readonly keysOnly: boolean;
  /** Deleted ranges. */
  readonly hidden: readonly ByteRange[];
  /** The number of rows that suffices; `Infinity` for all. */
  readonly enough: number;
}

/** If hidden rows exhausted the limit of a scan, the limit of the next scan is larger by this factor. */
const GROWTH = 4;

/**
 * Reads a base in order. If few rows suffice, it scans for these only, and scans again if some of them were hidden. If
 * the base is an engine, the second scan sees a later state.
 */
export class VisibleRows {
  readonly #base: EngineReader;
  readonly #plan: VisiblePlan;
  /** The range that has not been read. */
  #range: ByteRange;
  #chunks: AsyncIterator<readonly RawRow[]> | undefined;
  /** The limit of the active scan, and the number of rows that it has returned. */
  #limit: number;
  #read = 0;
  #found = 0;
  #done = false;

  constructor(base: EngineReader, plan: VisiblePlan) {
    this.#base = base;
    this.#plan = plan;
    this.#range = plan.range;
    this.#limit = plan.enough;
  }

  /** Returns the next rows, at least one; undefined at the end, or if enough rows were returned. */
  async next(): Promise<readonly RawRow[] | undefined> {
    while (!this.#done) {
      this.#chunks ??= this.#scan();
      const step = await this.#chunks?.next();
      if (step === undefined || step.done === true) this.#goOn(step !== undefined);
      else {
        const rows = this.#visible(step.value);
        if (rows.length > 0) return rows;
      }
    }
    return undefined;
  }

  async close(): Promise<void> {
    this.#done = true;
    await this.#chunks?.return?.();
  }

  #scan(): AsyncIterator<readonly RawRow[]> | undefined {
    const { column, hidden, reverse, keysOnly } = this.#plan;
    this.#range = withoutHiddenStart(this.#range, hidden, reverse);
    if (isEmptyRange(this.#range)) return undefined;
    this.#read = 0;
    const limit = Number.isFinite(this.#limit) ? this.#limit : undefined;
    return this.#base.scan(column, this.#range, { reverse, keysOnly, limit }).chunks();
  }

  /** Prepares the next scan after a scan that ended at its limit without enough visible rows. */
  #goOn(scanned: boolean): void {
    this.#chunks = undefined;
    this.#done = !scanned || this.#read < this.#limit || this.#found >= this.#plan.enough;
    this.#limit *= GROWTH;
  }

  #visible(chunk: readonly RawRow[]): readonly RawRow[] {
    const { hidden, reverse } = this.#plan;
    this.#read += chunk.length;
    // The rows belong to the caller, who may change them.
    const last = copyBytes((chunk.at(-1) as RawRow).key);
    this.#range = reverse ? { ...this.#range, lt: last } : { ...this.#range, gte: keyAfter(last) };
    const rows =
      hidden.length === 0 ? chunk : chunk.filter(({ key }) => !hidden.some((range) => contains(range, key)));
    this.#found += rows.length;
    return rows;
  }
}

/** Returns a range without its completely hidden start, in the direction of the scan. */
function withoutHiddenStart(range: ByteRange, hidden: readonly ByteRange[], reverse: boolean): ByteRange {
  let rest = range;
  for (let at = 0; at < hidden.length && !isEmptyRange(rest); at++) {
    const shorter = reverse ? cutEnd(rest, hidden[at] as ByteRange) : cutStart(rest, hidden[at] as ByteRange);
    if (shorter === undefined) continue;
    rest = shorter;
    at = -1; // an earlier range may begin at the new start
  }
  return rest;
}

const FIRST_KEY = new Uint8Array(0);
const NO_KEY: ByteRange = { lt: FIRST_KEY };

/** Returns the range from the end of `hidden` on, if `hidden` contains its start. */
function cutStart(range: ByteRange, hidden: ByteRange): ByteRange | undefined {
  if (!contains(hidden, range.gte ?? FIRST_KEY)) return undefined;
  return hidden.lt === undefined ? NO_KEY : { gte: hidden.lt, lt: range.lt };
}

/** Returns the range up to the start of `hidden`, if `hidden` contains its end. */
function cutEnd({ gte: from, lt: to }: ByteRange, hidden: ByteRange): ByteRange | undefined {
  const coversEnd = hidden.lt === undefined || (to !== undefined && compareBytes(hidden.lt, to) >= 0);
  const start = hidden.gte ?? FIRST_KEY;
  if (!coversEnd || (to !== undefined && compareBytes(start, to) >= 0)) return undefined;
  return { gte: from, lt: start };
}
