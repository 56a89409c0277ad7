/** Rows of groups as they are stored, and their keys. */

import { fromHex, toHex } from "../../bytes/hex.js";
import { ID_BYTES } from "../../bytes/id-table.js";
import type { Codec } from "../../codec/index.js";
import { slices } from "../../collections/lists.js";
import type { AnyKey, KeyRange } from "../../keys/index.js";
import type { Schema } from "../../schemas/index.js";
import { hasKind, type KindName, type NodeReader, type RowOf, rowsAt, rowsOf } from "../tables/rows.js";

/** Up to this many groups are looked up one by one; for more of them, the kind is read whole. */
const FEW = 32;

/** The rows of a kind whose keys begin with the id of one of the groups, in arrays. */
export async function* storedRows<K extends KindName>(
  reader: NodeReader,
  kind: K,
  groups: ReadonlySet<string>,
): AsyncGenerator<readonly RowOf<K>[], void, undefined> {
  if (!hasKind(reader, kind)) return;
  const { name } = keyClassOf(reader, kind).PARTS[0] as { readonly name: string };
  if (groups.size <= FEW) {
    for (const group of groups) yield* rowsOf(reader, kind, { [name]: fromHex(group) });
    return;
  }
  for await (const rows of rowsOf(reader, kind))
    yield rows.filter((row) => groups.has(toHex(idsOf(row)[0] as Uint8Array)));
}

/** The keys of all rows of a kind, with the group that each begins with. Reads no values. */
export async function* storedKeys(
  reader: NodeReader,
  kind: KindName,
): AsyncGenerator<{ readonly group: string; key(): AnyKey }, void, undefined> {
  if (!hasKind(reader, kind)) return;
  const { column, key: Key } = (reader.schema as unknown as Schema).row(kind);
  const { gte: from, lt: to } = Key.range({}) as KeyRange<never>;
  for await (const keys of reader.raw.scan(column, { gte: from, lt: to }).keys().chunks())
    for (const key of keys)
      if (key.length === Key.SIZE)
        yield { group: toHex(key.subarray(1, 1 + ID_BYTES)), key: () => Key.fromBytes(key) as AnyKey };
}

/** Keys that are looked up in one round. */
const ROUND = 512;

/** The rows of a kind whose keys are these ids of contexts. */
export async function* rowsOfContexts<K extends "ContextGroupRef" | "ContextServiceName">(
  reader: NodeReader,
  kind: K,
  contexts: ReadonlySet<string>,
): AsyncGenerator<RowOf<K>, void, undefined> {
  for (const round of slices(contexts, ROUND)) {
    const keys = round.map((contextId) => ({ contextId: fromHex(contextId) }));
    for (const row of await rowsAt(reader, kind, keys)) if (row !== undefined) yield row;
  }
}

/** The ids in the key of a row, in their order. */
export function idsOf({ key }: { readonly key: unknown }): readonly Uint8Array[] {
  const { PARTS } = (
    key as { readonly constructor: { readonly PARTS: readonly { readonly name: string }[] } }
  ).constructor;
  return PARTS.map(({ name }) => (key as Readonly<Record<string, Uint8Array>>)[name] as Uint8Array);
}

/** The codec of the values of a kind. */
export function codecOf(reader: NodeReader, kind: KindName): Codec<unknown> {
  return (reader.schema as unknown as { row(kind: string): { readonly value: Codec<unknown> } }).row(kind)
    .value;
}

/** A row by its kind and the ids in its key, 64 hex digits each. */
interface RowName {
  readonly kind: KindName;
  readonly ids: readonly string[];
}

/** The parts of the key of a row. */
export function partsOf(reader: NodeReader, { kind, ids }: RowName): Readonly<Record<string, Uint8Array>> {
  return Object.fromEntries(
    keyClassOf(reader, kind).PARTS.map(({ name }, at) => [name, fromHex(ids[at] as string)]),
  );
}

/** The key of a row. */
export function keyOf(reader: NodeReader, row: RowName): AnyKey {
  return new (keyClassOf(reader, row.kind))(partsOf(reader, row));
}

type KeyClass = { readonly PARTS: readonly { readonly name: string }[] } & (new (
  parts: Readonly<Record<string, Uint8Array>>,
) => AnyKey);

function keyClassOf(reader: NodeReader, kind: KindName): KeyClass {
  return (reader.schema as unknown as { row(kind: string): { readonly key: KeyClass } }).row(kind).key;
}
