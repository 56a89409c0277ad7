/** A scan of a base merged with uncommitted changes. */

import { copyBytes } from "../bytes/bytes.js";
import { compareBytes } from "../bytes/order.js";
import { copyValue } from "../bytes/undecrypted.js";
import { type ChunkSource, NO_VALUE, type ScanPlan } from "../engine/chunk-source.js";
import type { ByteRange, EngineReader, RawRow } from "../engine/engine.js";
import type { ColumnChanges, PendingRow } from "./column-changes.js";
import { visibleRows } from "./visible-rows.js";

export class MergedScan implements ChunkSource {
  readonly #chunks: AsyncGenerator<readonly RawRow[], undefined, undefined>;
  /** The changes in the order of the scan. */
  readonly #changes: readonly PendingRow[];
  readonly #reverse: boolean;
  readonly #keysOnly: boolean;
  /** The index of the next change. */
  #at = 0;
  /** The current rows of the base, and the index of the next one; undefined after the last row. */
  #stored: readonly RawRow[] | undefined = [];
  #next = 0;

  private constructor(
    base: EngineReader,
    column: string,
    plan: ScanPlan,
    within: PendingRow[],
    hidden: readonly ByteRange[],
  ) {
    const { gte, lt, reverse, keysOnly } = plan;
    if (reverse) within.reverse();
    this.#changes = within;
    this.#reverse = reverse;
    this.#keysOnly = keysOnly;
    // A deletion hides at most one row of the base, and a put replaces at most one.
    const deletions = within.reduce((sum, { value }) => (value === undefined ? sum + 1 : sum), 0);
    const enough = plan.limit + deletions;
    const range = { gte, lt };
    this.#chunks = visibleRows(base, { column, range, reverse, keysOnly, hidden, enough });
  }

  /** @param changes the present changes; later ones are not visible */
  static async open(
    base: EngineReader,
    column: string,
    plan: ScanPlan,
    changes: ColumnChanges | undefined,
  ): Promise<MergedScan> {
    const hidden = [...(changes?.ranges ?? [])];
    const within = (await changes?.within({ gte: plan.gte, lt: plan.lt })) ?? [];
    return new MergedScan(base, column, plan, within, hidden);
  }

  async next(most: number): Promise<readonly RawRow[] | undefined> {
    for (;;) {
      if (this.#stored !== undefined && this.#next === this.#stored.length) {
        this.#stored = (await this.#chunks.next()).value;
        this.#next = 0;
      }
      const rows = this.#merged(most);
      if (rows.length > 0) return rows;
      if (this.#stored === undefined && this.#at === this.#changes.length) return undefined;
    }
  }

  async close(): Promise<void> {
    await this.#chunks.return(undefined);
  }

  /** Returns the next rows, up to the point where more rows of the base must be read. */
  #merged(most: number): readonly RawRow[] {
    const { length } = this.#changes;
    const rows: RawRow[] = [];
    while (rows.length < most) {
      const row = this.#stored?.[this.#next];
      if (row === undefined && (this.#stored !== undefined || this.#at === length)) break;
      const order = row === undefined ? -1 : this.#order(row.key);
      if (order <= 0) this.#take(rows);
      else rows.push(row as RawRow);
      if (order >= 0) this.#next++;
    }
    return rows;
  }

  /** Compares the next change with a key: before it (negative), at it (0) or after it (positive). */
  #order(key: Uint8Array): number {
    const change = this.#changes[this.#at];
    if (change === undefined) return 1;
    return this.#reverse ? compareBytes(key, change.key) : compareBytes(change.key, key);
  }

  /** Adds the row of the next change, unless it is a deletion. */
  #take(rows: RawRow[]): void {
    const { key, value } = this.#changes[this.#at++] as PendingRow;
    if (value === undefined) return;
    rows.push({ key: copyBytes(key), value: this.#keysOnly ? NO_VALUE : copyValue(value) });
  }
}
