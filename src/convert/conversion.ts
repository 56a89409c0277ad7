/** The declaration of a conversion of one kind of row, and the result for a row. */
import type { Codec, Json } from "../codec/index.js";
import type { AnyKeyClass, KeyOf } from "../keys/index.js";
import type { Core010, KindsOf, RowsOfKind, ValueOfKind } from "../schemas/index.js";

/** A row of the new database. */
export interface NewRow {
  readonly column: string;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** The result of the conversion of a row: new rows, or the reason why the row is left behind. */
export type Outcome =
  | {
      /** The rows that it becomes. */
      readonly rows: readonly NewRow[];
      /** Fields without a place in core-0.11. The file of rows left behind keeps them. */
      readonly lost?: { readonly fields: Readonly<Record<string, Json>>; readonly why: string } | undefined;
    }
  | {
      readonly rows?: undefined;
      /** The reason why the row is left behind. */
      readonly left: string;
    };

/** A row of the old database, decoded. */
export interface OldRow<K extends AnyKeyClass, T> {
  readonly key: KeyOf<K>;
  readonly keyBytes: Uint8Array;
  readonly value: T;
  readonly valueBytes: Uint8Array;
  /** The JSON form of fields of the value. */
  fields(...names: readonly string[]): Readonly<Record<string, Json>>;
}

/** The facts that conversions need in addition to their row. */
export interface ConversionTools {
  /** True if rows that are valid as bytes only are written too. */
  readonly asBytes: boolean;
  /** Returns how often an id occurs in the links of all blobs. */
  blobLinks(id: Uint8Array): number;
  /** Returns the recomputed full hash of the root of a context's state; undefined if it has none. */
  rootHash(contextId: Uint8Array): Promise<Uint8Array | undefined>;
  /** Returns true once: only one key pair can become the node's own. */
  takeNodeIdentity(): boolean;
}

/**
 * The fate of a row of core-0.10 in a node of core-0.11 if nobody converted it and it decodes. `reads`: as before. `misses`: it
 * decodes, but its key or content names something that does not exist. `never`: nothing reads such rows.
 */
export type NodeReading = "reads" | "misses" | "never";

/** The conversion of a kind of row. */
export interface Conversion<K extends AnyKeyClass, T> {
  /** The fate of such a row in a node of core-0.11, if the node can decode it. */
  readonly unconverted: NodeReading;
  /** The consequence of unconverted rows for the operator of a node of core-0.11, in a sentence. */
  readonly means: string;
  /** Returns the outcome of a row; `tree` if the rows of a context are converted together. */
  readonly convert: "tree" | ((row: OldRow<K, T>, tools: ConversionTools) => Outcome | Promise<Outcome>);
}

/** The conversion of the rows of a kind of core-0.10. */
export type ConversionOf<K> = Conversion<RowsOfKind<Core010, K>["key"], ValueOfKind<Core010, K>>;

/** The conversion of each kind of row of core-0.10. A kind without one does not compile. */
export type Conversions = { readonly [K in KindsOf<Core010>]: ConversionOf<K> };

/** A row of the old database as it is stored. */
export interface StoredRow {
  readonly key: { readonly COLUMN: string };
  readonly keyBytes: Uint8Array;
  readonly valueBytes: Uint8Array;
}

/** The same row in the new database. */
export function unchanged({ key, keyBytes, valueBytes }: StoredRow): NewRow {
  return { column: key.COLUMN, key: keyBytes, value: valueBytes };
}

/** Copies rows: the bytes have the same meaning in both revisions. */
export function copied(means: string) {
  return {
    unconverted: "reads",
    means,
    convert: (row: StoredRow): Outcome => ({ rows: [unchanged(row)] }),
  } as const;
}

/** Returns a row with a key of bytes. */
export function newRow<T>(column: string, key: Uint8Array, codec: Codec<T>, value: T): NewRow {
  return { column, key, value: codec.encode(value) };
}
