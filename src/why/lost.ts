/** Deltas and operations that a node lost after it had applied them. Lost deltas explain some wrong entities. */
import { counted } from "../bytes/quantity.js";
import type { Governance } from "../node/replay/governance.js";
import { type Contradiction, lostDeltas } from "../state/index.js";
import { shortId } from "./naming.js";
import { dataHash, parentsIn, type Side } from "./side.js";

/** The deltas that a side lost, 64 hex digits each. */
export interface Lost {
  /** The lost deltas that the other side has. */
  readonly otherHas: readonly string[];
  /** The lost deltas that the other side does not have. */
  readonly otherLacks: readonly string[];
  /** True if the node may have taken over the deltas of the other side with a snapshot after its first deltas. */
  readonly mayBeTaken: boolean;
  /** The wrong entities of the side that neither its own deltas nor the lost ones of the other side explain. */
  readonly wrong: readonly Contradiction[];
}

/**
 * Finds the deltas that a side lost.
 *
 * @param lacks the ids of deltas that the other side has and this one lacks
 */
export async function lostBy(side: Side, other: Side, lacks: readonly string[]): Promise<Lost> {
  const lost = new Set(await lostDeltas(side.replay));
  const mayBeTaken = addFollowed(lost, side, other, new Set(lacks));
  const found = {
    otherHas: lacks.filter((id) => lost.has(id)),
    otherLacks: [...lost].filter((id) => !other.applied.has(id)),
    mayBeTaken,
  };
  if (found.otherHas.length === 0 || side.wrong.length === 0) return { ...found, wrong: side.wrong };
  const { replay } = other;
  const others = new Set(lacks.filter((id) => !lost.has(id)));
  const kept = [...replay.graph.deltas.keys()].filter((at) => !others.has(replay.graph.deltas[at]?.id ?? ""));
  await replay.moveToOnly(new Set(kept));
  const isExplained = ({ entity, found }: Contradiction): boolean => {
    return lost.has(replay.lastWriteOf(entity)?.id ?? "") && dataHash(replay, entity) === found;
  };
  const wrong = side.wrong.filter((one) => !isExplained(one));
  await replay.moveToFirst();
  return { ...found, wrong };
}

/** Adds the lacking ancestors of applied deltas. Returns true if it added any. */
function addFollowed(lost: Set<string>, side: Side, other: Side, lacks: ReadonlySet<string>): boolean {
  if (lacks.size === 0) return false;
  const before = lost.size;
  const open = side.replay.graph.deltas.flatMap(({ parents }) => parents);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (!lacks.has(id) || lost.has(id)) continue;
    lost.add(id);
    for (const parent of parentsIn(other, id)) open.push(parent);
  }
  return lost.size > before;
}

/** `delta da09c544`, `3 deltas` */
export function deltasText(ids: readonly string[]): string {
  const [first = ""] = ids;
  return ids.length === 1 ? `delta ${shortId(first)}` : counted(ids.length, "delta");
}

/** `B lost delta da09c544, which it had applied and A has` */
export function lostText(side: Side, other: Side, { otherHas, mayBeTaken }: Lost): string {
  const taken = `, or took ${otherHas.length === 1 ? "it" : "them"} over with a later snapshot`;
  const lost = `${side.source.name} lost ${deltasText(otherHas)}, which it had applied and ${other.source.name} has`;
  return mayBeTaken ? lost + taken : lost;
}

/**
 * The operations that a node lost: the missing parents of its own, and their missing ancestors in the other node's log.
 */
export function operationsLostBy(
  own: Governance | undefined,
  other: Governance | undefined,
): ReadonlySet<string> {
  const lost = new Set<string>();
  const open = [...(own?.lost ?? [])];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (lost.has(id) || own?.operations.has(id)) continue;
    lost.add(id);
    open.push(...(other?.parentsOf(id) ?? []));
  }
  return lost;
}
