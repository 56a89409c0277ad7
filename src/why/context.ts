/** The causes why two nodes differ in a context: what one of them lacks, or which entity is not what the deltas lead to. */
import { toHex } from "../bytes/hex.js";
import { millisOfNtp64 } from "../bytes/ntp64.js";
import { counted } from "../bytes/quantity.js";
import { untrueSentences } from "../diff/browser.js";
import type { ContextRecord } from "../node/tables/contexts.js";
import type { ReplayOptions } from "../state/index.js";
import { goneFrom, waitingFor, withoutKey } from "./absence.js";
import type { Causes, Decision } from "./causes.js";
import { deltasText, lostBy, lostText } from "./lost.js";
import { listed, type Naming, shortId, timeText } from "./naming.js";
import { olderVerdict } from "./older-data.js";
import { coveredIn, type Peer, readSide, type Side } from "./side.js";
import { sameVerdicts } from "./verdict.js";
import { countText, wrongVerdict } from "./wrong-state.js";

/** The decision about a context, before the rows that differ are known. */
export interface DecidedContext extends Decision {
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
  readonly options: ReplayOptions;
  /** None yet. */
  readonly causes: Causes;
}

const NO_DELTAS: ReadonlySet<string> = new Set();

type Marks = Awaited<ReturnType<Peer["marks"]>>;

/** Marks that say which version of the application a node runs. */
const OF_APPLICATION = ["migration failed", "executing code", "activated code", "activated state version"];

/** Decides about a context that both nodes have joined. */
export async function decideContext(judged: JudgedContext): Promise<DecidedContext> {
  const { contextId, peers, causes } = judged;
  const records = await Promise.all(peers.map(async (peer) => (await peer.contexts()).get(toHex(contextId))));
  const decided = await decideState(judged, records);
  const { sides, verdict, sentence, about } = decided;
  const [heads, others] = records.map((record) => record?.heads ?? []) as [
    readonly string[],
    readonly string[],
  ];
  // The head may be the delta that was lost.
  const lacks = verdict === "delta-lost" ? () => false : lacksHead;
  const untrue = {
    rootHash: [sides[0].isOtherStated, sides[1].isOtherStated],
    heads: [lacks(sides[0], heads, others), lacks(sides[1], others, heads)],
  } as const;
  const said = untrueSentences(untrue, causes.names);
  const older = [olderHeads(sides[0], heads), olderHeads(sides[1], others)].flatMap((one) => one ?? []);
  for (const one of older) causes.add({ rule: "heads", sentence: one });
  if (said.length === 0) return { ...decided, sentence: [sentence, ...older].join("; ") };
  for (const one of said) causes.add({ rule: "stated", sentence: one });
  const isSame = sameVerdicts.includes(verdict);
  const names = causes.names.filter((_, at) => untrue.rootHash[at] || untrue.heads[at]);
  return {
    ...decided,
    verdict: "diverged",
    sentence: [...said, isSame ? "the states are the same" : sentence].join("; "),
    about: [...new Set([...names, ...about])],
  };
}

/** True if a side lists a head that the other does not, and of which it has no delta. */
function lacksHead(
  { replay, applied, rootHash }: Side,
  heads: readonly string[],
  others: readonly string[],
): boolean {
  const known = new Set([...applied, ...replay.checkpointIds, ...replay.pending.map(({ id }) => id)]);
  // core-0.10 takes the root hash for a head when it has fetched a snapshot and knows no delta.
  if (heads.length === 1) known.add(rootHash);
  return heads.some((head) => !others.includes(head) && !known.has(head));
}

/** The sentence about heads of a side that a delta follows which it applied; undefined without any. */
function olderHeads({ source, replay: { graph } }: Side, heads: readonly string[]): string | undefined {
  const followed = heads.flatMap((head) => {
    const [child] = graph.children(graph.numberOf(head) ?? -1);
    const next = graph.deltas[child ?? -1];
    return next === undefined ? [] : { head, next: next.id };
  });
  const [first] = followed;
  if (first === undefined) return undefined;
  return followed.length === 1
    ? `${source.name} still has the head ${shortId(first.head)}, which delta ${shortId(first.next)} follows`
    : `${source.name} still has ${counted(followed.length, "head")} that deltas follow`;
}

