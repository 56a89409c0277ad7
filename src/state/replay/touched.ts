/** The entities that some deltas change. */
import { toHex } from "../../bytes/hex.js";
import { Pause } from "../../pause.js";
import type { ContextReplay } from "./replay.js";

/**
 * The ids of the entities that some deltas write or delete, and of their ancestors, at the position of a replay.
 *
 * @internal
 * @param deltas the ids of the deltas
 */
export async function touchedBy(
  { graph, tree: named }: ContextReplay,
  deltas: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const pause = new Pause();
  const ids = new Set<string>();
  const numbers = new Set<number>();
  for (const delta of deltas) {
    const number = graph.numberOf(delta);
    if (number === undefined) continue;
    numbers.add(number);
    for (const action of graph.deltas[number]?.actions ?? []) {
      if (pause.isLong) await pause.ifLong();
      ids.add(toHex(action.id));
      if (!("ancestors" in action)) continue;
      for (const above of action.ancestors) ids.add(toHex("id" in above ? above.id : above));
    }
  }
  // Entities that a deletion takes along, and entries of logs of writers.
  const { byNumber: tree } = named;
  for (let id = 0; id < tree.size; id++) {
    if (pause.isLong) await pause.ifLong();
    if (numbers.has(tree.writerOf(id) ?? -1)) ids.add(tree.nameOf(id));
  }
  // Those that are added here are looked at, too.
  for (const id of ids) {
    if (pause.isLong) await pause.ifLong();
    const above = named.parentOf(id);
    if (above !== undefined) ids.add(above);
  }
  return ids;
}
