/**
 * An immutable table of rows in key order: a snapshot is a reference. An edit copies only the list of leaves and the
 * leaves that it changes, so neither single writes nor large batches take quadratic time.
 */

import { compareBytes, equalBytes } from "../../bytes/order.js";
import { firstNotBefore } from "../../bytes/search.js";
import type { RawRow } from "../../engine/engine.js";

/** A leaf with more rows is split. */
const LEAF_ROWS = 512;

/** Sorted by key, never empty. */
type Leaf = RawRow[];

/** A place between rows: before row `row` of leaf `leaf`. */
interface Position {
  readonly leaf: number;
  readonly row: number;
}

export class SortedTable {
  static readonly EMPTY = new SortedTable([]);
  readonly #leaves: readonly Leaf[];

  private constructor(leaves: readonly Leaf[]) {
    this.#leaves = leaves;
  }

  /** Returns the value of a key. */
  get(key: Uint8Array): Uint8Array | undefined {
    const { leaf, row } = seek(this.#leaves, key);
    const found = this.#leaves[leaf]?.[row];
    return found !== undefined && equalBytes(found.key, key) ? found.value : undefined;
  }

  /** The rows of `[from, to)` in ascending or descending order. */
  *rows(from: Uint8Array | undefined, to: Uint8Array | undefined, reverse: boolean): Generator<RawRow> {
    const start = from === undefined ? { leaf: 0, row: 0 } : seek(this.#leaves, from);
    const end = to === undefined ? { leaf: this.#leaves.length, row: 0 } : seek(this.#leaves, to);
    if (reverse) {
      for (let at = Math.min(end.leaf, this.#leaves.length - 1); at >= start.leaf; at--) {
        const leaf = this.#leaves[at] as Leaf;
        const low = at === start.leaf ? start.row : 0;
        for (let row = (at === end.leaf ? end.row : leaf.length) - 1; row >= low; row--)
          yield leaf[row] as RawRow;
      }
    } else {
      for (let at = start.leaf; at <= end.leaf && at < this.#leaves.length; at++) {
        const leaf = this.#leaves[at] as Leaf;
        const high = at === end.leaf ? end.row : leaf.length;
        for (let row = at === start.leaf ? start.row : 0; row < high; row++) yield leaf[row] as RawRow;
      }
    }
  }

  /** Returns a changed copy of the table. */
  edit(change: (edit: TableEdit) => void): SortedTable {
    const edit = new TableEdit(this.#leaves);
    change(edit);
    return new SortedTable(edit.leaves);
  }
}

/** Changes to a copy of a table. */
class TableEdit {
  readonly leaves: Leaf[];
  /** Leaves that this edit made, and so may change in place. */
  readonly #own = new Set<Leaf>();

  constructor(leaves: readonly Leaf[]) {
    this.leaves = leaves.slice();
  }

  put(key: Uint8Array, value: Uint8Array): void {
    const { leaf: at, row } = seek(this.leaves, key);
    if (at === this.leaves.length) {
      this.#append({ key, value });
      return;
    }
    const leaf = this.#owned(at);
    const found = leaf[row];
    const replaces = found !== undefined && equalBytes(found.key, key);
    leaf.splice(row, replaces ? 1 : 0, { key, value });
    if (leaf.length > LEAF_ROWS) this.#split(at, leaf.length >>> 1);
  }

  delete(key: Uint8Array): void {
    const { leaf: at, row } = seek(this.leaves, key);
    const found = this.leaves[at]?.[row];
    if (found === undefined || !equalBytes(found.key, key)) return;
    const leaf = this.#owned(at);
    leaf.splice(row, 1);
    if (leaf.length === 0) this.leaves.splice(at, 1);
  }

  /** Deletes the keys in `[from, to)`, which must not be inverted. */
  deleteRange(from: Uint8Array, to: Uint8Array): void {
    const start = this.#cut(seek(this.leaves, from));
    const end = this.#cut(seek(this.leaves, to));
    this.leaves.splice(start, end - start);
  }

  /** Splits the leaf at a position. Returns the index of the leaf that begins there. */
  #cut({ leaf, row }: Position): number {
    if (row === 0 || leaf === this.leaves.length) return leaf;
    this.#split(leaf, row);
    return leaf + 1;
  }

  #split(at: number, row: number): void {
    const leaf = this.#owned(at);
    const right = leaf.splice(row);
    this.#own.add(right);
    this.leaves.splice(at + 1, 0, right);
  }

  /** Adds a row after all others. Full leaves stay full: ascending writes do not halve them. */
  #append(row: RawRow): void {
    const last = this.leaves.length - 1;
    if (last >= 0 && (this.leaves[last] as Leaf).length < LEAF_ROWS) {
      this.#owned(last).push(row);
      return;
    }
    const leaf = [row];
    this.#own.add(leaf);
    this.leaves.push(leaf);
  }

  #owned(at: number): Leaf {
    const leaf = this.leaves[at] as Leaf;
    if (this.#own.has(leaf)) return leaf;
    const copy = leaf.slice();
    this.#own.add(copy);
    this.leaves[at] = copy;
    return copy;
  }
}

/** Returns the position of the first row at or after a key: in the first leaf whose last key is not before the key. */
function seek(leaves: readonly Leaf[], key: Uint8Array): Position {
  const leaf = firstNotBefore(leaves.length, (at) => {
    const rows = leaves[at] as Leaf;
    return compareBytes((rows[rows.length - 1] as RawRow).key, key) < 0;
  });
  const rows = leaves[leaf];
  if (rows === undefined) return { leaf, row: 0 };
  return { leaf, row: firstNotBefore(rows.length, (at) => compareBytes((rows[at] as RawRow).key, key) < 0) };
}
