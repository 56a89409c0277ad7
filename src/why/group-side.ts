/** The parts of two nodes in a group or namespace. */
import type { Governance } from "../node/replay/governance.js";
import type { Causes } from "./causes.js";
import { operationsLostBy } from "./lost.js";
import type { Naming } from "./naming.js";
import type { Peer } from "./side.js";

/** A group to judge. Ids are 64 hex digits. */
export interface JudgedGroup {
  readonly id: string;
  readonly namespace: string;
  readonly peers: readonly [Peer, Peer];
  readonly naming: Naming;
  /** Collects the causes; empty at first. */
  readonly causes: Causes;
}

/** A node's part in a group. */
export interface GroupSide {
  readonly peer: Peer;
  readonly governance: Governance | undefined;
  /** Operations that the other node has and this one lacks, in their order: on the group, or all of a namespace. */
  readonly lacks: readonly string[];
  /** The lacking operations that this node had: its own operations or heads follow them. */
  readonly lost: ReadonlySet<string>;
}

/** Both parts, in the order of the nodes. */
export type GroupSides = readonly [GroupSide, GroupSide];

/** Reads both parts. Each node has the group, or operations of its namespace. */
export async function groupSides({ id, namespace, peers }: JudgedGroup): Promise<GroupSides> {
  const governed = await Promise.all(peers.map((peer) => peer.governance(namespace)));
  return peers.map((peer, at): GroupSide => {
    const [own, other] = [governed[at], governed[1 - at]];
    const lacks = [...(other?.operations.values() ?? [])]
      .filter((operation) => id === namespace || operation.group === id)
      .filter((operation) => own?.operations.has(operation.id) !== true)
      .map((operation) => operation.id);
    const lost = operationsLostBy(own, other);
    return { peer, governance: own, lacks, lost: new Set(lacks.filter((one) => lost.has(one))) };
  }) as [GroupSide, GroupSide];
}

/** The part of the other node. */
export function otherOf(sides: GroupSides, side: GroupSide): GroupSide {
  return side === sides[0] ? sides[1] : sides[0];
}

/** Both parts in the order of the nodes' names, so that the order of the nodes does not decide the cause of a row. */
export function byName(sides: GroupSides): readonly GroupSide[] {
  return sides.toSorted((a, b) => (a.peer.name < b.peer.name ? -1 : 1));
}
