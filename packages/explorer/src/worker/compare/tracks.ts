/** The deltas of a context that other nodes have. */
import { graphId, type HistoryGraph, RowMark } from "merostore/node";
import { contextFacts } from "../database/context-facts.js";
import { graphOf } from "../history/history.js";
import type { FleetMember } from "./fleet.js";

/** A node's part of the history of a context, compared with the part of the first node. */
export interface Track {
  readonly name: string;
  /** The reason why it cannot be read. */
  readonly failure: string | undefined;
  /** False if no row of the node names the context. */
  readonly isMember: boolean;
  /** True if its root hash equals the root hash of the first node; undefined if one of them cannot be read. */
  readonly isSame: boolean | undefined;
  /**
   * The number of the first node's deltas that it lacks, without deltas below its snapshot, and of its deltas that the
   * first node lacks.
   */
  readonly behind: number;
  readonly ahead: number;
  /** When each of its deltas was made, in milliseconds since 1970, in no order. */
  readonly times: Float64Array;
  /** True if it lacks the parents of its oldest deltas: it joined by a snapshot, or its history was pruned. */
  readonly isJoined: boolean;
}

/** The tracks of all nodes but the first. */
export async function tracks(members: readonly FleetMember[], context: string): Promise<readonly Track[]> {
  const [first, ...others] = members;
  if (first === undefined || "failure" in first) return [];
  const ownHash = (await contextFacts(first.database)).get(context)?.rootHash;
  const here = await graphOf(first.database, "context", context);
  const [ownIds, ownTimes] = [idsOf(here), timesOf(here)];
  const own = new Set(ownIds);
  const found: Track[] = [];
  for (const member of others) {
    const { name } = member;
    const nothing = { name, isMember: false, isSame: undefined, behind: 0, ahead: 0 };
    const details = "failure" in member ? undefined : (await contextFacts(member.database)).get(context);
    if ("failure" in member || details === undefined || !(details.isUnread || details.application)) {
      const failure = "failure" in member ? member.failure : undefined;
      found.push({ ...nothing, failure, times: new Float64Array(), isJoined: false });
      continue;
    }
    const graph = await graphOf(member.database, "context", context);
    const [ids, times, joined] = [new Set(idsOf(graph)), timesOf(graph), isJoined(graph)];
    // Deltas below a snapshot are in the state that the node took over.
    const since = joined
      ? times.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY)
      : Number.NEGATIVE_INFINITY;
    const lacking = ownIds.filter((id, row) => !ids.has(id) && !((ownTimes[row] as number) < since));
    const { rootHash } = details;
    found.push({
      ...{ name, failure: undefined, isMember: true },
      isSame: ownHash === undefined || rootHash === undefined ? undefined : ownHash === rootHash,
      ...{ behind: lacking.length, ahead: [...ids].filter((id) => !own.has(id)).length },
      ...{ times, isJoined: joined },
    });
  }
  return found;
}

function isDelta({ marks }: HistoryGraph, row: number): boolean {
  return ((marks[row] as number) & RowMark.CHECKPOINT) === 0;
}

function rowsOf(graph: HistoryGraph): readonly number[] {
  return Array.from({ length: graph.size }, (_, row) => row).filter((row) => isDelta(graph, row));
}

function idsOf(graph: HistoryGraph): readonly string[] {
  return rowsOf(graph).map((row) => graphId(graph, row));
}

function timesOf(graph: HistoryGraph): Float64Array {
  return Float64Array.from(rowsOf(graph), (row) => graph.before[row] as number);
}

/** True if a parent of the oldest row is missing. */
function isJoined(graph: HistoryGraph): boolean {
  const { size, parents, parentsFrom } = graph;
  if (rowsOf(graph).length < size) return true;
  return size > 0 && parents.subarray(parentsFrom[size - 1], parentsFrom[size]).some((row) => row >= size);
}
