/** The differences by context and by kind of row in sentences. */
import { checkArgument, hasMembers } from "../options.js";
import type { ContextDifference, ContextSide } from "./by-context.js";
import { unreadSentences, untrueSentences } from "./context-facts.js";
import type { KindDifference } from "./gather.js";
import type { OlderDeltas } from "./older-deltas.js";

/** The names of the two databases in sentences. */
export type SideNames = readonly [a: string, b: string];

const LETTERS: SideNames = ["A", "B"];

/**
 * Describes the differences of a context in sentences.
 *
 * @param names the names of the two databases; A and B by default
 */
export function sentencesOf(difference: ContextDifference, names: SideNames = LETTERS): string[] {
  checkArgument(
    "sentencesOf",
    difference,
    hasMembers("the difference of a context", "a", "b", "kinds", "older"),
  );
  const { a, b, kinds, benign, meta, older, unreadDeltas, untrue } = difference;
  const said: string[] = [];
  const described = ["ContextState", "ContextDagDelta", "ContextMeta"];
  const unread = [a, b].flatMap((side, at) => (side?.rootHash === null ? (names[at] as string) : []));
  if (unread.length > 0) {
    described.length = 0;
    for (const name of unread)
      said.push(`not known: the row of ${name} with the root hash and the heads does not decode`);
  } else if (isKnown(a) && isKnown(b)) {
    said.push(
      ...stateSentences(kinds.ContextState, a, b, names),
      ...deltaSentences(kinds.ContextDagDelta, a, b, names),
      ...olderSentences(older, names),
      ...unreadSentences(unreadDeltas, names),
      ...untrueSentences(untrue, names),
    );
    if (meta.length > 0) said.push(`ContextMeta differs in ${meta.join(", ")}`);
  } else {
    described.length = 0;
    if (a !== undefined || b !== undefined)
      said.push(`only ${a === undefined ? names[1] : names[0]} has this context`);
    else said.push("neither has this context, but rows of it are left");
  }
  const others = Object.entries(kinds).filter(([kind]) => !described.includes(kind));
  said.push(...kindSentences({ kinds: Object.fromEntries(others), benign }, names));
  return said.length === 0 ? ["equal"] : said;
}

/**
 * Describes the differences by kind of row in sentences.
 *
 * @param names the names of the two databases; A and B by default
 */
export function kindSentences(
  difference: Pick<ContextDifference, "kinds" | "benign">,
  names: SideNames = LETTERS,
): string[] {
  checkArgument("kindSentences", difference, hasMembers("the difference of a context", "kinds", "benign"));
  const { kinds, benign } = difference;
  return [
    ...Object.entries(kinds).map(([kind, of]) => `${kind}: ${countsText(of, names)}`),
    ...(benign > 0 ? [`${rowsText(benign)} with benign differences (correct nodes may have them)`] : []),
  ];
}

/** `3 rows only in A, 1 row differs` */
function countsText({ onlyInA, onlyInB, different }: KindDifference, [nameA, nameB]: SideNames): string {
  return [
    ...(onlyInA > 0 ? [`${rowsText(onlyInA)} only in ${nameA}`] : []),
    ...(onlyInB > 0 ? [`${rowsText(onlyInB)} only in ${nameB}`] : []),
    ...(different > 0 ? [`${rowsText(different)} ${differ(different)}`] : []),
  ].join(", ");
}

/** A side whose row decodes. */
type KnownSide = ContextSide & { readonly rootHash: string };

function isKnown(side: ContextSide | undefined): side is KnownSide {
  return side !== undefined && side.rootHash !== null;
}

function stateSentences(
  state: KindDifference | undefined,
  a: KnownSide,
  b: KnownSide,
  names: SideNames,
): string[] {
  const hashes =
    a.rootHash === b.rootHash
      ? `root hash ${short(a.rootHash)} in both`
      : `root hashes ${short(a.rootHash)} and ${short(b.rootHash)}`;
  if (state !== undefined) {
    const entries = state.onlyInA + state.onlyInB + state.different;
    return [
      `State differs at ${entries} ${entries === 1 ? "entry" : "entries"} (${countsText(state, names)}), ${hashes}`,
    ];
  }
  return a.rootHash === b.rootHash ? [] : [`State is equal, ${hashes}`];
}

function deltaSentences(
  deltas: KindDifference | undefined,
  a: ContextSide,
  b: ContextSide,
  [nameA, nameB]: SideNames,
): string[] {
  const heads = ({ dagHeads }: ContextSide) => dagHeads.map(short).join(", ") || "the beginning";
  const sameHeads = [...a.dagHeads].sort().join() === [...b.dagHeads].sort().join();
  const lacks = (who: string, number: number, side: ContextSide) => {
    const lacked = `${who} lacks ${number}${sameHeads ? " older" : ""} ${deltasText(number)}`;
    return sameHeads ? `${lacked}, heads ${heads(side)} in both` : `${lacked} after ${heads(side)}`;
  };
  const said: string[] = [];
  const { onlyInA = 0, onlyInB = 0, different = 0 } = deltas ?? {};
  if (onlyInA > 0) said.push(lacks(nameB, onlyInA, b));
  if (onlyInB > 0) said.push(lacks(nameA, onlyInB, a));
  if (different > 0) said.push(`${different} ${deltasText(different)} with the same id ${differ(different)}`);
  if (onlyInA + onlyInB === 0 && !sameHeads)
    said.push(`the same deltas, heads ${heads(a)} in ${nameA} and ${heads(b)} in ${nameB}`);
  return said;
}

function olderSentences({ onlyInA, onlyInB }: OlderDeltas, [nameA, nameB]: SideNames): string[] {
  const older = (number: number, has: string, lacks: string) =>
    number === 0
      ? []
      : [
          `${number} older ${deltasText(number)} only in ${has}: ${lacks} applied others that follow, as after a snapshot`,
        ];
  return [...older(onlyInA, nameA, nameB), ...older(onlyInB, nameB, nameA)];
}

function deltasText(number: number): string {
  return number === 1 ? "delta" : "deltas";
}

function rowsText(rows: number): string {
  return `${rows} ${rows === 1 ? "row" : "rows"}`;
}

function differ(count: number): string {
  return count === 1 ? "differs" : "differ";
}

function short(id: string): string {
  return `${id.slice(0, 8)}…`;
}
