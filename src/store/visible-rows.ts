/** The rows of a base that no deleted range hides. */
import { compareBytes, keyAfter } from "../bytes/order.js";
import { isEmptyRange } from "../engine/arguments.js";
import type { ByteRange, EngineReader, RawRow } from "../engine/engine.js";
import { contains } from "./column-changes.js";

/** What is read of a base. */
export interface VisiblePlan {
  readonly column: string;
  readonly range: ByteRange;
  readonly reverse: boolean;
  readonly keysOnly: boolean;
  /** Deleted ranges. */
  readonly hidden: readonly ByteRange[];
  /** So many rows are enough; `Infinity` for all. */
  readonly enough: number;
}

/** A scan that used up its limit on hidden rows is followed by one whose limit is so many times as large. */
const GROWTH = 4;

/**
 * Reads a base in order. Where rows are enough that are few, it asks for these only, and asks again where hidden ones were
 * among them: then the rest is that of a later moment, if the base is an engine.
 */
export class VisibleRows {
  readonly #base: EngineReader;
  readonly #plan: VisiblePlan;
  /** What is left to be read. */
  #range: ByteRange;
  #chunks: AsyncIterator<readonly RawRow[]> | undefined;
  /** The limit of the scan under way, and how many rows it has returned. */
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

  /** Returns the next rows, never none; undefined at the end, or where there are enough. */
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

  /** After the end of a scan: the next one begins where it ended, if it ended at its limit and rows are missing. */
  #goOn(scanned: boolean): void {
    this.#chunks = undefined;
    this.#done = !scanned || this.#read < this.#limit || this.#found >= this.#plan.enough;
    this.#limit *= GROWTH;
  }

  #visible(chunk: readonly RawRow[]): readonly RawRow[] {
    const { hidden, reverse } = this.#plan;
    this.#read += chunk.length;
    const last = (chunk.at(-1) as RawRow).key;
    this.#range = reverse ? { ...this.#range, to: last } : { ...this.#range, from: keyAfter(last) };
    const rows =
      hidden.length === 0 ? chunk : chunk.filter(({ key }) => !hidden.some((range) => contains(range, key)));
    this.#found += rows.length;
    return rows;
  }
}

/** A range without that part of its beginning, in the direction of the scan, that is hidden altogether. */
function withoutHiddenStart(range: ByteRange, hidden: readonly ByteRange[], reverse: boolean): ByteRange {
  let rest = range;
  for (let at = 0; at < hidden.length && !isEmptyRange(rest); at++) {
    const shorter = reverse ? cutEnd(rest, hidden[at] as ByteRange) : cutStart(rest, hidden[at] as ByteRange);
    if (shorter === undefined) continue;
    rest = shorter;
    at = -1; // ranges that were looked at may begin where this one ends
  }
  return rest;
}

const FIRST_KEY = new Uint8Array(0);
const NO_KEY: ByteRange = { to: FIRST_KEY };

/** The range from the end of `hidden` on, if its first keys are in that. */
function cutStart(range: ByteRange, hidden: ByteRange): ByteRange | undefined {
  if (!contains(hidden, range.from ?? FIRST_KEY)) return undefined;
  return hidden.to === undefined ? NO_KEY : { from: hidden.to, to: range.to };
}

/** The range up to the beginning of `hidden`, if its last keys are in that. */
function cutEnd({ from, to }: ByteRange, hidden: ByteRange): ByteRange | undefined {
  const coversEnd = hidden.to === undefined || (to !== undefined && compareBytes(hidden.to, to) >= 0);
  const start = hidden.from ?? FIRST_KEY;
  if (!coversEnd || (to !== undefined && compareBytes(start, to) >= 0)) return undefined;
  return { from, to: start };
}
