/** Uncommitted changes over an engine or a snapshot of one, seen through the same reading contract. */
import { compareBytes, equalBytes } from "../bytes/order.js";
import { checkScan, type ScanPlan } from "../engine/arguments.js";
import type {
  ByteRange,
  EngineReader,
  RawRow,
  RawScan,
  ScanOptions,
  WriteOperation,
} from "../engine/engine.js";
import { RowIterator } from "../engine/row-iterator.js";
import { deletionOf } from "./deletion.js";

/** A changed row; no value where it was deleted. */
interface Change {
  readonly key: Uint8Array;
  readonly value: Uint8Array | undefined;
}

interface Range {
  readonly from: Uint8Array | undefined;
  readonly to: Uint8Array | undefined;
}

/** A change of a row, or the deletion of a range, which may be open at either end. */
export type PendingChange =
  | Exclude<WriteOperation, { type: "deleteRange" }>
  | ({ readonly type: "deleteRange"; readonly column: string } & Range);

/** The changes of one column family. */
class ColumnChanges {
  readonly #changes = new Map<string, Change>();
  /** Deleted ranges. They lie under the changes: what was put later shows. */
  readonly ranges: Range[] = [];
  #sorted: readonly Change[] | undefined;

  set(key: Uint8Array, value: Uint8Array | undefined): void {
    this.#changes.set(textOf(key), { key, value });
    this.#sorted = undefined;
  }

  deleteRange(range: Range): void {
    for (const [text, { key }] of this.#changes) if (contains(range, key)) this.#changes.delete(text);
    this.ranges.push(range);
    this.#sorted = undefined;
  }

  get(key: Uint8Array): Change | undefined {
    const change = this.#changes.get(textOf(key));
    return (
      change ?? (this.ranges.some((range) => contains(range, key)) ? { key, value: undefined } : undefined)
    );
  }

  /** All changes in key order: an array that later changes replace, never alter. */
  sorted(): readonly Change[] {
    this.#sorted ??= [...this.#changes.values()].sort((a, b) => compareBytes(a.key, b.key));
    return this.#sorted;
  }
}

export class PendingReader implements EngineReader {
  readonly #base: EngineReader;
  readonly #columns = new Map<string, ColumnChanges>();

  constructor(base: EngineReader) {
    this.#base = base;
  }

  get columns(): readonly string[] {
    return this.#base.columns;
  }

  /** Adds a change, after those that are there. */
  add(change: PendingChange): void {
    const changes = this.#columns.get(change.column) ?? new ColumnChanges();
    this.#columns.set(change.column, changes);
    if (change.type === "deleteRange") changes.deleteRange(change);
    else changes.set(change.key, change.type === "put" ? change.value : undefined);
  }

  /** The changes as operations: ranges first, since everything put into one came later. */
  async operations(): Promise<WriteOperation[]> {
    const operations: WriteOperation[] = [];
    for (const [column, changes] of this.#columns) {
      for (const range of changes.ranges) {
        const deletion = await deletionOf(this.#base, column, range);
        if (deletion !== undefined) operations.push(deletion);
      }
      for (const { key, value } of changes.sorted()) {
        operations.push(
          value === undefined ? { type: "delete", column, key } : { type: "put", column, key, value },
        );
      }
    }
    return operations;
  }

  clear(): void {
    this.#columns.clear();
  }

  async get(column: string, key: Uint8Array): Promise<Uint8Array | undefined> {
    const change = this.#columns.get(column)?.get(key);
    return change === undefined ? this.#base.get(column, key) : change.value;
  }

  async getMany(column: string, keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]> {
    // Looked at before anything is awaited: a commit meanwhile empties them.
    const changes = this.#columns.get(column);
    const changed = keys.map((key) => changes?.get(key));
    const values = await this.#base.getMany(column, keys);
    return values.map((value, index) => {
      const change = changed[index];
      return change === undefined ? value : change.value;
    });
  }

  scan(column: string, range?: ByteRange, options?: ScanOptions): RawScan {
    const plan = checkScan(range, options);
    const changes = this.#columns.get(column);
    if (changes === undefined) return this.#base.scan(column, range, options);
    const chunks = () => this.#merge(column, plan, changes);
    return { chunks, [Symbol.asyncIterator]: () => new RowIterator(chunks()) };
  }

  async *#merge(
    column: string,
    { from, to, reverse, limit, keysOnly, isEmpty }: ScanPlan,
    changes: ColumnChanges,
  ): AsyncGenerator<readonly RawRow[], void, undefined> {
    if (isEmpty) return;
    const range = { from, to };
    const hidden = [...changes.ranges];
    const pending = changes.sorted().filter(({ key }) => contains(range, key));
    if (reverse) pending.reverse();
    const before = (a: Uint8Array, b: Uint8Array): boolean =>
      (reverse ? compareBytes(b, a) : compareBytes(a, b)) < 0;
    const row = ({ key, value }: Change): RawRow => ({ key, value: keysOnly ? EMPTY : (value ?? EMPTY) });
    let at = 0;
    let left = limit;
    const cut = (rows: RawRow[]): RawRow[] => {
      const kept = rows.length > left ? rows.slice(0, left) : rows;
      left -= kept.length;
      return kept;
    };
    for await (const chunk of this.#base.scan(column, range, { reverse, keysOnly }).chunks()) {
      const rows: RawRow[] = [];
      for (const stored of chunk) {
        for (; at < pending.length && before((pending[at] as Change).key, stored.key); at++) {
          if ((pending[at] as Change).value !== undefined) rows.push(row(pending[at] as Change));
        }
        const change = pending[at];
        if (change !== undefined && equalBytes(change.key, stored.key)) {
          if (change.value !== undefined) rows.push(row(change));
          at++;
        } else if (!hidden.some((one) => contains(one, stored.key))) {
          rows.push(stored);
        }
      }
      const kept = cut(rows);
      if (kept.length > 0) yield kept;
      if (left <= 0) return;
    }
    const rest = cut(
      pending.slice(at).flatMap((change) => (change.value === undefined ? [] : [row(change)])),
    );
    if (rest.length > 0) yield rest;
  }
}

const EMPTY = new Uint8Array(0);

/** A map key: one character a byte. */
function textOf(key: Uint8Array): string {
  let text = "";
  for (let at = 0; at < key.length; at++) text += String.fromCharCode(key[at] as number);
  return text;
}

function contains({ from, to }: ByteRange, key: Uint8Array): boolean {
  return (
    (from === undefined || compareBytes(from, key) <= 0) && (to === undefined || compareBytes(key, to) < 0)
  );
}
