/** Adds the causes why two nodes differ in a context. */
import { millisOfNtp64 } from "../bytes/ntp64.js";
import { counted } from "../bytes/quantity.js";
import { type ComparedGroup, goneFrom, waitingFor, withoutKey } from "./absence.js";
import type { Causes } from "./causes.js";
import { bothWays, type ComparedSide, type Sides } from "./compared-sides.js";
import { lostText } from "./lost.js";
import { listed, type Naming, shortId, timeText } from "./naming.js";
import type { Peer } from "./side.js";
import { countText } from "./wrong-state.js";

/** Markers of the version of the application that a node runs. */
const OF_APPLICATION = ["migration failed", "executing code", "activated code", "activated state version"];

/** The most authors of deltas that a sentence names. */
const AUTHORS = 3;

/** Adds the entities of each side that differ from the replay of its deltas. */
export async function addContradictions(causes: Causes, sides: Sides): Promise<void> {
  for (const [{ wrong, source, replay }] of bothWays(sides)) {
    if (wrong.length === 0) continue;
    const sentence = `${countText(wrong.length)} of ${source.name} ${wrong.length === 1 ? "differs" : "differ"} from the replay of its deltas`;
    causes.add({ rule: "contradiction", sentence, contradictions: wrong });
    const [first] = wrong;
    if (first?.delta === undefined || first.how === "damaged") continue;
    const { unnamed } = await replay.position(first.delta.id);
    await replay.moveToFirst();
    if (unnamed.length > 0)
      causes.add({
        rule: "unnamed",
        sentence: `the author of delta ${shortId(first.delta.id)} had applied ${listed(unnamed.slice(0, 3).map(shortId))}, which it does not name`,
        deltas: [first.delta.id, ...unnamed],
      });
  }
  for (const { unchecked, source } of sides)
    if (unchecked.length > 0) {
      const sentence = `${countText(unchecked.length)} of ${source.name} cannot be checked: rows do not decode, the application merges fields, or the node took over a state without its deltas`;
      causes.add({ rule: "unchecked", sentence, contradictions: unchecked });
    }
}

/** Adds the deltas that each side lost and the other has. */
export function addLosses(causes: Causes, sides: Sides): void {
  for (const [side, other] of bothWays(sides))
    if (side.lost.otherHas.length > 0)
      causes.add({ rule: "lost", sentence: lostText(side, other, side.lost), deltas: side.lost.otherHas });
}

/** Adds the reason why one side alone is behind, and returns it; undefined if none is known. */
export async function addAbsence(
  causes: Causes,
  behind: ComparedSide,
  ahead: ComparedSide,
  naming: Naming,
): ReturnType<typeof goneFrom> {
  const group = ahead.group ?? behind.group;
  const place = group === undefined ? undefined : { behind: behind.peer, ahead: ahead.peer, group, naming };
  const absence =
    (place && (await goneFrom(place))) ?? waitingFor(behind, ahead) ?? (place && (await withoutKey(place)));
  for (const cause of absence?.causes ?? []) causes.add(cause);
  if (place !== undefined && absence?.verdict === "left") await addLaterKeys(causes, place);
  return absence;
}

/** Adds the changes of the group's key that the departed node did not get. */
async function addLaterKeys(causes: Causes, { behind, ahead, group, naming }: ComparedGroup): Promise<void> {
  const namespace = (await ahead.source.node.groupDetails(group))?.namespace.id;
  if (namespace === undefined) return;
  const held = new Set((await behind.source.node.groupDetails(group))?.keys.map(({ id }) => id));
  const ids = [...((await ahead.governance(namespace))?.operations.values() ?? [])]
    .filter((one) => one.group === group && one.newKey !== undefined && !held.has(one.newKey))
    .map(({ id }) => id);
  for (const operation of await ahead.source.node.operationsOf(namespace, ids))
    if (operation !== undefined)
      causes.add({
        rule: "key",
        sentence: `${naming.operation(operation)}; ${behind.name} does not hold the new key`,
        operations: [operation.id],
      });
}

