/** Deltas of a replay without a row, with what each says of itself. */
import type { Codec } from "../../../src/codec/index.js";
import { Metadata011 } from "../../../src/payloads/index.js";
import type { EntityMetadata } from "../../../src/state/index-row.js";
import { listed011 } from "../../../src/state/layouts/two-rows.js";
import { DeltaApplier } from "../../../src/state/replay/apply.js";
import { ReplayCursor } from "../../../src/state/replay/cursor.js";
import type { DeltaOfRow } from "../../../src/state/replay/delta.js";
import { EntityTree } from "../../../src/state/replay/entity-tree.js";
import { DeltaGraph } from "../../../src/state/replay/graph.js";
import { PackedDeltas } from "../../../src/state/replay/packed-deltas.js";

/** A delta that says nothing but this. */
export const plainDelta = (
  says: Pick<DeltaOfRow, "deltaId" | "follows" | "clock" | "actions"> & Partial<DeltaOfRow>,
): DeltaOfRow => ({
  authorId: undefined,
  witness: undefined,
  signer: undefined,
  isSigned: false,
  isApplied: true,
  checkpoint: undefined,
  expected: undefined,
  unread: undefined,
  ...says,
});

/** The graph of deltas, and a cursor before the first. */
export async function replayOf(
  deltas: readonly DeltaOfRow[],
  root: string,
  merge: ConstructorParameters<typeof DeltaApplier>[2] = () => undefined,
) {
  const packed = new PackedDeltas(Metadata011 as Codec<EntityMetadata>);
  const added = deltas.map((delta) => packed.add(delta));
  const graph = await DeltaGraph.of(packed.ids, added);
  const tree = new EntityTree("id", packed);
  const cursor = new ReplayCursor(tree, graph, new DeltaApplier(tree, root, merge, listed011.replay.rules));
  return { graph, tree, cursor };
}
