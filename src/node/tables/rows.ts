/** Rows of a kind in the revision of a database. */
import { toHex } from "../../bytes/hex.js";
import { type DecodeError, type Payload, ReadFailure } from "../../codec/index.js";
import { abortable } from "../../engine/abortable.js";
import type { ScanOptions } from "../../engine/engine.js";
import type { AnyKey, AnyKeyClass } from "../../keys/index.js";
import type { KnownSchema, Schema } from "../../schemas/index.js";
import { type EntryOfKind, StoreReader } from "../../store/browser.js";
import { unreadOf } from "./unread.js";

/** A store or a snapshot of one, of any revision. */
export type NodeReader = StoreReader<KnownSchema>;

/** A reader whose reads reject with the reason of a signal once it has aborted. */
export function readerWith(reader: NodeReader, signal: AbortSignal | undefined): NodeReader {
  return signal === undefined ? reader : new StoreReader(abortable(reader.raw, signal), reader.schema);
}

/** The names of all kinds of rows, of all revisions. */
export type KindName = KnownSchema["rows"][number]["kind"];

/** A row whose value decodes. Its key and value have the types of one of the revisions. */
export type RowOf<K extends KindName> = Extract<EntryOfKind<KnownSchema, K>, { readonly error: undefined }>;

/** Leading parts of a key, by name: the same in all revisions of a kind that is looked up so. */
export type LeadingIds = Readonly<Record<string, Uint8Array>>;

/** Returns whether the revision of a database has a kind of row, and the database its column family. */
export function hasKind({ schema, columns }: NodeReader, kind: KindName): boolean {
  const row = anyRows(schema).rows.find((one) => one.kind === kind);
  return row !== undefined && columns.includes(row.column);
}

/** A row. Its value is undefined if it does not decode. */
export type RowOrKey<K extends KindName> =
  | RowOf<K>
  | { readonly key: RowOf<K>["key"]; readonly value: undefined; readonly bytes: Uint8Array };

/** The rows of a kind, in arrays, in key order; no rows if the revision does not have the kind. */
export async function* allRowsOf<K extends KindName>(
  reader: NodeReader,
  kind: K,
  leading: LeadingIds = {},
  options: Pick<ScanOptions, "reverse" | "limit"> = {},
): AsyncGenerator<readonly RowOrKey<K>[], void, undefined> {
  if (!hasKind(reader, kind)) return;
  const table = (reader as unknown as StoreReader).table(kind);
  for await (const rows of table.scan({ prefix: leading, ...options }).chunks()) {
    for (const { key, error } of rows as readonly { key: AnyKey; error?: DecodeError }[])
      if (error !== undefined) unreadOf(reader).add(kind, key, error.mayBeLater);
    yield rows as unknown as readonly RowOrKey<K>[];
  }
}

/**
 * The rows of a kind that decode, in arrays, in key order; no rows if the revision does not have the kind. Other rows
 * are counted among the unread rows.
 */
export async function* rowsOf<K extends KindName>(
  reader: NodeReader,
  kind: K,
  leading: LeadingIds = {},
  options: Pick<ScanOptions, "reverse" | "limit"> = {},
): AsyncGenerator<readonly RowOf<K>[], void, undefined> {
  for await (const rows of allRowsOf(reader, kind, leading, options))
    yield (rows as readonly { readonly error?: unknown }[]).filter(
      ({ error }) => error === undefined,
    ) as unknown as readonly RowOf<K>[];
}

/**
 * The value of a payload of a row; undefined in the documented revision, which does not define its layout. If it does
 * not decode, it is undefined too, and the row is counted among the unread rows.
 */
export function insideOf<P extends Payload<unknown>>(
  reader: NodeReader,
  key: AnyKey,
  inside: P | Uint8Array,
): P["value"] {
  if (inside instanceof Uint8Array) return undefined;
  const { value, codec, bytes } = inside;
  const failure = value === undefined && codec.readWhole(bytes);
  if (failure instanceof ReadFailure)
    unreadOf(reader).add((key.constructor as unknown as AnyKeyClass).KIND, key, failure.mayBeLater);
  return value;
}

