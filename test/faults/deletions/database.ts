/** The decoded rows of a fixture, found by their keys. */
import { toHex } from "../../../src/bytes/hex.js";
import type { AnyKey } from "../../../src/keys/index.js";
import type { AnyRow, Schema } from "../../../src/schemas/index.js";
import type { StoredRow } from "../values/subject.js";

/** A row by its parts. The caller names the types, which depend on the kind. */
export interface Decoded<K, V> {
  readonly key: K;
  readonly value: V;
}

export class Database {
  readonly schema: Schema;
  readonly #rows = new Map<string, unknown>();
  readonly #kinds = new Map<string, Decoded<AnyKey, unknown>[]>();

  constructor(schema: Schema, rows: readonly StoredRow[]) {
    this.schema = schema;
    for (const stored of rows) {
      const row = this.rowOf(stored);
      const key = row.key.fromBytes(stored.key);
      const decoded = { key, value: row.valueAt(key).decode(stored.value) };
      this.#rows.set(`${stored.column} ${toHex(stored.key)}`, decoded.value);
      const others = this.#kinds.get(row.kind);
      if (others === undefined) this.#kinds.set(row.kind, [decoded]);
      else others.push(decoded);
    }
  }

  rowOf({ column, key }: StoredRow): AnyRow {
    return this.schema.identify(column, key) as AnyRow;
  }

  has({ COLUMN, bytes }: AnyKey): boolean {
    return this.#rows.has(`${COLUMN} ${toHex(bytes)}`);
  }

  /** Returns the value of a row; undefined if absent. */
  get<V>({ COLUMN, bytes }: AnyKey): V | undefined {
    return this.#rows.get(`${COLUMN} ${toHex(bytes)}`) as V | undefined;
  }

  /** Returns all rows of a kind, by its name. */
  all<K, V>(kind: string): readonly Decoded<K, V>[] {
    return (this.#kinds.get(kind) ?? []) as unknown as readonly Decoded<K, V>[];
  }
}
