/** The relation of two nodes in a context. */
import type { KindDifference } from "./gather.js";
import type { LackedDeltas } from "./older-deltas.js";

/**
 * The relation of two nodes in a context. `equal`: they agree. `absent`: not both have it. `ahead`: the second lacks deltas that
 * the first applied; `behind`: the first lacks deltas of the second; `both`: each lacks some. `diverged`: they have the same
 * deltas, and other data. `rows`: they have the same data, and other rows of the context differ, such as deltas that one lost.
 * `unknown`: a row that decides, with a root hash or a delta, does not decode.
 */
export type ContextVerdict =
  | "equal"
  | "absent"
  | "ahead"
  | "behind"
  | "both"
  | "diverged"
  | "rows"
  | "unknown";

/** The facts that decide. */
interface Facts {
  readonly a: { readonly rootHash: string | null } | undefined;
  readonly b: { readonly rootHash: string | null } | undefined;
  readonly agree: boolean;
  readonly onlyInA: LackedDeltas;
  readonly onlyInB: LackedDeltas;
  /** The number of rows of deltas that differ and were not read. */
  readonly unread: number;
  readonly kinds: Readonly<Record<string, KindDifference>>;
}

/** @internal */
export function verdictOf({ a, b, agree, onlyInA, onlyInB, unread, kinds }: Facts): ContextVerdict {
  if (a === undefined || b === undefined) return "absent";
  if (a.rootHash === null || b.rootHash === null) return "unknown";
  if (agree) return "equal";
  if (a.rootHash === b.rootHash && kinds.ContextState === undefined) return "rows";
  if (onlyInA.count > 0 && onlyInB.count > 0) return "both";
  if (onlyInA.count > 0) return "ahead";
  if (onlyInB.count > 0) return "behind";
  return unread > 0 ? "unknown" : "diverged";
}