/** Decides about the states and the deltas. */
async function decideState(
  judged: JudgedContext,
  records: readonly (ContextRecord | undefined)[],
): Promise<DecidedContext> {
  const { contextId, peers, naming, options, causes } = judged;
  const context = toHex(contextId);
  const read = [
    await readSide(peers[0].source, contextId, records[0]?.rootHash, options),
    await readSide(peers[1].source, contextId, records[1]?.rootHash, options),
  ] as const;
  const covers = [coveredIn(read[0], read[1]), coveredIn(read[1], read[0])] as const;
  const all = [lacked(read[1], read[0], covers[0]), lacked(read[0], read[1], covers[1])] as const;
  const lost = [await lostBy(read[0], read[1], all[0]), await lostBy(read[1], read[0], all[1])] as const;
  const sides = [
    { ...read[0], wrong: lost[0].wrong },
    { ...read[1], wrong: lost[1].wrong },
  ] as const;
  /** Without those that a side lost. */
  const lacks = [without(all[0], lost[0].known), without(all[1], lost[1].known)] as const;
  const lacking = new Set(all.flat());
  const rest = { sides, causes, lacking, covered: new Set([...covers[0], ...covers[1]]) };

  await addContradictions(causes, sides);
  for (const { unchecked, source } of sides)
    if (unchecked.length > 0) {
      const sentence = `${countText(unchecked.length)} of ${source.name} cannot be checked: rows do not decode, the application merges fields, or the node took over a state without its deltas`;
      causes.add({ rule: "unchecked", sentence, contradictions: unchecked });
    }
  const wrong = sides
    .map((side, at) => ({ side, lost: lost[at]?.unknown ?? [] }))
    .filter(({ side }) => side.wrong.length > 0)
    .toSorted((one, other) => (one.side.source.name < other.side.source.name ? -1 : 1));
  for (const [at, one] of lost.entries())
    if (one.known.length > 0) {
      const [side, other] = [sides[at], sides[1 - at]] as [Side, Side];
      causes.add({ rule: "lost", sentence: lostText(side, other, one), deltas: one.known });
    }
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
    const names = listed(joined.map(({ name }) => name));
    const isKnown = sides.every(
      ({ replay }, at) =>
        !joined.includes(peers[at] as Peer) || replay.checkpoint !== undefined || replay.graph.hasHashes,
    );
    const sentence = isKnown
      ? `${names} took over the older deltas with a snapshot`
      : `no checkpoint of ${names} says whether it took the older deltas over or lost them`;
    causes.add({ rule: "snapshot", sentence });
  }
  for (const [side, { name }] of peers.entries()) {
    const has = joined.includes(peers[side] as Peer) ? covers[side as 0 | 1] : NO_DELTAS;
    const ids = lackedCheckpoints(sides[side] as Side, sides[1 - side] as Side).filter((id) => !has.has(id));
    const sentence = `${name} does not have the checkpoint ${listed(ids.map(shortId))} of ${peers[1 - side]?.name}`;
    if (ids.length > 0) causes.add({ rule: "checkpoint", sentence, deltas: ids });
  }
  if (wrong.length > 0) return { ...rest, ...(await wrongVerdict(wrong, sides)) };
  const losses = causes.of("lost").map(({ sentence }) => sentence);
  if (losses.length > 0) {
    const missing = causes.of("deltas").map(({ sentence }) => sentence);
    const about = peers.filter((_, side) => lost[side]?.known.length !== 0).map(({ name }) => name);
    return { ...rest, verdict: "delta-lost", sentence: [...losses.toSorted(), ...missing].join("; "), about };
  }
  if (lacking.size === 0) {
    const older = read[0].rootHash === read[1].rootHash ? undefined : await olderVerdict(sides, causes);
    return { ...rest, ...(older ?? sameVerdict(sides, causes)) };
  }
  const about = peers.filter((_, side) => lacks[side]?.length !== 0).map(({ name }) => name);
  if (!isOneBehind) {
    const lack = (side: 0 | 1): string =>
      `${peers[side].name} lacks ${counted(lacks[side].length, "delta")} of ${peers[side === 0 ? 1 : 0].name}`;
    return { ...rest, verdict: "both", sentence: [lack(0), lack(1)].toSorted().join(", and "), about };
  }
  const ids = lacks[at];
  const last = isEnd(sides[1 - at] as Side, lacking) ? "the last " : "";
  const isSame = absence === undefined && read[0].rootHash === read[1].rootHash;
  const which = isSame ? deltasText(ids) : `${last}${counted(ids.length, "delta")}`;
  const lackText = `${peers[at].name} lacks ${which} of ${peers[1 - at]?.name}`;
  const plain = isSame ? `both have the same state, but ${lackText}` : lackText;
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

function sameVerdict(
  [a, b]: readonly [Side, Side],
  causes: Causes,
): Pick<DecidedContext, "verdict" | "sentence" | "about"> {
  const about = [a.source.name, b.source.name];
  if (a.rootHash !== b.rootHash)
    return { verdict: "unexplained", sentence: "both have the same deltas, and different states", about };
  const snapshots = causes.of("snapshot");
  const checkpoints = causes.of("checkpoint").map(({ sentence }) => sentence);
  const others = [...causes.of("application"), ...snapshots].map(({ sentence }) => sentence);
  const reasons = [...others, ...checkpoints.toSorted()];
  const isEqual = snapshots.length + checkpoints.length === 0;
  const same = isEqual ? "both have the same state and the same deltas" : "both have the same state";
  return { verdict: isEqual ? "equal" : "snapshot", sentence: [same, ...reasons].join("; "), about: [] };
}

/** The deltas that one side has applied and the other lacks, in causal order. */
function lacked(from: Side, by: Side, covered: ReadonlySet<string>): readonly string[] {
  return from.replay.graph.deltas.map(({ id }) => id).filter((id) => !by.applied.has(id) && !covered.has(id));
}

/** The checkpoints of one side that the other has neither as such nor as deltas. */
function lackedCheckpoints({ replay, applied }: Side, by: Side): readonly string[] {
  const known = new Set([...replay.checkpointIds, ...replay.pending.map(({ id }) => id)]);
  return by.replay.checkpointIds.filter((id) => !applied.has(id) && !known.has(id));
}

function without(ids: readonly string[], some: readonly string[]): readonly string[] {
  if (some.length === 0) return ids;
  const left = new Set(ids);
  for (const id of some) left.delete(id);
  return [...left];
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
