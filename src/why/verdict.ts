/** The verdicts on two nodes. */

/**
 * The relation of two nodes in a context or a group. `absent`: at least one node does not have it. `ahead`: the second
 * node lacks deltas or operations of the first, for no known reason. `behind`: the first lacks some of the second.
 * `both`: each lacks some of the other. `left`, `key-missing` and `parent-missing` give the reason why one node lacks
 * them: its account left or was removed; it does not hold the newest key of the group; a delta waits for a parent that
 * is not there. `snapshot`: a node has the older deltas by a snapshot. `delta-lost` and `operation-lost`: a node
 * applied a delta or an operation whose row is gone. `diverged`: a state differs from the replay of its deltas, rows of
 * a group differ from the replay of its operations, the row of a context states a wrong root hash or head, or a delta,
 * an operation or a key is not the same on both nodes. `repaired`: a state was written without deltas. `unexplained`:
 * rows differ for no known cause. `unknown`: rows that decide cannot be read. {@link wrongVerdicts} lists the errors.
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

/** Verdicts on nodes with the same state or operations. */
export const sameVerdicts: readonly WhyVerdict[] = ["equal", "snapshot"];
