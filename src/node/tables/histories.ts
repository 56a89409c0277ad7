/** Contexts and namespaces by their histories: one may have deltas or operations, and no other row. */
import { fromHex, toHex } from "../../bytes/hex.js";
import { ID_BYTES } from "../../bytes/id-table.js";
import { successor } from "../../bytes/order.js";
import type { KeyRange } from "../../keys/index.js";
import type { Schema } from "../../schemas/index.js";
import { hasKind, type NodeReader } from "./rows.js";
import type { Tables } from "./tables.js";

/** The kinds of rows of histories. */
type History = "ContextDagDelta" | "NamespaceGovOp";

/** The ids with which keys of histories begin, in their order: one seek for each. */
export async function idsOfHistories(reader: NodeReader, kind: History): Promise<readonly string[]> {
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

/** Returns whether a row names a context, or the context has a delta. The delta need not decode. */
export async function isContext({ reader, contexts }: Tables, id: string): Promise<boolean> {
  return (await contexts()).has(id) || hasHistory(reader, "ContextDagDelta", { contextId: fromHex(id) });
}

/**
 * Returns whether a row names a group, or the group is a namespace with an operation. The operation need not decode.
 */
export async function isGroup({ reader, groups }: Tables, id: string): Promise<boolean> {
  return (await groups()).has(id) || hasHistory(reader, "NamespaceGovOp", { namespaceId: fromHex(id) });
}

async function hasHistory(reader: NodeReader, kind: History, parts: object): Promise<boolean> {
  if (!hasKind(reader, kind)) return false;
  const { column, key } = (reader.schema as unknown as Schema).row(kind);
  const { gte, lt } = key.range(parts as never) as KeyRange<never>;
  const [first] = await reader.raw.scan(column, { gte, lt }, { limit: 1 }).keys().toArray();
  return first !== undefined;
}
