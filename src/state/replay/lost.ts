/** Deltas whose rows were lost. */
import { checkArgument } from "../../options.js";
import { Pause } from "../../pause.js";
import { isReplay } from "../arguments.js";
import type { ContextReplay } from "./replay.js";

/**
 * The ids of deltas that the node had and lost, 64 hex digits each: heads or applied deltas name them, and neither a
 * snapshot nor pruning explains their absence. The state may have their changes, which no known delta explains.
 */
export async function lostDeltas(replay: ContextReplay): Promise<readonly string[]> {
  checkArgument("lostDeltas", replay, isReplay);
  const { graph, missing, checkpointIds } = replay;
  if (missing.length === 0 || graph.deltas.length === 0) return [];
  // A history that begins with the context's first delta has all of them.
  if (checkpointIds.length === 0 && graph.hasFirst) return missing;
  const before = new Set<string>();
  const pause = new Pause();
  for (const [number, delta] of graph.deltas.entries()) {
    if (pause.isLong) await pause.ifLong();
    if (graph.lacksParents(number)) for (const parent of delta.parents) before.add(parent);
  }
  return missing.filter((id) => !before.has(id));
}
