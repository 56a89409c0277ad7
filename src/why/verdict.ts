/** The verdicts on two nodes. */

/**
 * The relation of two nodes in a context. `ahead` and `behind`: the second, or the first, lacks deltas of the other, and nothing
 * says why. `both`: each lacks deltas of the other. `left`, `key-missing` and `parent-missing` say why one lacks deltas: its
 * account left or was removed, it holds no key of the group that the other holds, or a delta waits for one that is not there.
 * `snapshot`: one has the older deltas by a snapshot. `diverged`: a state is not what its deltas lead to. `repaired`: a state was
 * written without deltas. The last three of the list are errors: `diverged`, `repaired`, `unexplained`.
 */
export type WhyVerdict =
  | "equal"
  | "ahead"
  | "behind"
  | "both"
  | "left"
  | "key-missing"
  | "parent-missing"
  | "snapshot"
  | "diverged"
  | "repaired"
  | "unexplained";

/** Verdicts that are errors. */
export const wrongVerdicts: readonly WhyVerdict[] = ["diverged", "repaired", "unexplained"];
