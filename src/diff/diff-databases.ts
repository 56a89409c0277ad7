/** The differences between two databases by row, by context and by group, in one pass. */
import { checkOptions, isFunction, type OptionChecks } from "../options.js";
import { type ProgressOptions, progressOptions } from "../progress.js";
import {
  ComparedContexts,
  type ContextsDifference,
  contextsDifference,
  gatheringByContext,
} from "./by-context.js";
import { type GroupsDifference, gatheringByGroup, groupsDifference } from "./by-group.js";
import type { RowDifference } from "./compare-rows.js";
import { differingRows } from "./diff-rows.js";
import { gather } from "./gather.js";
import { checkSources, type RowSource } from "./row-source.js";

/** The options of {@link diffDatabases}. */
export interface DifferencesOptions extends ProgressOptions {
  /** Called with each row that differs, in the order of the column families and keys. */
  readonly onDifference?: ((row: RowDifference) => void) | undefined;
}

/** All differences, summed up in both ways. */
export interface Differences {
  /** The result of {@link diffByContext}. */
  readonly byContext: ContextsDifference;
  /** The result of {@link diffByGroup}. */
  readonly byGroup: GroupsDifference;
}

const options: OptionChecks<DifferencesOptions> = { ...progressOptions, onDifference: isFunction };

/**
 * Compares all rows once, and sums up the differences by context and by group. Closes both sources at the end, but not
 * their stores.
 *
 * @throws MerostoreError `INVALID_ARGUMENT`, and both sources stay open; all errors of `diffRows`
 * @example
 * const { byContext } = await diffDatabases(rowsOfStore(a), rowsOfStore(b), {
 *   onDifference: ({ kind, key }) => console.log(kind, key),
 * });
 * for (const context of byContext.contexts) console.log(context.contextId, sentencesOf(context));
 */
export async function diffDatabases(
  a: RowSource,
  b: RowSource,
  given: DifferencesOptions = {},
): Promise<Differences> {
  checkSources("diffDatabases", a, b);
  checkOptions("diffDatabases", given, options);
  const { onDifference, ...how } = given;
  const sides = await ComparedContexts.of(a, b);
  const [contexts, groups] = [gatheringByContext(), gatheringByGroup()];
  const rows = differingRows(a, b, { ...how, onPair: sides.add.bind(sides) });
  const summary = await gather(rows, [contexts, groups], onDifference);
  return {
    byContext: contextsDifference(sides, contexts, summary),
    byGroup: groupsDifference(groups, summary),
  };
}
