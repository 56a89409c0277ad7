/** Two databases in one line for each context. */
import { count, counted } from "../bytes/quantity.js";
import { toJsonLine } from "../bytes/visible.js";
import {
  type ContextDifference,
  type ContextsDifference,
  diffByContext,
  diffDatabases,
  type GroupsDifference,
  isSameState,
  type KindDifference,
  kindSentences,
  type RowSource,
  type SideNames,
  unreadText,
  untrueSentences,
} from "../diff/index.js";
import type { ProgressOptions } from "../progress.js";
import { leftOutTexts, sentencesBeside, unlessLeftOut } from "./left-out.js";
import { fieldLines, shortDate, wrapped } from "./lines.js";
import type { Terminal } from "./terminal.js";

/** The result of a comparison. */
export interface Verdict {
  readonly summary: ContextsDifference["summary"];
  /** True if the status is 0. */
  readonly agree: boolean;
  /** True if a row that decides does not decode. */
  readonly isUnread?: boolean;
}

/** Kinds of rows that a line names. */
const NAMED = 2;

/** Options of a summary. */
export interface SummaryOptions {
  readonly contextId: Uint8Array | undefined;
  readonly onProgress: ProgressOptions["onProgress"];
  /** The id of a context or group with its names. */
  readonly label: (kind: "context" | "group", id: string) => string;
  readonly sides: SideNames;
  readonly json: boolean;
  readonly utc: boolean;
}

/** The differences of two databases, by context, by group and elsewhere. */
interface Differences {
  readonly contexts: readonly ContextDifference[];
  readonly groups: GroupsDifference["groups"];
  /** Rows that name neither a context nor a group. */
  readonly other: Readonly<Record<string, KindDifference>>;
  readonly summary: ContextsDifference["summary"];
}

/**
 * Prints a verdict for each context, and the groups and other rows that differ.
 */
export async function printSummary(
  terminal: Terminal,
  a: RowSource,
  b: RowSource,
  options: SummaryOptions,
): Promise<Verdict> {
  const { contextId, label, sides, json, utc } = options;
  const { groups, other, summary, ...found } = await differencesOf(a, b, options);
  const contexts = found.contexts.map((one) => unlessLeftOut(one, a));
  const wrong = groups.filter(({ agree }) => !agree);
  const alone = new Set(contexts.flatMap((one) => (isAlone(one) ? one.contextId : [])));
  const differing = wrong.filter((one) => !isGroupAlone(one) && !alone.has(one.groupId));
  const differingOther = Object.entries(other).filter(([kind, rows]) => !isOfOne(kind, rows));
  const isSame = differing.length + differingOther.length === 0;
  const agree = agreeOn(contexts, contextId !== undefined) && isSame;
  const isUnread = contexts.some(isUndecided);
  if (json) {
    for (const context of contexts)
      await terminal.line(toJsonLine({ ...context, sentences: sentencesBeside(context, sides, a) }));
    await terminal.line(toJsonLine({ groups, other, agree, sides, summary }));
    return { agree, summary, isUnread };
  }
  const fields = [
    ...contexts.map(
      (one) =>
        [
          `context ${label("context", one.contextId)}`,
          a.leftOut?.length ? leftOutTexts(one).join("; ") : verdictText(one, sides, utc),
        ] as const,
    ),
    ...wrong.map(
      ({ groupId, kinds }) =>
        [
          alone.has(groupId) ? `context ${label("context", groupId)}` : `group ${label("group", groupId)}`,
          kindsText(kinds, sides),
        ] as const,
    ),
    ...(Object.keys(other).length === 0 ? [] : [["other rows", kindsText(other, sides)] as const]),
  ];
  const there = contexts.filter((one) => one.a !== undefined || one.b !== undefined || !one.agree);
  const also = [
    ...(differing.length === 0 ? [] : [counted(differing.length, "group")]),
    ...(differingOther.length === 0 ? [] : ["other rows"]),
  ].join(" and ");
  const said = agreementText(there, "context", a);
  const isMore = !a.leftOut?.length && there.some((one) => !one.agree && !isAlone(one));
  const head = also === "" ? said : isMore ? `${said}, in ${also}` : `${said}, and differ in ${also}`;
  for (const line of wrapped(head, terminal.width, 6)) await terminal.line(line);
  for (const line of fieldLines(fields, terminal.width)) await terminal.line(line);
  return { agree, summary, isUnread };
}

async function differencesOf(
  a: RowSource,
  b: RowSource,
  { contextId, onProgress }: SummaryOptions,
): Promise<Differences> {
  if (contextId !== undefined) {
    const { contexts, summary } = await diffByContext(a, b, { contextId, onProgress });
    const only = Buffer.from(contextId).toString("hex");
    return { contexts: contexts.filter((one) => one.contextId === only), groups: [], other: {}, summary };
  }
  const { byContext, byGroup } = await diffDatabases(a, b, { onProgress });
  // A kind of row whose keys name no context and no group is elsewhere in both.
  const other = Object.entries(byContext.elsewhere.kinds).filter(([kind]) => kind in byGroup.elsewhere.kinds);
  const { contexts, summary } = byContext;
  return { contexts, groups: byGroup.groups, other: Object.fromEntries(other), summary };
}

/** `only in node-a`; `GroupMember: 1 row only in node-a`; of many kinds of rows the numbers alone. */
function kindsText(kinds: Readonly<Record<string, KindDifference>>, sides: SideNames): string {
  const all = Object.values(kinds);
  const [onlyInA, onlyInB, different] = (["onlyInA", "onlyInB", "different"] as const).map((name) =>
    all.reduce((sum, counts) => sum + counts[name], 0),
  ) as [number, number, number];
  const { GroupMeta: group } = kinds;
  if (group?.onlyInA === 1 && onlyInB + different === 0) return `only in ${sides[0]}`;
  if (group?.onlyInB === 1 && onlyInA + different === 0) return `only in ${sides[1]}`;
  if (all.length <= NAMED) return kindSentences({ kinds, benign: 0 }, sides).join("; ");
  const sum = { onlyInA, onlyInB, different };
  return kindSentences({ kinds: { [counted(all.length, "kind")]: sum }, benign: 0 }, sides).join();
}

