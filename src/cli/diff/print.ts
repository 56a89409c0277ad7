/** Prints comparisons: by row, by context, by group, or all in short. */
import { idHex } from "../../bytes/id.js";
import {
  type ContextsDifference,
  type DiffOptions,
  diffByContext,
  diffByGroup,
  diffRows,
  kindSentences,
  type RowSource,
  type SideNames,
} from "../../diff/index.js";
import { sentencesBeside, unlessLeftOut } from "../database/left-out.js";
import { SentenceLook } from "../output/sentence-look.js";
import { programRows } from "../output/table.js";
import type { Terminal } from "../output/terminal.js";
import { clip } from "../output/text.js";
import { type Differing, dataJson, dataLines } from "../state/diff-data.js";
import { printCounts, rowCells, rowLines } from "./lines.js";
import { agreementText, isUndecided, printSummary, type SummaryOptions, type Verdict } from "./summary.js";

/** A comparison that is to be printed. */
export interface Comparison {
  readonly a: RowSource;
  readonly b: RowSource;
  readonly how: DiffOptions;
  readonly options: Pick<SummaryOptions, "json" | "utc">;
  /** The names of the databases. */
  readonly sides: SideNames;
  /** The id of a context or group with its names. */
  readonly label: SummaryOptions["label"];
  /** The differing entries of the application's data in a context. */
  readonly differingIn: Differing;
}

/** Prints each differing row. */
export async function printRows(
  terminal: Terminal,
  { a, b, how, options: { json }, sides }: Comparison,
): Promise<Verdict> {
  const rows = diffRows(a, b, how);
  const print = await programRows(terminal, ["row", "column family", "difference", "fields", "expected"]);
  let next = await rows.next();
  for (; next.done !== true; next = await rows.next()) {
    try {
      if (json) await terminal.json(next.value);
      else if (print !== undefined) await print(rowCells(next.value, terminal.ids, sides));
      else
        for (const line of rowLines(next.value, terminal.ids))
          await terminal.line(clip(line, terminal.width));
    } catch (error) {
      await rows.throw(error);
    }
  }
  if (json) await terminal.json({ summary: next.value });
  else if (print === undefined) await printCounts(terminal, next.value, sides);
  const { onlyInA, onlyInB, different } = next.value;
  return { summary: next.value, agree: onlyInA + onlyInB + different === 0 };
}

/** Prints a line for each context, and the differing groups and other rows. */
export async function printAll(
  terminal: Terminal,
  { a, b, how: { contextId, onProgress }, options: { json, utc }, sides, label }: Comparison,
): Promise<Verdict> {
  const verdict = await printSummary(terminal, a, b, { contextId, onProgress, label, sides, json, utc });
  if (!json && !terminal.isForPrograms) await printCounts(terminal, verdict.summary, sides);
  return verdict;
}

/** Prints the differences of each context. */
export async function printContexts(
  terminal: Terminal,
  { a, b, how: { contextId, onProgress }, options: { json }, sides, label, differingIn }: Comparison,
): Promise<Verdict> {
  const found = await diffByContext(a, b, { contextId, onProgress });
  const { elsewhere, summary } = found;
  const contexts = found.contexts.map((one) => unlessLeftOut(one, a));
  const only = contextId === undefined ? undefined : idHex(contextId);
  const shown = contexts.filter((context) => only === undefined || context.contextId === only);
  const agree = shown.every((context) => context.agree);
  const isUnread = shown.some(isUndecided);
  if (json) {
    for (const context of shown) {
      const data = await differingIn(context);
      const more = data && dataJson(data);
      await terminal.json({ ...context, sentences: sentencesBeside(context, sides, a), ...more });
    }
    await terminal.json({ elsewhere, agree, sides, summary });
    return { agree, summary, isUnread };
  }
  const look = new SentenceLook(terminal, []);
  const there = shown.filter(({ a, b, agree: agrees }) => a !== undefined || b !== undefined || !agrees);
  await terminal.wrapped(agreementText(there, "context", a), 6);
  for (const context of shown) {
    await terminal.wrapped(`context ${label("context", context.contextId)}`, 6);
    look.learn([context.a, context.b].flatMap((side) => [side?.rootHash ?? [], side?.dagHeads ?? []].flat()));
    for (const sentence of sentencesBeside(context, sides, a))
      await terminal.wrapped(`  ${await look.show(sentence)}`, 4);
    const data = await differingIn(context);
    for (const line of data === undefined ? [] : dataLines(data))
      await terminal.line(clip(`    ${line}`, terminal.width));
  }
  await printRest(terminal, "context", found, sides);
  return { agree, summary, isUnread };
}

/** Prints the differences of each group. */
export async function printGroups(
  terminal: Terminal,
  { a, b, how: { groupId, onProgress }, options: { json }, sides, label }: Comparison,
): Promise<Verdict> {
  const found = await diffByGroup(a, b, { groupId, onProgress });
  const { groups, elsewhere, agree, summary } = found;
  if (json) {
    for (const group of groups) await terminal.json({ ...group, sentences: kindSentences(group, sides) });
    await terminal.json({ elsewhere, agree, sides, summary });
    return { agree, summary };
  }
  await terminal.wrapped(agreementText(groups, "group"), 6);
  for (const group of groups) {
    await terminal.wrapped(`group ${label("group", group.groupId)}`, 6);
    for (const sentence of kindSentences(group, sides)) await terminal.wrapped(`  ${sentence}`, 4);
  }
  await printRest(terminal, "group", found, sides);
  return { agree, summary };
}

/** Prints the differences in rows that name no such thing, and the numbers of rows. */
async function printRest(
  terminal: Terminal,
  what: "context" | "group",
  { elsewhere, summary }: Pick<ContextsDifference, "elsewhere" | "summary">,
  sides: SideNames,
): Promise<void> {
  const others = kindSentences(elsewhere, sides);
  if (others.length > 0) await terminal.line(`in rows that name no ${what}`);
  for (const sentence of others) await terminal.wrapped(`  ${sentence}`, 4);
  await printCounts(terminal, summary, sides);
}
