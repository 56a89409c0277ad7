/** The causes why two nodes differ in a context: a node lacks deltas, or an entity differs from their replay. */
import { toHex } from "../bytes/hex.js";
import { equalBytes } from "../bytes/order.js";
import { counted } from "../bytes/quantity.js";
import { untrueSentences } from "../diff/browser.js";
import type { ContextRecord } from "../node/tables/contexts.js";
import type { ReplayOptions } from "../state/index.js";
import type { Causes, Decision } from "./causes.js";
import { bothWays, type ComparedSide, readSides, type Sides } from "./compared-sides.js";
import {
  addAbsence,
  addContradictions,
  addLosses,
  addMissing,
  addPending,
  addSnapshots,
  addVersions,
  lackedCheckpoints,
} from "./context-causes.js";
import { deltasText } from "./lost.js";
import { type Naming, shortId } from "./naming.js";
import { olderVerdict } from "./older-data.js";
import type { Peer, Side } from "./side.js";
import { sameVerdicts } from "./verdict.js";
import { wrongVerdict } from "./wrong-state.js";

/** The verdict on a context, before the differing rows are known. */
export interface DecidedContext extends Decision {
  readonly sides: Sides;
  readonly causes: Causes;
  /** Deltas that one side lacks and does not have by a snapshot. */
  readonly lacking: ReadonlySet<string>;
  /** Deltas that one side has by a snapshot. */
  readonly covered: ReadonlySet<string>;
  /** True if a side took over a state with deltas that the other side lacks, and that neither database has. */
  readonly isUnseen: boolean;
}

/** The checkpoints that a side lacks and that the other side has. */
type Unseen = ReadonlyMap<Side, readonly string[]>;

/** A context to judge. */
export interface JudgedContext {
  /** 32 bytes. */
  readonly contextId: Uint8Array;
  readonly peers: readonly [Peer, Peer];
  readonly naming: Naming;
  readonly options: ReplayOptions;
  /** Collects the causes; empty at first. */
  readonly causes: Causes;
}

/** The context according to each node. */
type Records = readonly [ContextRecord | undefined, ContextRecord | undefined];

