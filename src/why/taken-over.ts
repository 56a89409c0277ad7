/** Deltas that a node took over with a snapshot, which no row lists. The rows of its state show them. */
import { fromHex } from "../bytes/hex.js";
import { equalBytes } from "../bytes/order.js";
import { applicationStateId, ownHash } from "../digests/index.js";
import { Pause } from "../pause.js";
import { EntityRows } from "../state/entity-rows.js";
import { layoutOf } from "../state/layouts/layout-of.js";
import type { Write } from "../state/replay/merge.js";
import type { Deletion } from "../state/replay/packed-deltas.js";
import { parentsIn, type Side } from "./side.js";

/** An entity in the state of a side. */
interface Kept {
  readonly metadata: { readonly updatedAt: bigint };
  readonly ownHash: Uint8Array | undefined;
  readonly deletedAt: bigint | undefined;
}

/**
 * Finds the deltas that a side took over with a snapshot that has deltas that the other side lacks. A delta is taken
 * over if the state of the side has one of its writes, or a later one in place of each.
 *
 * @param lacks the ids of deltas that the other side has and this one lacks, in causal order
 */
export async function takenOver(
  side: Side,
  other: Side,
  lacks: readonly string[],
): Promise<ReadonlySet<string>> {
  const taken = new Set<string>();
  if (lacks.length === 0 || !hasUnknownBase(side, other)) return taken;
  await side.replay.moveToFirst();
  const entityOf = await entitiesOf(side);
  const pause = new Pause();
  const isSome = async (id: string, test: typeof isTrace): Promise<boolean> => {
    const { graph } = other.replay;
    for (const action of graph.deltas[graph.numberOf(id) ?? -1]?.actions ?? []) {
      if (pause.isLong) await pause.ifLong();
      if (test(action, entityOf(action.id))) return true;
    }
    return false;
  };
  const all = new Set(lacks);
  for (const id of lacks.toReversed()) {
    if (!taken.has(id) && !(await isSome(id, isTrace))) continue;
    taken.add(id);
    // A node that has a delta has all deltas that it follows.
    for (const parent of parentsIn(other, id)) if (all.has(parent)) taken.add(parent);
  }
  const lacking = new Set<string>();
  for (const id of lacks) {
    if (taken.has(id)) continue;
    const isLacking = parentsIn(other, id).some((parent) => lacking.has(parent));
    (isLacking || (await isSome(id, isChange)) ? lacking : taken).add(id);
  }
  return taken;
}

/** True if a side took over a state with deltas that the other side does not know: their ancestors are unknown, too. */
function hasUnknownBase({ replay }: Side, other: Side): boolean {
  if (replay.length > 0 && !replay.isJoined) return false;
  const known = new Set([...other.replay.checkpointIds, ...other.replay.missing]);
  return [...replay.checkpointIds, ...replay.missing].some((id) => !other.applied.has(id) && !known.has(id));
}

/** Finds an entity in the state of a side. Its row tells the application's own fields: the replay cannot merge them. */
async function entitiesOf({
  source: { reader },
  replay: { contextId, tree },
}: Side): Promise<(id: Uint8Array) => Kept | undefined> {
  const application = applicationStateId();
  const row = await new EntityRows(reader.raw, fromHex(contextId), layoutOf(reader.schema)).index(
    application,
  );
  const merged = row && { ...row, deletedAt: row.deletedAt ?? undefined };
  return (id) => {
    if (equalBytes(id, application)) return merged;
    const number = tree.byNumber.find(id);
    return number === undefined ? undefined : tree.byNumber.get(number);
  };
}

/** True if an entity is as a change left it. */
function isTrace(action: Write | Deletion, entity: Kept | undefined): boolean {
  if (action.kind === "DeleteRef") return entity?.deletedAt === action.deletedAt;
  if (entity === undefined || entity.metadata.updatedAt !== action.metadata.updatedAt) return false;
  const hash = entity.ownHash;
  return entity.deletedAt === undefined && hash !== undefined && equalBytes(hash, ownHash(action.data));
}

/** True if a change would change an entity: nothing later did. */
function isChange(action: Write | Deletion, entity: Kept | undefined): boolean {
  const time = entity?.deletedAt ?? entity?.metadata.updatedAt;
  if (action.kind !== "DeleteRef") return time === undefined || time < action.metadata.updatedAt;
  return entity?.deletedAt === undefined && time !== undefined && time <= action.deletedAt;
}
