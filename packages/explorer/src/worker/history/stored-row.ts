/** The row of the database that holds an operation or a delta. */
import { fromHex, toHex } from "merostore";
import type { Database } from "../database/database.js";
import type { HistoryOf } from "./rows.js";

/** A row. */
export interface StoredRow {
  readonly kind: string;
  /** The key, in hex. */
  readonly key: string;
  /** Bytes of the value. */
  readonly bytes: number;
}

/** A row, as a history names it. */
export interface RowOfHistory {
  readonly of: HistoryOf;
  /** The context, namespace or group. */
  readonly within: string;
  /** The id of the delta or operation. */
  readonly id: string;
  /** The number in a group's own log, whose keys have it instead of the id. Undefined if it is unknown. */
  readonly sequence: bigint | undefined;
}

/** Finds the row; undefined if it is gone. */
export async function storedRow(
  { store }: Database,
  { of, within, id, sequence }: RowOfHistory,
): Promise<StoredRow | undefined> {
  const kind = { context: "ContextDagDelta", namespace: "NamespaceGovOp", group: "GroupOpLog" }[of];
  if (of === "group" && sequence === undefined) return undefined;
  const parts = {
    context: { contextId: fromHex(within), deltaId: fromHex(id) },
    namespace: { namespaceId: fromHex(within), deltaId: fromHex(id) },
    group: { groupId: fromHex(within), sequence },
  }[of];
  // Each revision has its own class for the same kind of keys.
  const row = store.schema.row(kind as "ContextDagDelta");
  const key = new (row.key as unknown as new (parts: object) => { readonly bytes: Uint8Array })(parts);
  const value = await store.raw.get(row.column, key.bytes);
  return value && { kind, key: toHex(key.bytes), bytes: value.length };
}