/** Returns whether a row that decides about a context does not decode. */
export function isUndecided({ a, b, verdict }: ContextDifference): boolean {
  return verdict === "unknown" || [a, b].some((side) => side?.rootHash === null);
}

/** `node-a is ahead (3 deltas, since 2026-11-21 05:51:40 UTC)`, after the rows of the context that are not true. */
function verdictText(one: ContextDifference, names: SideNames, utc: boolean): string {
  const untrue = untrueSentences(one.untrue, names);
  const isSame = untrue.length > 0 && one.verdict === "rows";
  return [...untrue, isSame ? "the states are the same" : relationText(one, names, utc)].join("; ");
}

function relationText(one: ContextDifference, names: SideNames, utc: boolean): string {
  const { a, b, verdict, onlyInA, onlyInB, kinds, meta } = one;
  const [nameA, nameB] = names;
  const since = Math.min(...[onlyInA.since, onlyInB.since].map((time) => time ?? Number.POSITIVE_INFINITY));
  const when = since === Number.POSITIVE_INFINITY ? "" : shortDate(since, utc);
  const by = (number: number): string =>
    `(${counted(number, "delta")}${when === "" ? "" : `, since ${when}`})`;
  switch (verdict) {
    case "equal":
      return "same";
    case "absent":
      if (a === undefined && b === undefined) return "in neither, but rows of it are left";
      return `only in ${a === undefined ? nameB : nameA}`;
    case "ahead":
      return `${nameA} is ahead ${by(onlyInA.count)}`;
    case "behind":
      return `${nameA} is behind ${by(onlyInB.count)}`;
    case "both":
      return `diverged${when === "" ? "" : ` at ${when}`}: ${counted(onlyInA.count, "delta")} only in ${nameA}, ${count(onlyInB.count)} only in ${nameB}`;
    case "diverged":
      return "diverged: the same deltas, and other data";
    case "unknown":
      return isSameState(one) ? unreadText(one.unreadDeltas, names) : "unknown: a row does not decode";
    case "rows":
      return `the same data; ${[...Object.keys(kinds), ...meta].join(", ") || "rows"} differ`;
  }
}

/** True for a context that one node alone has: correct nodes differ so, as `why` and `hash` say too. */
function isAlone({ a, b }: Partial<Pick<ContextDifference, "a" | "b">>): boolean {
  return (a === undefined) !== (b === undefined);
}

/** The same of a group. */
function isGroupAlone({ kinds }: Pick<GroupsDifference["groups"][number], "kinds">): boolean {
  const { GroupMeta: group } = kinds;
  const all = Object.values(kinds);
  if (group === undefined || all.some(({ different }) => different > 0)) return false;
  return all.every(({ onlyInA }) => onlyInA === 0) || all.every(({ onlyInB }) => onlyInB === 0);
}

/** Whether the nodes agree on the groups that both have, and the same in words. */
export function groupsVerdict(groups: GroupsDifference["groups"]): {
  readonly agree: boolean;
  readonly said: string;
} {
  const alone = groups.filter(isGroupAlone);
  const differing = groups.filter((one) => !one.agree && !alone.includes(one)).length;
  const common = alone.length === 0 ? "groups" : "common groups";
  const rest = aloneText(alone.length, "group");
  const said = differing === 0 ? `agree on all ${common}` : `differ in ${counted(differing, "group")}`;
  return { agree: differing === 0, said: `the nodes ${said}${rest}` };
}

/** `; 5 contexts are on one node only` */
function aloneText(alone: number, what: string): string {
  return alone === 0 ? "" : `; ${counted(alone, what)} ${alone === 1 ? "is" : "are"} on one node only`;
}

/** True for rows that name neither a context nor a group where one node knows more: its applications. */
function isOfOne(kind: string, { different }: KindDifference): boolean {
  return kind === "ApplicationMeta" && different === 0;
}

/** True if the nodes agree on the contexts that both have. Of all contexts, one at least must be common if there are any. */
export function agreeOn(contexts: readonly ContextDifference[], isOne: boolean): boolean {
  const common = contexts.filter((one) => !isAlone(one));
  return common.every(({ agree }) => agree) && (isOne || common.length > 0 || contexts.length === 0);
}

/** `the nodes differ in 1 of 2 common contexts; 5 contexts are on one node only` */
export function agreementText(
  compared: readonly Pick<ContextDifference, "agree" | "a" | "b">[],
  what: string,
  { leftOut = [] }: Pick<RowSource, "leftOut"> = {},
): string {
  if (leftOut.length > 0) return `unknown whether the nodes agree on all ${what}s`;
  const common = compared.filter((one) => !isAlone(one));
  const alone = compared.length - common.length;
  const rest = aloneText(alone, what);
  if (compared.length === 1 && alone === 1) return `the ${what} is on one node only`;
  if (common.length === 0 && alone > 0) return `the nodes have no ${what} in common${rest}`;
  const which = alone === 0 ? what : `common ${what}`;
  const wrong = common.filter(({ agree }) => !agree).length;
  const text =
    wrong > 0
      ? `the nodes differ in ${count(wrong)} of ${count(common.length)} ${which}s`
      : `the nodes agree on ${common.length === 1 ? `the ${which}` : `all ${which}s`}`;
  return `${text}${rest}`;
}
