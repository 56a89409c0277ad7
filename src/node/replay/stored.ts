/** Rows of groups as they are stored. */
import { fromHex, toHex } from "../../bytes/hex.js";
import { type KindName, type NodeReader, type RowOf, rowsOf } from "../tables/rows.js";

/** So many groups are looked up one by one; for more of them, the kind is read whole. */
const FEW = 32;

/** The rows of a kind whose keys begin with the id of one of the groups. */
export async function* storedRows<K extends KindName>(
  reader: NodeReader,
  kind: K,
  groups: ReadonlySet<string>,
): AsyncGenerator<RowOf<K>, void, undefined> {
  const name = firstPart(reader, kind);
  if (name === undefined) return;
  if (groups.size <= FEW) {
    for (const group of groups)
      for await (const rows of rowsOf(reader, kind, { [name]: fromHex(group) })) yield* rows;
    return;
  }
  for await (const rows of rowsOf(reader, kind))
    for (const row of rows) if (groups.has(toHex(idsOf(row)[0] as Uint8Array))) yield row;
}

/** The ids in the key of a row, in their order. */
export function idsOf({ key }: { readonly key: unknown }): readonly Uint8Array[] {
  const { PARTS } = (
    key as { readonly constructor: { readonly PARTS: readonly { readonly name: string }[] } }
  ).constructor;
  return PARTS.map(({ name }) => (key as Readonly<Record<string, Uint8Array>>)[name] as Uint8Array);
}

/** The name of the first part of a kind's keys; undefined where the revision does not have the kind. */
function firstPart(reader: NodeReader, kind: KindName): string | undefined {
  const rows = reader.schema.rows as readonly {
    readonly kind: string;
    readonly key: { readonly PARTS: readonly { readonly name: string }[] };
  }[];
  return rows.find((row) => row.kind === kind)?.key.PARTS[0]?.name;
}
