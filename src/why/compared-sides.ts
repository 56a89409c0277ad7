/** Compares the two sides of a context: the deltas that each lacks, lost, or has by a snapshot. */
import type { ContextRecord } from "../node/tables/contexts.js";
import type { ReplayOptions } from "../state/index.js";
import { type Lost, lostBy } from "./lost.js";
import { coveredIn, type Peer, readSide, type Side } from "./side.js";
import { takenOver } from "./taken-over.js";

/** A side, compared with the other one. */
export interface ComparedSide extends Side {
  /** The database. */
  readonly peer: Peer;
  /** The group of the context according to this node, 64 hex digits; undefined if it knows none. */
  readonly group: string | undefined;
  /** Deltas that the side has by a snapshot. */
  readonly covered: ReadonlySet<string>;
  /** Deltas that the other side has and this side lacks, in causal order. */
  readonly lacks: readonly string[];
  /** The lacking deltas that it did not lose. */
  readonly missing: readonly string[];
  /** The deltas that the side lost. */
  readonly lost: Lost;
}

/** Both sides. */
export type Sides = readonly [ComparedSide, ComparedSide];

/**
 * Reads both sides.
 *
 * @param records the context according to each node
 */
export async function readSides(
  contextId: Uint8Array,
  peers: readonly [Peer, Peer],
  records: readonly [ContextRecord | undefined, ContextRecord | undefined],
  options: ReplayOptions,
): Promise<Sides> {
  const read = async (at: 0 | 1): Promise<Side> =>
    readSide(peers[at].source, contextId, records[at]?.rootHash, options);
  const [a, b] = [await read(0), await read(1)];
  const beside = async (at: 0 | 1, side: Side, other: Side): Promise<ComparedSide> => {
    const ofGraph = coveredIn(side, other);
    const others = [...other.applied].filter((id) => !side.applied.has(id) && !ofGraph.has(id));
    const taken = await takenOver(side, other, others);
    const covered = new Set([...ofGraph, ...taken]);
    const lacks = others.filter((id) => !taken.has(id));
    const lost = await lostBy(side, other, lacks);
    const known = new Set(lost.otherHas);
    const missing = lacks.filter((id) => !known.has(id));
    return {
      ...side,
      wrong: lost.wrong,
      peer: peers[at],
      group: records[at]?.group,
      covered,
      lacks,
      missing,
      lost,
    };
  };
  return [await beside(0, a, b), await beside(1, b, a)];
}

/**
 * Pairs each side with the other, in the order of their names. A row belongs to the first cause that explains it, so
 * this cause does not depend on the order of the nodes.
 */
export function bothWays([a, b]: Sides): readonly (readonly [side: ComparedSide, other: ComparedSide])[] {
  const ways = [
    [a, b],
    [b, a],
  ] as const;
  return ways.toSorted(([one], [other]) => (one.source.name < other.source.name ? -1 : 1));
}
