/** The differences between two databases by group. */
import { checkOptions, type OptionChecks } from "../options.js";
import { type ProgressOptions, progressOptions } from "../progress.js";
import { selectionOptions } from "../schemas/index.js";
import type { ContextDifference } from "./by-context.js";
import { type DiffOptions, type DiffSummary, diffRows } from "./diff-rows.js";
import { Gathering, GROUP_PARTS, gather } from "./gather.js";
import { checkSources, type RowSource } from "./row-source.js";

/** The differences of a group or namespace. */
export interface GroupDifference extends Pick<ContextDifference, "kinds" | "benign"> {
  /** In hex. */
  readonly groupId: string;
  /** True if the nodes agree on the group: every difference is benign. */
  readonly agree: boolean;
}

/** The groups that differ, and the differences in rows that name no group. */
export interface GroupsDifference {
  /** In the order of their ids. */
  readonly groups: readonly GroupDifference[];
  /** The differences in rows that name no group, such as rows of contexts. */
  readonly elsewhere: Pick<ContextDifference, "kinds" | "benign">;
  /** True if the nodes agree on all groups. Rows that name no group do not count. */
  readonly agree: boolean;
  /** The counts of all differences, of groups and elsewhere. */
  readonly summary: DiffSummary;
}

/** The options of {@link diffByGroup}. */
export type GroupsOptions = Pick<DiffOptions, "groupId"> & ProgressOptions;

const groupsOptions: OptionChecks<GroupsOptions> = {
  groupId: selectionOptions.groupId,
  ...progressOptions,
};

/**
 * Compares rows and groups the differences by the group that their keys name. Closes both sources at the end, but not their
 * stores.
 *
 * @throws MerostoreError `INVALID_ARGUMENT`, and both sources stay open; all errors of `diffRows`
 */
export async function diffByGroup(
  a: RowSource,
  b: RowSource,
  options: GroupsOptions = {},
): Promise<GroupsDifference> {
  checkSources("diffByGroup", a, b);
  checkOptions("diffByGroup", options, groupsOptions);
  const gathering = gatheringByGroup();
  return groupsDifference(gathering, await gather(diffRows(a, b, options), [gathering]));
}

/** @internal Counts differences by group. */
export function gatheringByGroup(): Gathering {
  return new Gathering((parts) =>
    GROUP_PARTS.map((part) => parts[part]).find((id) => typeof id === "string"),
  );
}

/** @internal The groups in the order of their ids. */
export function groupsDifference(
  { gathered, elsewhere: { kinds, benign } }: Gathering,
  summary: DiffSummary,
): GroupsDifference {
  const groups = [...gathered]
    .map(([groupId, { kinds, benign }]) => ({
      groupId,
      kinds,
      benign,
      agree: Object.keys(kinds).length === 0,
    }))
    .sort((one, other) => (one.groupId < other.groupId ? -1 : 1));
  return { groups, elsewhere: { kinds, benign }, agree: groups.every(({ agree }) => agree), summary };
}
