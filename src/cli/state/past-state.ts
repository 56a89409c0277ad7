/** The state of a context at a moment, its changes until another moment, and the writer of each entry. */

import { toHex } from "../../bytes/hex.js";
import { counted } from "../../bytes/quantity.js";
import { toJsonLine, visible } from "../../bytes/visible.js";
import type { Json } from "../../codec/index.js";
import type { CalimeroNode } from "../../node/index.js";
import {
  type ContextReplay,
  problemJson,
  type State,
  StateCollection,
  type StateEntry,
  valueJson,
} from "../../state/index.js";
import type { ExitStatus } from "../arguments/command.js";
import { type IdLook, idText } from "../output/id-look.js";
import { MORE } from "../output/limit.js";
import { shortDate, wrapped } from "../output/lines.js";
import { printTable } from "../output/table.js";
import type { Terminal } from "../output/terminal.js";
import { clip, printable } from "../output/text.js";
import { dataLines, diffStates } from "./diff-data.js";
import { lastWriteIn } from "./last-write.js";
import {
  certaintyJson,
  type Moments,
  positionJson,
  positionText,
  type ReplayedMoment,
  verdictText,
} from "./replayed.js";

/** A moment in JSON. */
export function momentJson({ position, rootHash }: ReplayedMoment): { readonly [name: string]: Json } {
  return { at: positionJson(position), rootHash: rootHash ?? null, ...certaintyJson(position) };
}

/** A moment as lines above the state. */
export function momentLines(
  { position, rootHash }: ReplayedMoment,
  utc: boolean,
  { ids, width }: Terminal,
): string[] {
  const hash = rootHash === undefined ? "unknown" : idText(rootHash, { ...ids, whole: true });
  const lines = [
    `as of ${positionText(position, utc, ids)}`,
    `root hash ${hash}`,
    verdictText(position, ids),
  ];
  return lines.flatMap((line) => wrapped(line, width, 2));
}

/** A moment on one line: `as of delta 3 of 5 (7ddc0f12), …; proven: …`. */
export function momentText(moment: ReplayedMoment, utc: boolean, ids: IdLook): string {
  return `as of ${placeText(moment, utc, ids)}`;
}

function placeText({ position }: ReplayedMoment, utc: boolean, ids: IdLook): string {
  return `${positionText(position, utc, ids)}; ${verdictText(position, ids)}`;
}

interface Side {
  readonly state: State;
  readonly moment: ReplayedMoment;
}

/** Options of the output. */
export interface ShownOptions {
  readonly json: boolean;
  readonly utc: boolean;
  /** The most entries, of each collection or of all changes. */
  readonly limit: number | undefined;
}

/** Prints the changes between two moments. In JSON, a line about both moments comes before the entries. */
export async function printChanges(
  terminal: Terminal,
  replay: ContextReplay,
  from: Side,
  to: Side,
  { json, utc, limit = Number.POSITIVE_INFINITY }: ShownOptions,
): Promise<ExitStatus> {
  const all = await diffStates(from.state, to.state, { names: ["first moment", "second moment"] });
  const { count, uncompared, uncomparedCount } = all;
  const found = { ...all, differences: all.differences.slice(0, limit) };
  if (json) {
    const [before, after] = [momentJson(from.moment), momentJson(to.moment)];
    const compared = { entryCount: count, uncompared, uncomparedCount };
    await terminal.json({ context: replay.contextId, from: before, to: after, ...compared });
    for (const { path, a, b, entity } of found.differences) {
      const isRead = b !== undefined && !b.startsWith("! ");
      const value = entity !== undefined && isRead ? await to.state.get(path) : undefined;
      const delta = entity === undefined ? undefined : (await lastWriteIn(replay, entity, value))?.id;
      const [before, after] = [a, b].map((text) => (text === undefined ? null : shownJson(text)));
      await terminal.json({ path, before: before ?? null, after: after ?? null, delta: delta ?? null });
    }
    if (found.differences.length < count) await terminal.line(MORE);
    return uncomparedCount === 0 ? 0 : 1;
  }
  for (const [word, { moment }] of [
    ["from", from],
    ["to  ", to],
  ] as const)
    await terminal.wrapped(`${word} ${placeText(moment, utc, terminal.ids)}`, 5);
  for (const line of ["", ...dataLines(found)]) await terminal.line(clip(line, terminal.width));
  return uncomparedCount === 0 ? 0 : 1;
}

/** Prints each entry with the delta that wrote it. */
export async function printBlame(
  terminal: Terminal,
  node: CalimeroNode,
  { replay }: Moments,
  state: State,
  { json, utc, limit = Number.POSITIVE_INFINITY }: ShownOptions,
): Promise<ExitStatus> {
  const names = await node.names();
  const rows: string[][] = [];
  let [problems, more] = [0, 0];
  for await (const { entry, place } of entriesIn(state)) {
    if (place > limit) {
      more++;
      continue;
    }
    const written = await lastWriteIn(replay, toHex(entry.id), entry.value);
    const { json: value, problemCount } =
      entry.problem === undefined
        ? await valueJson(entry.value)
        : { json: problemJson(entry.problem), problemCount: 1 };
    problems += problemCount;
    const author = written?.author;
    const named = author === undefined ? undefined : names.authorIn(replay.contextId, author);
    if (json) {
      const time = written?.time === undefined ? null : new Date(written.time).toISOString();
      const delta = written?.id ?? null;
      await terminal.json({ path: entry.path, value, delta, author: author ?? null, time });
      continue;
    }
    const by =
      named?.name ??
      (named && idText(named.id, terminal.ids)) ??
      (written === undefined ? unwritten(replay, toHex(entry.id)) : "not named");
    const when = written?.time === undefined ? "" : shortDate(written.time, utc);
    rows.push([
      visible(entry.path),
      clip(toJsonLine(value), 40),
      printable(by),
      when,
      written === undefined ? "" : idText(written.id, terminal.ids),
    ]);
  }
  if (json && more > 0) await terminal.line(MORE);
  if (!json) {
    if (rows.length === 0 && more === 0) terminal.remark("the state has no map, set or list with an entry");
    const header = ["entry", "value", "author", "time", "delta"];
    await printTable(terminal, [header, ...rows], { right: [], cut: [1, 0], leave: [3, 1] });
    if (more > 0) await terminal.line(`… ${counted(more, "more entry", "more entries")}`);
    if (problems > 0) terminal.remark(`${counted(problems, "entry", "entries")} with a problem`);
  }
  return problems === 0 ? 0 : 1;
}

/** The text for an existing entity that no delta wrote: if the history is complete, the delta is lost. */
function unwritten({ isJoined, tree }: ContextReplay, entity: string): string {
  return isJoined && tree.get(entity) !== undefined ? "before the first delta" : "no known delta";
}

/** A value as JSON; the name of a problem stays a text. */
export function shownJson(text: string): Json {
  return text.startsWith("! ") ? text : (JSON.parse(text) as Json);
}

/** The entries of all maps, sets and lists that are fields, each with its place in its field, from 1. */
async function* entriesIn(
  state: State,
): AsyncGenerator<{ readonly entry: StateEntry; readonly place: number }, void, undefined> {
  for (const { value } of state.fields) {
    if (!(value instanceof StateCollection) || value.kind === "counter" || value.kind === "sequence")
      continue;
    let place = 0;
    for await (const entry of value.parts()) yield { entry, place: ++place };
  }
}
