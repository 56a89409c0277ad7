/**
 * The owner of a history: the deltas of a context, the operations of a namespace, or a group's own log of operations.
 */
export type HistoryOf = "context" | "namespace" | "group";
