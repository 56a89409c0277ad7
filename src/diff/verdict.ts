/** The relation of two nodes in a context. */
import type { Untrue } from "./context-facts.js";
import type { KindDifference } from "./gather.js";
import type { LackedDeltas } from "./older-deltas.js";

/**
 * The relation of two nodes in a context. `equal`: they agree. `absent`: at least one does not have it. `ahead`: the
 * second lacks deltas that the first applied; `behind`: the first lacks deltas of the second; `both`: each lacks some.
 * `diverged`: they have the same deltas and different data. `rows`: they have the same data, but other rows of the
 * context differ: one lost a delta or states a wrong root hash, for example. `unknown`: a row that decides, with a root
 * hash or a delta, does not decode.
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
  readonly unreadDeltas: readonly [a: number, b: number];
  readonly untrue: Untrue;
  readonly kinds: Readonly<Record<string, KindDifference>>;
}

/**
 * @internal Returns whether the states are the same: the root hashes are equal, or other rows show that one of them is
 * wrong.
 */
export function isSameState({ a, b, untrue, kinds }: Pick<Facts, "a" | "b" | "untrue" | "kinds">): boolean {
  const isSame = a?.rootHash === b?.rootHash || untrue.rootHash.includes(true);
  return isSame && kinds.ContextState === undefined;
}

/** @internal */
export function verdictOf(facts: Facts): ContextVerdict {
  const { a, b, agree, onlyInA, onlyInB, unreadDeltas } = facts;
  const isUnread = unreadDeltas[0] + unreadDeltas[1] > 0;
  if (a === undefined || b === undefined) return "absent";
  if (a.rootHash === null || b.rootHash === null) return "unknown";
  if (agree) return "equal";
  if (isSameState(facts)) return isUnread ? "unknown" : "rows";
  if (onlyInA.count > 0 && onlyInB.count > 0) return "both";
  if (onlyInA.count > 0) return "ahead";
  if (onlyInB.count > 0) return "behind";
  return isUnread ? "unknown" : "diverged";
}
