/** The verdicts on two nodes. */

/**
 * The relation of two nodes in a context or a group. `absent`: one of them does not have it. `ahead` and `behind`: the second, or
 * the first, lacks deltas or operations of the other, and nothing says why. `both`: each lacks some of the other. `left`,
 * `key-missing` and `parent-missing` say why one lacks them: its account left or was removed, it holds no key of the group that
 * the other holds, or a delta waits for one that is not there. `snapshot`: one has the older deltas by a snapshot. `delta-lost` and
 * `operation-lost`: the row of a delta, or of an operation, that one had applied is not there. `diverged`: a state differs from the replay of its deltas, or rows of a group are not
 * what its operations lead to, or the row of a context is not true, or a delta is not the same at both. `repaired`: a state was written without deltas. These and `unexplained` are errors. `unknown`: rows that
 * decide cannot be read.
 */
export type WhyVerdict =
  | "equal"
  | "absent"
  | "ahead"
  | "behind"
  | "both"
  | "left"
  | "key-missing"
  | "parent-missing"
  | "snapshot"
  | "delta-lost"
  | "operation-lost"
  | "diverged"
  | "repaired"
  | "unexplained"
  | "unknown";

/** Verdicts that are errors. */
export const wrongVerdicts: readonly WhyVerdict[] = [
  "delta-lost",
  "operation-lost",
  "diverged",
  "repaired",
  "unexplained",
];

/** Verdicts on nodes that have the same. */
export const sameVerdicts: readonly WhyVerdict[] = ["equal", "snapshot"];
