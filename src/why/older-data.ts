/**
 * Entities that differ between nodes with the same deltas: from before the first delta, or merged by the application.
 */
import { toHex } from "../bytes/hex.js";
import { equalBytes } from "../bytes/order.js";
import { Pause } from "../pause.js";
import type { ContextReplay, Contradiction } from "../state/index.js";
import type { Causes, Decision } from "./causes.js";
import { listed, shortId } from "./naming.js";
import { isReplayed, MOST_WRONG, type Side } from "./side.js";
import { countText } from "./wrong-state.js";

/** A side, with the entities that are compared by their rows instead of the replay of the deltas. */
interface Read extends Side {
  /** The entity that only the application merges, if its row differs from the replay. */
  readonly merged: Contradiction | undefined;
  /** If both sides have the same root hash: the entities that cannot be checked, by their ids. */
  readonly unsure: ReadonlyMap<string, Contradiction>;
}

/** Finds these entities, adds them as a cause, and gives the verdict; undefined without such entities. */
export async function olderVerdict(
  sides: readonly [Side, Side],
  causes: Causes,
): Promise<Decision | undefined> {
  const isSame = sides[0].rootHash === sides[1].rootHash;
  if (isSame && (!sides.every(isCompared) || ((await isReplayed(sides[0])) && (await isReplayed(sides[1])))))
    return undefined;
  const proven = [await isConfirmed(sides[0].replay), await isConfirmed(sides[1].replay)] as const;
  for (const { replay } of sides) await replay.moveToFirst();
  const read = sides.map((side): Read => {
    const unsure = new Map(isSame ? side.unchecked.map((one) => [one.entity, one]) : []);
    return { ...side, merged: side.unchecked.find(({ mayBe }) => mayBe === "merged"), unsure };
  }) as [Read, Read];
  const entities = await differing(read);
  const [entity] = entities;
  if (entity === undefined) return undefined;
  const isMerged = read.some(({ merged }) => merged?.entity === entity);
  const isRight = read.map((side, at) =>
    isMerged
      ? proven[at] && side.merged?.entity !== entity
      : !side.unsure.has(entity) && (proven[at] || side.replay.lastWriteOf(entity) !== undefined),
  );
  const isDecided = isRight[0] !== isRight[1];
  const [right, wrong] = isRight[0] ? read : [read[1], read[0]];
  const names = causes.names.toSorted();
  const where = `not the same at ${listed(names)}`;
  const whose = isDecided ? `${wrong.source.name} has it` : "they have it";
  const isLost = isDecided && hashIn(wrong, entity) === undefined;
  const from = isMerged
    ? "only the application merges it"
    : isLost
      ? `${wrong.source.name} lacks it`
      : `${whose} from before the first delta`;
  const judge = isDecided ? `${right.source.name} is right` : "nothing tells which is right";
  causes.add({
    rule: "contradiction",
    sentence: `${countText(entities.length)} ${entities.length === 1 ? "is" : "are"} ${where}`,
    contradictions: entities.map((one) => contradictionOf(one, right, wrong)),
  });
  return {
    verdict: "diverged",
    sentence: `entity ${shortId(entity)} is ${where}: ${from}; ${judge}`,
    about: isDecided ? [wrong.source.name] : names,
  };
}

/** True if the replay of a side gives its whole state, except for entities that are known. */
function isCompared({ replay, unchecked }: Side): boolean {
  return (replay.length > 0 || replay.isJoined) && unchecked.length < MOST_WRONG;
}

/** True if a checkpoint, or the hash of an author, proves the state before the first delta. */
async function isConfirmed(replay: ContextReplay): Promise<boolean> {
  const { checkpoint, baseHash, length } = replay;
  if (checkpoint !== undefined && baseHash !== undefined) return equalBytes(checkpoint, baseHash);
  return length > 0 && (await replay.position(length)).verdict.startsWith("proven");
}

/** The entities that differ between the sides, 64 hex digits each. */
async function differing([a, b]: readonly [Read, Read]): Promise<readonly string[]> {
  const found = new Set<string>();
  const pause = new Pause();
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const)
    for (const [entity] of one.replay.tree.entities()) {
      if (pause.isLong) await pause.ifLong();
      if (found.size === MOST_WRONG) break;
      if (isUnknown(one, entity) || isUnknown(other, entity)) continue;
      if (hashIn(one, entity) !== hashIn(other, entity)) found.add(entity);
    }
  return [...found];
}

/** True if an entity is not deleted and its data is unknown. */
function isUnknown({ merged, unsure, replay }: Read, entity: string): boolean {
  const one = unsure.get(entity);
  if (one?.mayBe === "unread") return true;
  const found = merged?.entity === entity || one !== undefined ? undefined : replay.tree.get(entity);
  return found !== undefined && found.deletedAt === undefined && found.ownHash === undefined;
}

/** SHA-256 of the data of an entity, 64 hex digits; undefined if the entity is deleted or absent. */
function hashIn({ merged, unsure, replay }: Read, entity: string): string | undefined {
  const row = merged?.entity === entity ? merged : unsure.get(entity);
  if (row !== undefined) return row.found;
  const { ownHash, deletedAt } = replay.tree.get(entity) ?? {};
  return deletedAt === undefined ? ownHash && toHex(ownHash) : undefined;
}

function contradictionOf(entity: string, right: Read, wrong: Read): Contradiction {
  const [wanted, found] = [hashIn(right, entity), hashIn(wrong, entity)];
  const how =
    found === undefined ? "absent" : wanted === undefined ? "not written by any delta" : "other data";
  return { entity, how, wanted, found, delta: right.replay.lastWriteOf(entity), mayBe: undefined };
}
