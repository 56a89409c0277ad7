import type { Codec } from "../codec/index.js";
import { DecodeError } from "../codec/index.js";
import type { AnyKey, KeyOf } from "../keys/index.js";
import type { Row, RowsOfKind, Schema } from "../schemas/index.js";

/**
 * A row of a scan. A value that does not decode stops nothing: such a row has an `error`, and its bytes.
 *
 * @example
 * for await (const { key, value, error } of store.scan(ContextMeta)) {
 *   if (error) console.warn(error.message);
 *   else console.log(`${key} ${toHex(value.rootHash)}`);
 * }
 */
export type Entry<K extends AnyKey, V> =
  | {
      readonly key: K;
      readonly value: V;
      readonly error: undefined;
      /** The value as it is stored. Like all bytes of a scan a view: copy what is kept for long. */
      readonly bytes: Uint8Array;
    }
  | { readonly key: K; readonly value: undefined; readonly error: DecodeError; readonly bytes: Uint8Array };

/** A row of a scan of a kind: of one of several revisions where it is not known which one a store has. */
export type EntryOfKind<S extends Schema, K> = EntryOfRow<RowsOfKind<S, K>>;
type EntryOfRow<R> = R extends Row<infer C, infer T> ? Entry<KeyOf<C>, T> : never;

/** A row of a scan with `keysOnly`. */
export interface KeyEntry<K extends AnyKey> {
  readonly key: K;
}

/** Decodes the value of a key. @throws DecodeError that names the row */
export function decodeValue<V>(codec: Codec<V>, key: AnyKey, bytes: Uint8Array): V {
  try {
    return codec.decode(bytes);
  } catch (error) {
    throw error instanceof DecodeError ? error.in(`${key.COLUMN} ${key}`) : error;
  }
}

/** The entry of a key and its stored value, decoded or with the error. */
export function toEntry<K extends AnyKey, V>(codec: Codec<V>, key: K, bytes: Uint8Array): Entry<K, V> {
  try {
    return { key, value: codec.decode(bytes), error: undefined, bytes };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return { key, value: undefined, error: error.in(`${key.COLUMN} ${key}`), bytes };
  }
}
