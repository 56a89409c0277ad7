/** Uncommitted changes of one column family. */

import { copyBytes } from "../bytes/bytes.js";
import { compareBytes } from "../bytes/order.js";
import { firstNotBefore } from "../bytes/search.js";
import { copyValue } from "../bytes/undecrypted.js";
import { sorted } from "../collections/sort.js";
import { contains } from "../engine/arguments.js";
import type { ByteRange, WriteOperation } from "../engine/engine.js";

/** A changed row. The value is undefined if the row was deleted. */
export interface PendingRow {
  readonly key: Uint8Array;
  readonly value: Uint8Array | undefined;
}

/** A change of a row, or the deletion of a range. */
export type PendingChange =
  | Exclude<WriteOperation, { type: "deleteRange" }>
  | ({ readonly type: "deleteRange"; readonly column: string } & ByteRange);

/** The changes of one column family. Keys and values are copied. */
export class ColumnChanges {
  readonly #changes = new Map<string, PendingRow>();
  /** Deleted ranges. Changes of rows take precedence over them. */
  readonly ranges: ByteRange[] = [];
  #sorted: readonly PendingRow[] | undefined;
  /** The number of added changes. */
  #version = 0;

  add(change: PendingChange): void {
    this.#sorted = undefined;
    this.#version++;
    if (change.type === "deleteRange") {
      const { gte: from, lt: to } = change;
      const range = { gte: from && copyBytes(from), lt: to && copyBytes(to) };
      for (const [text, { key }] of this.#changes) if (contains(range, key)) this.#changes.delete(text);
      this.ranges.push(range);
      return;
    }
    const value = change.type === "put" ? copyValue(change.value) : undefined;
    this.#changes.set(textOf(change.key), { key: copyBytes(change.key), value });
  }

  /** Returns the change of a row; undefined if it has none. */
  get(key: Uint8Array): PendingRow | undefined {
    const change = this.#changes.get(textOf(key));
    return (
      change ?? (this.ranges.some((range) => contains(range, key)) ? { key, value: undefined } : undefined)
    );
  }

  /** Returns all changes of rows in key order. Later changes do not modify the array. */
  sorted(): readonly PendingRow[] {
    this.#sorted ??= [...this.#changes.values()].sort(byKey);
    return this.#sorted;
  }

  /**
   * Returns a new array with the changes of rows in a range, in key order, without later changes. Sorting many changes
   * includes pauses.
   */
  async within({ gte: from, lt: to }: ByteRange): Promise<PendingRow[]> {
    const all = this.#sorted ?? (await this.#sortedSlowly());
    return all.slice(
      from === undefined ? 0 : firstAtOrAfter(all, from),
      to === undefined ? all.length : firstAtOrAfter(all, to),
    );
  }

  async #sortedSlowly(): Promise<readonly PendingRow[]> {
    const [version, rows] = [this.#version, [...this.#changes.values()]];
    const all = await sorted(rows, byKey);
    if (version === this.#version) this.#sorted = all;
    return all;
  }
}

function byKey(a: PendingRow, b: PendingRow): number {
  return compareBytes(a.key, b.key);
}

function firstAtOrAfter(sorted: readonly PendingRow[], key: Uint8Array): number {
  return firstNotBefore(sorted.length, (at) => compareBytes((sorted[at] as PendingRow).key, key) < 0);
}

/**
 * Returns a key as text, with a character for each byte. Concatenating single characters would take 32 bytes of memory
 * for each.
 */
export function textOf(key: Uint8Array): string {
  if (key.length < 1024) return String.fromCharCode(...key);
  return Array.from(key, (byte) => String.fromCharCode(byte)).join("");
}
