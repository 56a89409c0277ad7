/** A scan of a base merged with uncommitted changes. */

import { copyBytes } from "../bytes/bytes.js";
import { compareBytes } from "../bytes/order.js";
import { copyValue } from "../bytes/undecrypted.js";
import type { ChunkSource, ScanPlan } from "../engine/chunk-source.js";
import type { EngineReader, RawRow } from "../engine/engine.js";
import type { ColumnChanges, PendingRow } from "./column-changes.js";
import { VisibleRows } from "./visible-rows.js";

const NO_VALUE = new Uint8Array(0);

export class MergedScan implements ChunkSource {
  readonly #rows: VisibleRows;
  /** In the order of the scan. */
  readonly #changes: readonly PendingRow[];
  readonly #reverse: boolean;
  readonly #keysOnly: boolean;
  /** Index of the next change. */
  #at = 0;
  /** Merged rows that have not been returned. */
  #merged: readonly RawRow[] = [];
  #done = false;

  /** @param changes the current changes: later ones are not visible */
  constructor(base: EngineReader, column: string, plan: ScanPlan, changes: ColumnChanges | undefined) {
    const { gte, lt, reverse, keysOnly } = plan;
    const range = { gte, lt };
    const within = changes?.within(range) ?? [];
    if (reverse) within.reverse();
    this.#changes = within;
    this.#reverse = reverse;
    this.#keysOnly = keysOnly;
    // A deletion hides at most one row of the base; a put replaces at most one.
    const deletions = within.reduce((sum, { value }) => (value === undefined ? sum + 1 : sum), 0);
    const hidden = [...(changes?.ranges ?? [])];
    const enough = plan.limit + deletions;
    this.#rows = new VisibleRows(base, { column, range, reverse, keysOnly, hidden, enough });
  }

  async next(most: number): Promise<readonly RawRow[] | undefined> {
    while (this.#merged.length === 0) {
      if (this.#done) return undefined;
      const rows = await this.#rows.next();
      this.#done = rows === undefined;
      this.#merged = rows === undefined ? this.#rest() : this.#merge(rows);
    }
    const rows = this.#merged;
    this.#merged = rows.slice(most);
    return rows.length > most ? rows.slice(0, most) : rows;
  }

  close(): Promise<void> {
    return this.#rows.close();
  }

  #merge(stored: readonly RawRow[]): readonly RawRow[] {
    if (this.#at === this.#changes.length) return stored;
    const rows: RawRow[] = [];
    for (const row of stored) {
      let order = this.#order(row.key);
      for (; order < 0; order = this.#order(row.key)) this.#take(rows);
      if (order === 0) this.#take(rows);
      else rows.push(row);
    }
    return rows;
  }

  /** Changes after the last row of the base. */
  #rest(): readonly RawRow[] {
    const rows: RawRow[] = [];
    while (this.#at < this.#changes.length) this.#take(rows);
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
