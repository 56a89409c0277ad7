/** The causes why two nodes differ in a context: what one of them lacks, or which entity is not what the deltas lead to. */
import { toHex } from "../bytes/hex.js";
import { counted } from "../bytes/quantity.js";
import { millisOfNtp64 } from "../node/text.js";
import type { Contradiction, StateOptions } from "../state/index.js";
import { goneFrom, waitingFor, withoutKey } from "./absence.js";
import { Causes, type WhyDifference } from "./causes.js";
import { listed, type Naming, shortId, timeText } from "./naming.js";
import { coveredIn, isReplayed, MOST_WRONG, type Peer, readSide, type Side } from "./side.js";

/** The decision about a context, before the rows that differ are known. */
export interface DecidedContext extends Pick<WhyDifference, "verdict" | "sentence" | "about"> {
  readonly sides: readonly [Side, Side];
  readonly causes: Causes;
  /** Deltas that one side lacks, without those that it has by a snapshot. */
  readonly lacking: ReadonlySet<string>;
  /** Deltas that one side has by a snapshot. */
  readonly covered: ReadonlySet<string>;
}

/** A context that is judged. */
export interface JudgedContext {
  /** 32 bytes. */
  readonly contextId: Uint8Array;
  readonly peers: readonly [Peer, Peer];
  readonly naming: Naming;
  readonly options: StateOptions;
}

type Marks = Awaited<ReturnType<Peer["marks"]>>;

/** Marks that say which version of the application a node runs. */
const OF_APPLICATION = ["migration failed", "executing code", "activated code", "activated state version"];

/** Decides about a context that both nodes have joined. */
export async function decideContext(judged: JudgedContext): Promise<DecidedContext> {
  const { contextId, peers, naming, options } = judged;
  const context = toHex(contextId);
  const records = await Promise.all(peers.map(async (peer) => (await peer.contexts()).get(context)));
  const sides = [
    await readSide(peers[0].source, contextId, records[0]?.rootHash, options),
    await readSide(peers[1].source, contextId, records[1]?.rootHash, options),
  ] as const;
  const covers = [coveredIn(sides[0], sides[1]), coveredIn(sides[1], sides[0])] as const;
  const lacks = [lacked(sides[1], sides[0], covers[0]), lacked(sides[0], sides[1], covers[1])] as const;
  const causes = new Causes([peers[0].name, peers[1].name]);
  const lacking = new Set(lacks.flat());
  const rest = { sides, causes, lacking, covered: new Set([...covers[0], ...covers[1]]) };

  await addContradictions(causes, sides);
  for (const { unchecked, source } of sides)
    if (unchecked.length > 0) {
      const sentence = `${countText(unchecked.length)} of ${source.name} cannot be checked: the application merges fields, and a node that took over a state forgets deletions`;
      causes.add({ rule: "unchecked", sentence, contradictions: unchecked });
    }
  const wrong = sides
    .filter((side) => side.wrong.length > 0)
    .toSorted((one, other) => (one.source.name < other.source.name ? -1 : 1));
  const isOneBehind = lacks[0].length > 0 !== lacks[1].length > 0;
  const at = lacks[0].length > 0 ? 0 : 1;
  const group = records[1 - at]?.group ?? records[at]?.group;
  const place = { behind: peers[at], ahead: peers[at === 0 ? 1 : 0], group: group ?? "", naming };
  const absence =
    isOneBehind && wrong.length === 0
      ? ((group === undefined ? undefined : await goneFrom(place)) ??
        waitingFor(sides[at], sides[at === 0 ? 1 : 0]) ??
        (group === undefined ? undefined : await withoutKey(place)))
      : undefined;
  for (const cause of absence?.causes ?? []) causes.add(cause);
  if (absence?.verdict === "left") await addLaterKeys(causes, place);
  for (const [side, ids] of lacks.entries())
    if (ids.length > 0) addDeltas(causes, sides[side] as Side, sides[1 - side] as Side, ids, naming);
  const [marks, others] = await Promise.all(peers.map((peer) => peer.marks(context)));
  if (isOtherVersion(marks ?? [], others ?? [])) {
    const sentence = `${listed(peers.map(({ name }) => name))} do not run the same version of the application`;
    causes.add({ rule: "application", sentence });
  }
  const joined = peers.filter((_, side) =>
    hasByCover(sides[side] as Side, sides[1 - side] as Side, covers[side as 0 | 1]),
  );
  if (joined.length > 0) {
    const sentence = `${listed(joined.map(({ name }) => name))} took over the older deltas with a snapshot`;
    causes.add({ rule: "snapshot", sentence });
  }
  if (wrong.length > 0) return { ...rest, ...(await wrongVerdict(wrong, sides)) };
  if (lacking.size === 0) return { ...rest, ...sameVerdict(sides, causes) };
  const about = peers.filter((_, side) => lacks[side]?.length !== 0).map(({ name }) => name);
  if (!isOneBehind) {
    const lack = (side: 0 | 1): string =>
      `${peers[side].name} lacks ${counted(lacks[side].length, "delta")} of ${peers[side === 0 ? 1 : 0].name}`;
    return { ...rest, verdict: "both", sentence: [lack(0), lack(1)].toSorted().join(", and "), about };
  }
  const ids = lacks[at];
  const last = isEnd(sides[1 - at] as Side, lacking) ? "the last " : "";
  const plain = `${peers[at].name} lacks ${last}${counted(ids.length, "delta")} of ${peers[1 - at]?.name}`;
  if (absence === undefined)
    return { ...rest, verdict: at === 0 ? "behind" : "ahead", sentence: plain, about };
  return { ...rest, verdict: absence.verdict, sentence: `${absence.sentence}: ${plain}`, about };
}

