/** Contexts and namespaces by their histories: one may have deltas or operations, and no other row. */
import { fromHex, toHex } from "../../bytes/hex.js";
import { ID_BYTES } from "../../bytes/id-table.js";
import { successor } from "../../bytes/order.js";
import type { KeyRange } from "../../keys/index.js";
import type { Schema } from "../../schemas/index.js";
import { hasKind, type NodeReader, rowsOf } from "./rows.js";
import type { Tables } from "./tables.js";

/** The ids with which keys of histories begin, in their order: one seek for each. */
export async function idsOfHistories(
  reader: NodeReader,
  kind: "ContextDagDelta" | "NamespaceGovOp",
): Promise<readonly string[]> {
  const found: string[] = [];
  if (!hasKind(reader, kind)) return found;
  const { column, key } = (reader.schema as unknown as Schema).row(kind);
  const { lt: to, ...range } = key.range({}) as KeyRange<never>;
  const end = key.PREFIX === undefined ? ID_BYTES : 1 + ID_BYTES;
  for (let { gte: from } = range; ; ) {
    const [first] = await reader.raw.scan(column, { gte: from, lt: to }, { limit: 1 }).keys().toArray();
    if (first === undefined) return found;
    found.push(toHex(first.subarray(end - ID_BYTES, end)));
    const next = successor(first.subarray(0, end));
    if (next === undefined) return found;
    from = next;
  }
}

/** Returns whether a row tells of a context, or it has a delta. */
export async function isContext({ reader, contexts }: Tables, id: string): Promise<boolean> {
  if ((await contexts()).has(id)) return true;
  for await (const rows of rowsOf(reader, "ContextDagDelta", { contextId: fromHex(id) }, { limit: 1 }))
    if (rows.length > 0) return true;
  return false;
}

/** Returns whether a row tells of a group, or it is a namespace with an operation. */
export async function isGroup({ reader, groups }: Tables, id: string): Promise<boolean> {
  if ((await groups()).has(id)) return true;
  for await (const rows of rowsOf(reader, "NamespaceGovOp", { namespaceId: fromHex(id) }, { limit: 1 }))
    if (rows.length > 0) return true;
  return false;
}
