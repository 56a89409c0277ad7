/** Compares two databases in one line for each context. */
import { type IdLike, idHex } from "../../bytes/id.js";
import { count, counted } from "../../bytes/quantity.js";
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
} from "../../diff/index.js";
import type { ProgressOptions } from "../../progress.js";
import { leftOutTexts, sentencesBeside, unlessLeftOut } from "../database/left-out.js";
import { shortDate } from "../output/lines.js";
import { programRows } from "../output/table.js";
import type { Terminal } from "../output/terminal.js";

/** The result of a comparison. */
export interface Verdict {
  readonly summary: ContextsDifference["summary"];
  /** True if the status is 0. */
  readonly agree: boolean;
  /** True if a deciding row does not decode. */
  readonly isUnread?: boolean;
}

/** The most kinds of rows in a line. */
const NAMED = 2;

/** Options of a summary. */
export interface SummaryOptions {
  readonly contextId: IdLike | undefined;
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

/** Prints a verdict for each context, and the differing groups and other rows. */
export async function printSummary(
  terminal: Terminal,
  a: RowSource,
  b: RowSource,
  options: SummaryOptions,
): Promise<Verdict> {
  const { label, sides, json, utc } = options;
  const { groups, other, summary, ...found } = await differencesOf(a, b, options);
  const contexts = found.contexts.map((one) => unlessLeftOut(one, a));
  const wrong = groups.filter(({ agree }) => !agree);
  const agree = contexts.every((one) => one.agree) && wrong.length === 0 && Object.keys(other).length === 0;
  const isUnread = contexts.some(isUndecided);
  if (json) {
    for (const context of contexts)
      await terminal.json({ ...context, sentences: sentencesBeside(context, sides, a) });
    await terminal.json({ groups, other, agree, sides, summary });
    return { agree, summary, isUnread };
  }
  const cells = [
    ...contexts.map(
      (one) =>
        [
          ...(["context", label("context", one.contextId)] as const),
          a.leftOut?.length ? leftOutTexts(one).join("; ") : verdictText(one, sides, utc),
        ] as const,
    ),
    ...wrong.map(
      ({ groupId, kinds }) => ["group", label("group", groupId), kindsText(kinds, sides)] as const,
    ),
    ...(Object.keys(other).length === 0 ? [] : [["other rows", "", kindsText(other, sides)] as const]),
  ];
  const print = await programRows(terminal, ["id", "kind", "verdict"]);
  if (print !== undefined) {
    for (const [kind, id, verdict] of cells) await print([id, kind, verdict]);
    return { agree, summary, isUnread };
  }
  const fields = cells.map(([kind, id, verdict]) => [`${kind} ${id}`.trimEnd(), verdict] as const);
  const there = contexts.filter((one) => one.a !== undefined || one.b !== undefined || !one.agree);
  const also = [
    ...(wrong.length === 0 ? [] : [counted(wrong.length, "group")]),
    ...(Object.keys(other).length === 0 ? [] : ["other rows"]),
  ].join(" and ");
  const said = agreementText(there, "context", a);
  const isMore = !a.leftOut?.length && there.some((one) => !one.agree);
  const head = also === "" ? said : isMore ? `${said}, in ${also}` : `${said}, and differ in ${also}`;
  await terminal.wrapped(head, 6);
  await terminal.fields(fields);
  return { agree, summary, isUnread };
}

async function differencesOf(
  a: RowSource,
  b: RowSource,
  { contextId, onProgress }: SummaryOptions,
): Promise<Differences> {
  if (contextId !== undefined) {
    const { contexts, summary } = await diffByContext(a, b, { contextId, onProgress });
    const only = idHex(contextId);
    return { contexts: contexts.filter((one) => one.contextId === only), groups: [], other: {}, summary };
  }
  const { byContext, byGroup } = await diffDatabases(a, b, { onProgress });
  // Kinds of rows whose keys name no context and no group are under `elsewhere` in both results.
  const other = Object.entries(byContext.elsewhere.kinds).filter(([kind]) => kind in byGroup.elsewhere.kinds);
  const { contexts, summary } = byContext;
  return { contexts, groups: byGroup.groups, other: Object.fromEntries(other), summary };
}

/** `only in node-a`; `GroupMember: 1 row only in node-a`; for many kinds of rows, only the numbers. */
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

/** Returns whether a row that decides the verdict on a context does not decode. */
export function isUndecided({ a, b, verdict }: ContextDifference): boolean {
  return verdict === "unknown" || [a, b].some((side) => side?.rootHash === null);
}

/** `node-a is ahead (3 deltas, since 2026-11-21 05:51:40 UTC)`, after the false rows of the context. */
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
    case "unknown": {
      const unread = names.filter((_, at) => [a, b][at]?.rootHash === null);
      if (unread.length > 0) {
        const rows = unread.map((name) => `${name}'s row of ContextMeta`).join(" and ");
        return `unknown: ${rows} ${unread.length === 1 ? "does" : "do"} not decode`;
      }
      return isSameState(one) ? unreadText(one.unreadDeltas, names) : "unknown: a row does not decode";
    }
    case "rows": {
      const missing = [onlyInA.count, onlyInB.count].flatMap((number, at) =>
        number === 0
          ? []
          : `${counted(number, "delta")} ${number === 1 ? "is" : "are"} missing on ${names[1 - at]}`,
      );
      const others = Object.keys(kinds).filter((kind) => kind !== "ContextDagDelta" || missing.length === 0);
      const named = [...others, ...meta].join(", ");
      const differ = named === "" ? (missing.length === 0 ? "rows" : "") : `rows of ${named}`;
      return ["the same data", ...missing, ...(differ === "" ? [] : [`${differ} differ`])].join("; ");
    }
  }
}

/** `the nodes differ in 2 of 7 contexts` */
export function agreementText(
  compared: readonly { readonly agree: boolean }[],
  what: "context" | "group",
  { leftOut = [] }: Pick<RowSource, "leftOut"> = {},
): string {
  if (leftOut.length > 0) return `unknown whether the nodes agree on all ${what}s`;
  const wrong = compared.filter(({ agree }) => !agree).length;
  const all = compared.length;
  const some = all === 1 ? `the ${what}` : `${count(wrong)} of ${counted(all, what)}`;
  return wrong > 0
    ? `the nodes differ in ${some}`
    : `the nodes agree on ${compared.length === 1 ? `the ${what}` : `all ${what}s`}`;
}
