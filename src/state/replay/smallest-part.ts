/** The smallest part of a history that still gives some result: delta debugging over a replay. */
import { checkArgument, isFunction } from "../../options.js";
import { isReplay } from "../arguments.js";
import type { ContextReplay } from "./replay.js";

/** The result of a search for a small part of a history. */
export interface SmallestPart {
  /** The numbers of the deltas, ascending. No delta can be left out. */
  readonly numbers: readonly number[];
  /** The number of replays. */
  readonly tries: number;
}

/**
 * Finds a minimal set of deltas for which `holds` returns true (Zeller, "ddmin"): no delta can be left out. Undefined
 * if `holds` returns false for all deltas together.
 *
 * @param holds tests the state that the replay was moved to
 */
export async function smallestPart(
  replay: ContextReplay,
  holds: (kept: ReadonlySet<number>) => boolean | Promise<boolean>,
): Promise<SmallestPart | undefined> {
  checkArgument("smallestPart", replay, isReplay);
  checkArgument("smallestPart", holds, isFunction);
  let tries = 0;
  const leads = async (numbers: readonly number[]): Promise<boolean> => {
    tries++;
    const kept = new Set(numbers);
    await replay.moveToOnly(kept);
    return holds(kept);
  };
  let kept = Array.from({ length: replay.length }, (_, number) => number);
  if (!(await leads(kept))) return undefined;
  for (let pieces = 2; kept.length > 0; ) {
    const size = Math.max(1, Math.ceil(kept.length / pieces));
    let without: readonly number[] | undefined;
    // The newest deltas are left out first: mostly, they came after the relevant ones.
    for (let end = kept.length; end > 0 && without === undefined; end -= size) {
      const rest = [...kept.slice(0, Math.max(0, end - size)), ...kept.slice(end)];
      if (await leads(rest)) without = rest;
    }
    if (without !== undefined) {
      kept = [...without];
      pieces = Math.max(2, pieces - 1);
    } else if (size === 1) break;
    else pieces = Math.min(kept.length, 2 * pieces);
  }
  return { numbers: kept, tries };
}
