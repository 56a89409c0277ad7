/** The life of an entry: the deltas that touched it, each with the value before and after. */
import { counted } from "../../bytes/quantity.js";
import { visible } from "../../bytes/visible.js";
import type { Json } from "../../codec/index.js";
import { invalidArgument } from "../../errors.js";
import type { Named, Names } from "../../node/index.js";
import {
  type AuthorViews,
  type EntryChange,
  entryChanges,
  parsePath,
  pastValueAt,
  type ReplayPosition,
} from "../../state/index.js";
import type { ExitStatus } from "../arguments/command.js";
import { type ReadNode, remarkNothing } from "../database/unread.js";
import { MORE } from "../output/limit.js";
import { shortDate, wrapped } from "../output/lines.js";
import { programRows } from "../output/table.js";
import type { Terminal } from "../output/terminal.js";
import { printable } from "../output/text.js";
import { changedText, pastJson, valueText } from "../state/past-value.js";
import { certaintyJson, certaintyText, isProven, positionText } from "../state/replayed.js";
import { HISTORY_HEADS } from "./history-lines.js";
import type { Labels } from "./labels.js";
import type { FilterValues, HistoryFilter } from "./wanted.js";

/** Options for the life of an entry. */
interface LifeOptions extends FilterValues {
  readonly path: string;
  readonly wanted: HistoryFilter;
  /** The delta up to which the life is printed, and the ids of all deltas until then; undefined for now. */
  readonly as: { readonly position: ReplayPosition; readonly ids: ReadonlySet<string> } | undefined;
  readonly limit: number | undefined;
  readonly json: boolean;
  readonly utc: boolean;
}

/** Prints the life of an entry, newest first. */
export async function printLife(
  terminal: Terminal,
  { labels, names, read }: { readonly labels: Labels; readonly names: Names; readonly read: ReadNode },
  views: AuthorViews,
  options: LifeOptions,
): Promise<ExitStatus> {
  const { path, wanted, as, limit, json, utc } = options;
  if (parsePath(path).length === 0) throw invalidArgument("--entry takes the path of a field or an entry");
  const state = await views.now();
  const now = await pastValueAt(state, path);
  const all: EntryChange[] = [];
  let leftOut = 0;
  for await (const change of entryChanges(views, state, path)) {
    terminal.check();
    if (as?.ids.has(change.position.delta) === false) continue;
    const author = authorOf(change, state.context, names);
    if (wanted.hasDelta({ author, time: change.position.time })) all.push(change);
    else leftOut++;
  }
  const shown = all.toReversed().slice(0, limit);
  const print = await programRows(terminal, HISTORY_HEADS);
  if (json) {
    for (const change of shown) await terminal.json(changeToJson(change, path));
    if (shown.length < all.length) await terminal.line(MORE);
  } else if (print !== undefined) {
    const of = names.as("context", state.context);
    for (const change of shown)
      await print(await lifeRow(change, authorOf(change, state.context, names), of, { labels, utc }));
  } else {
    const head =
      as === undefined
        ? `${visible(path)} is ${valueText(now)}`
        : `${visible(path)} as of ${positionText(as.position, utc, terminal.ids)}`;
    await terminal.wrapped(head, 4);
    for (const change of shown) {
      const author = authorOf(change, state.context, names);
      await labels.prepare([author, change.position.delta]);
      await terminal.lines(lifeLines(change, author, { labels, utc }, terminal.width));
    }
    if (shown.length < all.length)
      await terminal.line(`… ${counted(all.length - shown.length, "more delta")}`);
  }
  if (all.length > 0) return 0;
  if (leftOut > 0) {
    const filters = FILTERS.filter((name) => options[name] !== undefined).map((name) => `--${name}`);
    const leave = `${filters.join(" and ")} ${filters.length === 1 ? "leaves" : "leave"} out`;
    terminal.remark(`${leave} ${counted(leftOut, "delta")} that wrote ${printable(path)}`);
    return 0;
  }
  const until = as === undefined ? "" : " until then";
  remarkNothing(terminal, read, {
    text: `no delta ${until === "" ? "that the database has" : "until then"} wrote ${printable(path)}`,
    unread: `no delta${until} that can be read wrote ${printable(path)}`,
  });
  return now.kind === "nothing" || as !== undefined ? 1 : 0;
}

/** Options that leave out deltas. */
const FILTERS = ["member", "author", "since", "until"] as const;

/** The member who made a change in a context. */
export function authorOf(
  { position: { author } }: EntryChange,
  context: string,
  names: Names,
): Named | undefined {
  return author === undefined ? undefined : names.authorIn(context, author);
}

/** The lines of a change; `where` names its context. */
export function lifeLines(
  { position, before, after, beside }: EntryChange,
  author: Named | undefined,
  { labels, utc, where = "" }: { readonly labels: Labels; readonly utc: boolean; readonly where?: string },
  width: number | undefined,
): string[] {
  const { delta, time } = position;
  const when = time === undefined ? "time unknown" : shortDate(time, utc);
  const who = author === undefined ? "" : `  ${labels.of(author)}`;
  const marks = marksOf({ position, beside }, labels);
  const end = marks.length === 0 ? "" : ` (${marks.join(", ")})`;
  return [
    ...wrapped(`${when.padEnd(utc ? 20 : 19)}  ${labels.id(delta)}${who}${where}${end}`, width, 6),
    ...wrapped(`      ${changedText(before, after)}`, width, 8),
  ];
}

function marksOf({ position, beside }: Pick<EntryChange, "position" | "beside">, labels: Labels): string[] {
  return [
    ...(beside.length === 0 ? [] : [`without ${beside.map((id) => labels.id(id)).join(", ")}`]),
    ...(isProven(position) ? [] : [certaintyText(position, labels.look)]),
  ];
}

/** The cells of a change, like the cells of a delta in a history. */
export async function lifeRow(
  change: EntryChange,
  author: Named | undefined,
  of: Named,
  { labels, utc }: { readonly labels: Labels; readonly utc: boolean },
): Promise<string[]> {
  const { position, before, after } = change;
  const { delta, time } = position;
  await labels.prepare([author, of, delta]);
  return [
    labels.id(delta),
    "",
    time === undefined ? "" : shortDate(time, utc),
    author === undefined ? "" : labels.of(author),
    labels.of(of),
    changedText(before, after),
    "",
    marksOf(change, labels).join(", "),
  ];
}

/** A change in JSON. */
export function changeToJson(
  { position, before, after, beside }: EntryChange,
  path: string,
): { readonly [name: string]: Json } {
  const { delta, position: place, of, author, time } = position;
  return {
    path,
    before: pastJson(before),
    after: pastJson(after),
    delta,
    position: place,
    of,
    author: author ?? null,
    time: time === undefined ? null : new Date(time).toISOString(),
    ...certaintyJson(position),
    beside,
  };
}