/** Adds the deltas that each side lacks: their number, their first time and their authors. */
export function addMissing(causes: Causes, sides: Sides, naming: Naming): void {
  for (const [side, other] of bothWays(sides)) {
    const ids = side.missing;
    if (ids.length === 0) continue;
    const { graph } = other.replay;
    const found = ids.flatMap((id) => graph.deltas[graph.numberOf(id) ?? -1] ?? []);
    const first = found.find(({ clock }) => clock.time !== 0n);
    const since = first === undefined ? "" : `, since ${timeText(millisOfNtp64(first.clock.time))}`;
    const authors = new Set(found.flatMap(({ author }) => author ?? []));
    const named = [...authors].map((id) => naming.author(id));
    const by =
      named.length === 0
        ? ""
        : `, by ${named.length > AUTHORS ? counted(named.length, "author") : listed(named)}`;
    const sentence = `${side.source.name} lacks ${counted(ids.length, "delta")} of ${other.source.name}${since}${by}`;
    causes.add({ rule: "deltas", sentence, deltas: ids });
  }
}

/**
 * Adds the deltas that each side has not applied, and that the other side does not have. Returns the names of the nodes
 * with such deltas.
 */
export function addPending(causes: Causes, sides: Sides): readonly string[] {
  const names: string[] = [];
  for (const [side, other] of bothWays(sides)) {
    const { applied, covered, replay } = other;
    const known = new Set([...applied, ...covered, ...replay.checkpointIds, ...replay.pending.map(idOf)]);
    const ids = side.replay.pending.map(idOf).filter((id) => !known.has(id));
    const [first] = ids;
    if (first === undefined) continue;
    const waits = ids.length === 1 ? `delta ${shortId(first)} waits` : `${counted(ids.length, "delta")} wait`;
    const [parent] = waitingFor(side, other, ids)?.missing ?? [];
    const what =
      parent === undefined ? "" : `${ids.length === 1 ? "" : ", the first"} for ${shortId(parent)}`;
    causes.add({ rule: "pending", sentence: `${waits} at ${side.source.name}${what}`, deltas: ids });
    names.push(side.source.name);
  }
  return names;
}

const idOf = ({ id }: { readonly id: string }): string => id;

/** Adds a cause if the nodes run different versions of the application. */
export async function addVersions(
  causes: Causes,
  peers: readonly [Peer, Peer],
  context: string,
): Promise<void> {
  const [marks = [], others = []] = await Promise.all(peers.map((peer) => peer.marks(context)));
  const isOther = OF_APPLICATION.some((name) => {
    const [mark, other] = [marks, others].map((list) => list.find(({ marker }) => marker === name));
    // A node sets this marker only when it makes a change in the context itself.
    if (name === "activated code" && (mark === undefined || other === undefined)) return false;
    return mark?.value !== other?.value;
  });
  if (!isOther) return;
  const sentence = `${listed(peers.map(({ name }) => name))} do not run the same version of the application`;
  causes.add({ rule: "application", sentence });
}

/** Adds the snapshots that gave a side older deltas, and the checkpoints that one side lacks. */
export function addSnapshots(causes: Causes, sides: Sides): void {
  const joined = bothWays(sides)
    .filter(([side, other]) => [...side.covered].some((id) => other.applied.has(id) && !side.applied.has(id)))
    .map(([side]) => side);
  if (joined.length > 0) {
    const names = listed(joined.map(({ source }) => source.name));
    const isKnown = joined.every(({ replay }) => replay.checkpoint !== undefined || replay.graph.hasHashes);
    const sentence = isKnown
      ? `${names} took over the older deltas with a snapshot`
      : `no checkpoint of ${names} says whether it took the older deltas over or lost them`;
    causes.add({ rule: "snapshot", sentence });
  }
  for (const [side, other] of bothWays(sides)) {
    const has = joined.includes(side) ? side.covered : undefined;
    const ids = lackedCheckpoints(side, other).filter((id) => has?.has(id) !== true);
    const sentence = `${side.source.name} does not have the checkpoint ${listed(ids.map(shortId))} of ${other.source.name}`;
    if (ids.length > 0) causes.add({ rule: "checkpoint", sentence, deltas: ids });
  }
}

/** The checkpoints of the other side that a side has neither as checkpoints nor as deltas, applied or pending. */
export function lackedCheckpoints({ replay, applied }: ComparedSide, other: ComparedSide): readonly string[] {
  const known = new Set([...replay.checkpointIds, ...replay.pending.map(({ id }) => id)]);
  return other.replay.checkpointIds.filter((id) => !applied.has(id) && !known.has(id));
}