/** Gives the verdict on a context that both nodes have joined. */
export async function decideContext(judged: JudgedContext): Promise<DecidedContext> {
  const { causes } = judged;
  const records = await recordsOf(judged);
  const decided = await decideState(judged, await sidesOf(judged));
  const { sides, verdict, sentence, about } = decided;
  const [heads, others] = [records[0]?.heads ?? [], records[1]?.heads ?? []];
  // The head may be the delta that was lost.
  const lacks = verdict === "delta-lost" ? () => false : lacksHead;
  const untrue = {
    rootHash: [sides[0].hasWrongRootHash, sides[1].hasWrongRootHash],
    heads: [lacks(sides[0], heads, others), lacks(sides[1], others, heads)],
  } as const;
  const said = untrueSentences(untrue, causes.names);
  const older = [olderHeads(sides[0], heads), olderHeads(sides[1], others)].flatMap((one) => one ?? []);
  for (const one of older) causes.add({ rule: "heads", sentence: one });
  const incomplete = decided.lacking.size === 0 ? [] : causes.of("incomplete").map((one) => one.sentence);
  if (said.length === 0) return { ...decided, sentence: [...incomplete, sentence, ...older].join("; ") };
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

function recordsOf({ contextId, peers }: JudgedContext): Promise<Records> {
  const recordOf = async (peer: Peer) => (await peer.contexts()).get(toHex(contextId));
  return Promise.all([recordOf(peers[0]), recordOf(peers[1])]);
}

/** Reads both sides of a context. */
export async function sidesOf(judged: JudgedContext): Promise<Sides> {
  const { contextId, peers, options } = judged;
  return readSides(contextId, peers, await recordsOf(judged), options);
}

/** True if a side lists a head that the other side does not list, and lacks the delta of that head. */
function lacksHead(
  { replay, applied, rootHash }: Side,
  heads: readonly string[],
  others: readonly string[],
): boolean {
  const known = new Set([...applied, ...replay.checkpointIds, ...replay.pending.map(({ id }) => id)]);
  // After a snapshot, core-0.10 stores the root hash as head if it knows no delta.
  if (heads.length === 1) known.add(rootHash);
  return heads.some((head) => !others.includes(head) && !known.has(head));
}

/** The sentence about heads of a side that are parents of an applied delta; undefined without such heads. */
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

/** Gives the verdict on the states and the deltas. */
async function decideState(judged: JudgedContext, sides: Sides): Promise<DecidedContext> {
  const { contextId, peers, naming, causes } = judged;
  const wrong = sides
    .filter((side) => side.wrong.length > 0)
    .toSorted((a, b) => (a.source.name < b.source.name ? -1 : 1));
  const unseen = unseenBy(sides);
  const rest = {
    sides,
    causes,
    lacking: new Set(sides.flatMap(({ lacks }) => lacks)),
    covered: new Set(sides.flatMap(({ covered }) => [...covered])),
    isUnseen: unseen.size > 0,
  };
  const [behind, alsoBehind] = sides.filter((side) => side.missing.length > 0 || unseen.has(side));
  const ahead = sides.find((side) => side !== behind) as ComparedSide;
  await addContradictions(causes, sides);
  addLosses(causes, sides);
  for (const side of sides)
    if (side.isUnfinished) causes.add({ rule: "incomplete", sentence: incompleteText(side) });
  const absence =
    behind === undefined || behind.missing.length === 0 || alsoBehind !== undefined || wrong.length > 0
      ? undefined
      : await addAbsence(causes, behind, ahead, naming);
  addMissing(causes, sides, naming);
  await addVersions(causes, peers, toHex(contextId));
  addSnapshots(causes, sides);
  const waiting = addPending(causes, sides);
  if (wrong.length > 0) return { ...rest, ...(await wrongVerdict(wrong, sides)) };
  if (sides.some(({ lost }) => lost.otherHas.length > 0)) return { ...rest, ...lossVerdict(causes, sides) };
  if (rest.lacking.size === 0) {
    const incomplete = incompleteVerdict(sides);
    if (incomplete !== undefined) return { ...rest, ...incomplete };
    if (!rest.isUnseen)
      return { ...rest, ...((await olderVerdict(sides, causes)) ?? sameVerdict(sides, causes, waiting)) };
  }
  if (behind === undefined || alsoBehind !== undefined) return { ...rest, ...bothVerdict(sides, unseen) };
  const own = behind.missing.length === 0 ? undefined : missingText(behind, ahead, absence !== undefined);
  const plain = lackText(behind, ahead, own, unseen);
  const about = [behind.source.name];
  if (absence !== undefined)
    return { ...rest, verdict: absence.verdict, sentence: `${absence.sentence}: ${plain}`, about };
  return { ...rest, verdict: behind === sides[0] ? "behind" : "ahead", sentence: plain, about };
}

/** The verdict if a side lost deltas that it had applied. */
function lossVerdict(causes: Causes, sides: Sides): Decision {
  const losses = causes.of("lost").map(({ sentence }) => sentence);
  const missing = causes.of("deltas").map(({ sentence }) => sentence);
  const about = sides.filter(({ lost }) => lost.otherHas.length > 0).map(({ source }) => source.name);
  return { verdict: "delta-lost", sentence: [...losses.toSorted(), ...missing].join("; "), about };
}

/** The verdict if each side lacks deltas of the other. */
function bothVerdict([a, b]: Sides, unseen: Unseen): Decision {
  const lack = (side: ComparedSide, other: ComparedSide): string => {
    const count = counted(side.missing.length, "delta");
    const own = `${side.source.name} lacks ${count} of ${other.source.name}`;
    return lackText(side, other, side.missing.length === 0 ? undefined : own, unseen);
  };
  const about = [a.source.name, b.source.name];
  return { verdict: "both", sentence: [lack(a, b), lack(b, a)].toSorted().join(", and "), about };
}

/**
 * The sentence about all that a side lacks.
 *
 * @param own the sentence about the deltas that it lacks; undefined if it lacks none
 */
function lackText(side: Side, other: Side, own: string | undefined, unseen: Unseen): string {
  const ids = unseen.get(side) ?? [];
  const texts = [own ?? [], ids.length === 0 ? [] : deltasText(ids)].flat();
  const text = own === undefined ? `${side.source.name} lacks ${texts}` : texts.join(", and ");
  return ids.length === 0 ? text : `${text}, which ${other.source.name} has by a snapshot`;
}

/** The sentence about the deltas that one side lacks. */
function missingText(behind: ComparedSide, ahead: ComparedSide, isExplained: boolean): string {
  const ids = behind.missing;
  const isSame = !isExplained && behind.rootHash === ahead.rootHash;
  const isLast = isEnd(ahead, new Set(behind.lacks));
  const some = isLast && ids.length === 1 ? "delta" : counted(ids.length, "delta");
  const which = isSame ? deltasText(ids) : `${isLast ? "the last " : ""}${some}`;
  const text = `${behind.source.name} lacks ${which} of ${ahead.source.name}`;
  return isSame ? `both have the same state, but ${text}` : text;
}

const incompleteText = ({ source }: Side): string => `the state of ${source.name} is not complete yet`;

/** The verdict on sides with the same deltas if a node has not fetched the whole state; undefined if both have. */
function incompleteVerdict(sides: Sides): Decision | undefined {
  const [first, other] = sides.filter(({ isUnfinished }) => isUnfinished);
  if (first === undefined) return undefined;
  if (other !== undefined)
    return { verdict: "equal", sentence: "the states of both are not complete yet", about: [] };
  const verdict = first === sides[0] ? "behind" : "ahead";
  return { verdict, sentence: incompleteText(first), about: [first.source.name] };
}

/**
 * The deltas that a side lacks and the other has by a snapshot, if the states differ: checkpoints name them. A side with
 * a base that is not that of its checkpoint is left out.
 */
function unseenBy(sides: Sides): Unseen {
  const found = new Map<Side, readonly string[]>();
  if (sides[0].rootHash === sides[1].rootHash) return found;
  for (const [side, other] of bothWays(sides)) {
    const { checkpoint, baseHash } = other.replay;
    const isOther = checkpoint === undefined || (baseHash !== undefined && !equalBytes(baseHash, checkpoint));
    const ids = isOther ? [] : lackedCheckpoints(side, other).filter((id) => !side.covered.has(id));
    if (ids.length > 0) found.set(side, ids);
  }
  return found;
}

/**
 * The verdict on sides with the same deltas.
 *
 * @param waiting the names of the nodes with pending deltas that the other does not have
 */
function sameVerdict([a, b]: Sides, causes: Causes, waiting: readonly string[]): Decision {
  const about = [a.source.name, b.source.name];
  if (a.rootHash !== b.rootHash)
    return { verdict: "unexplained", sentence: "both have the same deltas, and different states", about };
  const snapshots = causes.of("snapshot");
  const checkpoints = causes.of("checkpoint").map(({ sentence }) => sentence);
  const others = [...causes.of("application"), ...snapshots].map(({ sentence }) => sentence);
  const reasons = [...others, ...checkpoints.toSorted()];
  const pending = causes.of("pending").map(({ sentence }) => sentence);
  if (pending.length > 0) {
    const sentence = ["both have the same state", ...reasons, ...pending].join("; ");
    return { verdict: "parent-missing", sentence, about: waiting };
  }
  const isEqual = snapshots.length + checkpoints.length === 0;
  const same = isEqual ? "both have the same state and the same deltas" : "both have the same state";
  return { verdict: isEqual ? "equal" : "snapshot", sentence: [same, ...reasons].join("; "), about: [] };
}

/** True if all children of the lacking deltas are lacking too. */
function isEnd({ replay: { graph } }: Side, lacking: ReadonlySet<string>): boolean {
  const isLacking = (number: number): boolean => lacking.has(graph.deltas[number]?.id ?? "");
  return graph.deltas.every((_, number) => !isLacking(number) || graph.children(number).every(isLacking));
}
