/** The deltas that a node has not applied. The replay of its deltas uses the same criteria. */
import { fromHex } from "../bytes/hex.js";
import { PendingDeltas } from "../node/history/pending.js";
import type { NodeReader } from "../node/tables/rows.js";
import type { Schema } from "../schemas/index.js";
import { EntityRows } from "../state/entity-rows.js";
import { layoutOf } from "../state/layouts/layout-of.js";
import { deltaOf } from "../state/replay/delta.js";
import { isInState } from "../state/replay/deltas.js";

/**
 * The pending deltas of a context.
 *
 * @param context 64 hex digits
 * @param heads ids of deltas, 64 hex digits each
 */
export function pendingDeltas(
  reader: NodeReader,
  context: string,
  heads: readonly string[],
): Promise<PendingDeltas> {
  const schema = reader.schema as unknown as Schema;
  // The documented revision has no entities.
  const rows =
    schema.name === "documented" ? undefined : new EntityRows(reader.raw, fromHex(context), layoutOf(schema));
  return PendingDeltas.read(
    reader,
    context,
    heads,
    async (row) => rows !== undefined && isInState(await deltaOf(row), rows),
  );
}