/**
 * The keys of all rows of a kind, whether their values decode or not; no keys if the revision does not have the kind.
 */
export async function* keysOf<K extends KindName>(
  reader: NodeReader,
  kind: K,
): AsyncGenerator<readonly RowOf<K>["key"][], void, undefined> {
  if (!hasKind(reader, kind)) return;
  for await (const keys of (reader as unknown as StoreReader).table(kind).scan().keys().chunks())
    yield keys as unknown as readonly RowOf<K>["key"][];
}

/** A row as far as {@link mapOf} reads it. */
interface ValueAt<K extends KindName> {
  readonly key: LeadingIds;
  readonly value: RowOf<K>["value"];
}

/**
 * The values of a kind by ids in their keys, as hex.
 *
 * @param parts the parts of keys that hold the ids
 */
export async function mapOf<K extends KindName, T>(
  reader: NodeReader,
  kind: K,
  parts: readonly (string & keyof RowOf<K>["key"])[],
  read: (value: RowOf<K>["value"], id: string) => T,
): Promise<Map<string, T>> {
  const map = new Map<string, T>();
  for await (const rows of rowsOf(reader, kind))
    for (const { key, value } of rows as unknown as readonly ValueAt<K>[]) {
      let id = "";
      for (const part of parts) id += toHex(key[part] as Uint8Array);
      map.set(id, read(value, id));
    }
  return map;
}

/** The value of one row; undefined if it is absent, or the revision does not have the kind. */
export async function firstValue<K extends KindName>(
  reader: NodeReader,
  kind: K,
  leading: LeadingIds,
): Promise<RowOf<K>["value"] | undefined> {
  for await (const rows of rowsOf(reader, kind, leading, { limit: 1 }))
    return (rows[0] as { readonly value: RowOf<K>["value"] } | undefined)?.value;
  return undefined;
}

/**
 * The rows of whole keys, in the order of the keys, with one read for all. Undefined for a row that is absent or does
 * not decode.
 */
export async function rowsAt<K extends KindName>(
  reader: NodeReader,
  kind: K,
  keys: readonly LeadingIds[],
): Promise<readonly (RowOf<K> | undefined)[]> {
  const found = await storedAt(reader, kind, keys);
  return keys.map((_, at) => {
    const stored = found[at];
    if (stored === undefined) return undefined;
    const { key, bytes } = stored;
    const value = anyRows(reader.schema).row(kind).valueAt(key).readWhole(bytes);
    if (!(value instanceof ReadFailure))
      return { key, value, bytes, error: undefined } as unknown as RowOf<K>;
    unreadOf(reader).add(kind, key, value.mayBeLater);
    return undefined;
  });
}

/** Returns for each of several whole keys whether a row exists. Its value need not decode. */
export async function areThere(
  reader: NodeReader,
  kind: KindName,
  keys: readonly LeadingIds[],
): Promise<readonly boolean[]> {
  const found = await storedAt(reader, kind, keys);
  return keys.map((_, at) => found[at] !== undefined);
}

/** The keys and stored values of whole keys, in their order; empty if the revision does not have the kind. */
async function storedAt(
  reader: NodeReader,
  kind: KindName,
  keys: readonly LeadingIds[],
): Promise<readonly ({ readonly key: AnyKey; readonly bytes: Uint8Array } | undefined)[]> {
  if (!hasKind(reader, kind) || keys.length === 0) return [];
  const { column, key: KeyOfKind } = anyRows(reader.schema).row(kind);
  const made = keys.map((parts) => new (KeyOfKind as unknown as new (parts: LeadingIds) => AnyKey)(parts));
  const found = await reader.raw.getMany(
    column,
    made.map(({ bytes }) => bytes),
  );
  return made.map((key, at) => {
    const bytes = found[at];
    return bytes && { key, bytes };
  });
}

/** The schema as one of any rows: the union of all rows of all revisions is too much for the compiler. */
function anyRows(schema: KnownSchema): Schema {
  return schema as unknown as Schema;
}
