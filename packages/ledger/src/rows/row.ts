/** Rows: the layout of keys and values. Each kind of row is declared once. */

import type { Json } from "merostore/codec";
import type { ByteRange, EngineReader, RawRow, WriteOperation } from "merostore/engine";
import { isMerostoreError, MerostoreError, successor, toHex } from "merostore/internal";
import { type KeySegments, KeyTemplate, type KeyValues } from "./key-template.js";

/** The column family of all rows. LevelDB has only this one. */
export const COLUMN = "default";

/** Encodes and decodes values. Every `Codec` is one. */
export interface ValueFormat<T> {
  encode(value: T): Uint8Array;
  decode(bytes: Uint8Array): T;
  toJson(value: T): Json;
}

/** A kind of row. */
export class Row<const S extends KeySegments, V> {
  readonly kind: string;
  /** The meaning of the row, in a sentence without its full stop. */
  readonly description: string;
  readonly key: KeyTemplate<S>;
  readonly value: ValueFormat<V>;

  constructor(kind: string, segments: S, value: ValueFormat<V>, description: string) {
    this.kind = kind;
    this.description = description;
    this.key = new KeyTemplate(kind, segments);
    this.value = value;
  }

  put(parts: KeyValues<S>, value: V): WriteOperation {
    return { type: "put", column: COLUMN, key: this.key.encode(parts), value: this.value.encode(value) };
  }

  delete(parts: KeyValues<S>): WriteOperation {
    return { type: "delete", column: COLUMN, key: this.key.encode(parts) };
  }

  /** Returns the range of the rows with these leading parts. */
  range(leading: Partial<KeyValues<S>> = {}): ByteRange {
    const from = this.key.prefix(leading);
    return { gte: from, lt: successor(from) };
  }

  /**
   * Parses the key of a row of this kind.
   * @throws MerostoreError DATA_INTEGRITY_ERROR
   */
  parts(key: Uint8Array): KeyValues<S> {
    const parts = this.key.parse(key);
    if (parts !== undefined) return parts;
    throw new MerostoreError("DATA_INTEGRITY_ERROR", `the key ${toHex(key)} is not ${this.key.text}`);
  }

  /**
   * Decodes the value of a row of this kind.
   * @throws MerostoreError DATA_INTEGRITY_ERROR
   */
  decode({ key, value }: RawRow): V {
    try {
      return this.value.decode(value);
    } catch (cause) {
      if (!isMerostoreError(cause)) throw cause;
      const message = `the ${this.kind} row ${toHex(key)} has no ${this.kind} as its value: ${cause.message}`;
      throw new MerostoreError("DATA_INTEGRITY_ERROR", message, { cause });
    }
  }
}

/** Returns whether a range has a row. */
export async function hasRow(engine: EngineReader, range: ByteRange): Promise<boolean> {
  for await (const _ of engine.scan(COLUMN, range, { limit: 1 }).keys()) return true;
  return false;
}

/** A row with any key and value. */
export type AnyRow = Row<KeySegments, unknown>;

/** A decoded row and its kind. */
export interface NamedRow {
  readonly row: AnyRow;
  /** The key's parts in their JSON form. */
  readonly key: { readonly [part: string]: Json };
  /** The value in its JSON form; null if it is damaged. */
  readonly value: Json;
  /** The reason why the value cannot be decoded; undefined if it is not damaged. */
  readonly damage: string | undefined;
}

/** Finds the kind of a stored row, and decodes it; undefined for an unknown kind. */
export function nameRow(rows: readonly AnyRow[], stored: RawRow): NamedRow | undefined {
  for (const row of rows) {
    const parts = row.key.parse(stored.key);
    if (parts === undefined) continue;
    const key = row.key.toJson(parts);
    try {
      return { row, key, value: row.value.toJson(row.decode(stored)), damage: undefined };
    } catch (error) {
      if (!isMerostoreError(error, "DATA_INTEGRITY_ERROR")) throw error;
      return { row, key, value: null, damage: error.message };
    }
  }
  return undefined;
}
