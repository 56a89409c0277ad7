import type { Codec } from "../codec/index.js";
import { DecodeError, ReadFailure } from "../codec/index.js";
import { withoutStack } from "../errors.js";
import type { AnyKey, KeyOf } from "../keys/index.js";
import {
  type AnyRow,
  knownRowToJson,
  type Row,
  type RowJson,
  type RowsOfKind,
  type Schema,
} from "../schemas/index.js";

/**
 * A row of a scan. A value that does not decode does not end the scan: its row has the bytes, and an `error` instead of
 * a value.
 *
 * @example
 * for await (const { key, value, error } of store.table(ContextMeta).scan()) {
 *   if (error) console.warn(error.message);
 *   else console.log(`${key} ${toHex(value.rootHash)}`);
 * }
 */
export type Entry<K extends AnyKey, V> = DecodedEntry<K, V> | UndecodedEntry<K>;

/** A row of a scan whose value decodes. */
export interface DecodedEntry<K extends AnyKey, V> extends StoredEntry<K> {
  /** The decoded value. Byte arrays inside it are views into `bytes`. */
  readonly value: V;
  /** Undefined: the value decodes. */
  readonly error: undefined;
}

/** A row of a scan whose value does not decode. */
export interface UndecodedEntry<K extends AnyKey> extends StoredEntry<K> {
  /** Undefined: the value does not decode. */
  readonly value: undefined;
  /** The error. It has no stack trace, because it is not thrown. */
  readonly error: DecodeError;
}

/** The properties of every row of a scan. */
export interface StoredEntry<K extends AnyKey> {
  /** The key, an instance of its class. */
  readonly key: K;
  /** The stored value. Like all bytes of a scan, it is a view: copy bytes that you keep. */
  readonly bytes: Uint8Array;
  /**
   * Returns the JSON form of the row; `JSON.stringify` calls it. Secrets are redacted, except private collections in
   * databases of core-0.10, which cannot be identified from one row: use `rowToJson` with `findPrivateEntities` for
   * them.
   */
  toJSON(): RowJson;
}

/** A row of a scan of a kind; a union over revisions if the revision of the store is not known statically. */
export type EntryOfKind<S extends Schema, K> = EntryOfRow<RowsOfKind<S, K>>;
/** A row of a scan of these kinds of rows. */
export type EntryOfRow<R> = R extends Row<infer C, infer T> ? Entry<KeyOf<C>, T> : never;

/** Decodes a value. @throws DecodeError that names the row */
export function decodeValue<V>(codec: Codec<V>, key: AnyKey, bytes: Uint8Array): V {
  const value = codec.readWhole(bytes);
  if (value instanceof ReadFailure) throw undecodable(codec, key, value);
  return value;
}

type EntryMaker = (key: AnyKey, bytes: Uint8Array) => Entry<AnyKey, unknown>;

/**
 * One class for each kind, and not for each scan: after five scans V8 would see too many shapes of entries, and scans
 * would take twice the time.
 */
const makers = new WeakMap<AnyRow, EntryMaker>();

/** Returns a function that creates the entries of a kind of row. */
export function entriesOf(row: AnyRow): (key: AnyKey, bytes: Uint8Array) => Entry<AnyKey, unknown> {
  const known = makers.get(row);
  if (known !== undefined) return known;
  const made = entryMaker(row);
  makers.set(row, made);
  return made;
}

function entryMaker(row: AnyRow): EntryMaker {
  // One class for each kind, so that entries do not store what all entries of the kind share.
  class Stored {
    readonly key: AnyKey;
    readonly value: unknown;
    readonly error: DecodeError | undefined;
    readonly bytes: Uint8Array;

    constructor(key: AnyKey, value: unknown, error: DecodeError | undefined, bytes: Uint8Array) {
      this.key = key;
      this.value = value;
      this.error = error;
      this.bytes = bytes;
    }

    toJSON(): RowJson {
      return knownRowToJson(row, this.key, this.bytes);
    }
  }
  return (key, bytes) => {
    const codec = row.valueAt(key);
    const value = codec.readWhole(bytes);
    const entry =
      value instanceof ReadFailure
        ? new Stored(
            key,
            undefined,
            withoutStack(() => undecodable(codec, key, value)),
            bytes,
          )
        : new Stored(key, value, undefined, bytes);
    return entry as Entry<AnyKey, unknown>;
  };
}

/** Creates the error for a value that does not decode. */
function undecodable(codec: Codec<unknown>, key: AnyKey, failure: ReadFailure): DecodeError {
  return new DecodeError(codec.type ?? codec.signature, failure, `${key.COLUMN} ${key}`);
}