/** True if marks of two nodes say that they run different versions of the application. */
function isOtherVersion(marks: Marks, others: Marks): boolean {
  return OF_APPLICATION.some((name) => {
    const [mark, other] = [marks, others].map((list) => list.find(({ marker }) => marker === name));
    // A node keeps it once it made a change in the context itself.
    if (name === "activated code" && (mark === undefined || other === undefined)) return false;
    return mark?.value !== other?.value;
  });
}

/** Adds the entities of each side that are not what its deltas lead to. */
async function addContradictions(causes: Causes, sides: readonly [Side, Side]): Promise<void> {
  for (const { wrong, source, replay } of sides) {
    if (wrong.length === 0) continue;
    const sentence = `${countText(wrong.length)} of ${source.name} ${wrong.length === 1 ? "is" : "are"} not what its deltas lead to`;
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
}

/** Adds the changes of the group's key that a node did not get which left. */
async function addLaterKeys(
  causes: Causes,
  {
    behind,
    ahead,
    group,
    naming,
  }: { readonly behind: Peer; readonly ahead: Peer; readonly group: string; readonly naming: Naming },
): Promise<void> {
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

/** Authors of deltas that a sentence names. */
const AUTHORS = 3;

/** Adds the deltas that a side lacks: how many, since when, by whom. */
function addDeltas(causes: Causes, side: Side, other: Side, ids: readonly string[], naming: Naming): void {
  const found = ids.flatMap((id) => other.replay.graph.deltas[other.replay.graph.numberOf(id) ?? -1] ?? []);
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

async function wrongVerdict(
  wrong: readonly Side[],
  sides: readonly [Side, Side],
): Promise<Pick<DecidedContext, "verdict" | "sentence" | "about">> {
  const about = wrong.map(({ source }) => source.name);
  const sentences: string[] = [];
  let isRepaired = true;
  for (const side of wrong) {
    const [first] = side.wrong as [Contradiction];
    const { name } = side.source;
    const isWritten = side.wrong.every(({ how }) => how !== "damaged") && !(await isReplayed(side));
    isRepaired &&= isWritten;
    const other = sides.find((one) => one !== side) as Side;
    const judge = isRight(other, first) ? `; ${other.source.name} is right` : "";
    sentences.push(
      isWritten
        ? `the state of ${name} has ${countText(side.wrong.length)} that no delta of it explains: it was written without deltas`
        : `the state of ${name} is not what its deltas lead to: ${contradictionText(first)}${judge}`,
    );
  }
  return { verdict: isRepaired ? "repaired" : "diverged", sentence: sentences.join("; "), about };
}

function sameVerdict(
  [a, b]: readonly [Side, Side],
  causes: Causes,
): Pick<DecidedContext, "verdict" | "sentence" | "about"> {
  const about = [a.source.name, b.source.name];
  if (a.rootHash !== b.rootHash)
    return { verdict: "unexplained", sentence: "both have the same deltas, and different states", about };
  const snapshots = causes.of("snapshot");
  const reasons = [...causes.of("application"), ...snapshots].map(({ sentence }) => sentence);
  const isEqual = snapshots.length === 0;
  const same = isEqual ? "both have the same state and the same deltas" : "both have the same state";
  return { verdict: isEqual ? "equal" : "snapshot", sentence: [same, ...reasons].join("; "), about: [] };
}

/** A number of entities that differ; more than that are not counted. */
function countText(count: number): string {
  return `${count === MOST_WRONG ? "at least " : ""}${counted(count, "entity", "entities")}`;
}

/** The difference of one entity in words. */
function contradictionText({ entity, how, delta }: Contradiction): string {
  const name = `entity ${shortId(entity)}`;
  const by = delta === undefined ? "its deltas" : `delta ${shortId(delta.id)}`;
  switch (how) {
    case "damaged":
      return `the data of ${name} does not have the hash in its row`;
    case "absent":
      return `${name} of ${by} is not there`;
    case "deleted by a delta":
      return `${name} is there, and ${by} deleted it`;
    case "not written by any delta":
      return `no delta wrote ${name}`;
    case "other data":
      return `${name} has other data than ${by} gave it`;
  }
}

/** True if a side has an entity as the deltas of the other lead to it, by its own deltas. */
function isRight({ wrong, replay }: Side, { entity, wanted }: Contradiction): boolean {
  const theirs = replay.tree.get(entity);
  // From before the first delta there is nothing but the row itself.
  if (wrong.length > 0 || (theirs !== undefined && theirs.writer === undefined)) return false;
  const hash = theirs?.deletedAt === undefined ? theirs?.ownHash : undefined;
  return (hash && toHex(hash)) === wanted;
}

/** The deltas that one side has applied and the other lacks, in causal order. */
function lacked(from: Side, by: Side, covered: ReadonlySet<string>): readonly string[] {
  return from.replay.graph.deltas.map(({ id }) => id).filter((id) => !by.applied.has(id) && !covered.has(id));
}

/** True if only deltas that are lacking follow those that are. */
function isEnd({ replay: { graph } }: Side, lacking: ReadonlySet<string>): boolean {
  const isLacking = (number: number): boolean => lacking.has(graph.deltas[number]?.id ?? "");
  return graph.deltas.every((_, number) => !isLacking(number) || graph.children(number).every(isLacking));
}

/** True if a side has deltas of the other by a snapshot alone. */
function hasByCover(side: Side, other: Side, covered: ReadonlySet<string>): boolean {
  return [...covered].some((id) => other.applied.has(id) && !side.applied.has(id));
}
