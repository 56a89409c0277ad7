/** The answers about several nodes side by side. */
import type { Thing } from "./compare.js";

/** A node. */
export interface FleetNode {
  readonly name: string;
  readonly location: string;
  /** The revision of its rows; undefined if it could not be opened. */
  readonly revision: string | undefined;
  /** The name of its account, if it is known. */
  readonly account: string | undefined;
  /** The number of contexts that it has joined. */
  readonly contexts: number;
  /** The reason why it could not be opened. */
  readonly failure: string | undefined;
  /** The column families that cannot be read whole. */
  readonly damaged: readonly string[];
}

/**
 * A node's state of a context, relative to the other nodes: the state that `most` have, an `other` state with the same
 * past, a `wrong` state, or `unknown`. `open`: a differing state whose kind is not known yet.
 */
export type StateClass = "most" | "other" | "wrong" | "unknown" | "open";

/** A context on a node that has joined it. */
export interface FleetCell {
  readonly state: StateClass;
  /** The full hash of the root; undefined if its row cannot be read. */
  readonly rootHash: string | undefined;
  /** When its newest head was made, in milliseconds since 1970. */
  readonly changedAt: number | undefined;
  /** The number of deltas that this node lacks of the state that most have, and the number that only this node has. */
  readonly behind: number;
  readonly ahead: number;
}

/** A context, with a cell for each node; undefined for a node that has not joined it. */
export interface FleetContext {
  readonly context: Thing;
  readonly group: Thing | undefined;
  readonly cells: readonly (FleetCell | undefined)[];
}

/** A namespace, the number of its operations on each node, and its contexts. */
export interface FleetNamespace {
  /** Undefined for the contexts of no group. */
  readonly namespace: Thing | undefined;
  /** Undefined if the node does not have the namespace. */
  readonly operations: readonly (number | undefined)[];
  readonly contexts: readonly FleetContext[];
}

/** A problem that needs attention. */
export interface FleetProblem {
  readonly severity: "error" | "warning" | "info";
  /** The context or namespace; undefined for a node. */
  readonly of: "context" | "group" | undefined;
  readonly thing: Thing | undefined;
  readonly sentence: string;
  /** The places of the two nodes that differ; undefined for a problem of one node. */
  readonly nodes: readonly [number, number] | undefined;
  /** When the thing last changed, in milliseconds since 1970. */
  readonly changedAt: number | undefined;
}

/** The nodes side by side. */
export interface Fleet {
  readonly nodes: readonly FleetNode[];
  readonly namespaces: readonly FleetNamespace[];
  /** Errors first, then warnings, then expected differences; of the same severity, the newest first. */
  readonly problems: readonly FleetProblem[];
  /** The number of contexts and namespaces in which nodes differ, and the number of these with a known cause. */
  readonly differing: number;
  readonly explained: number;
}
