/** The history of a whole node: deltas of all contexts and operations of all namespaces in one timeline. */
import { toJsonLine } from "../../bytes/visible.js";
import { invalidArgument } from "../../errors.js";
import {
  type CalimeroNode,
  type Delta,
  deltaToJson,
  type Named,
  type Operation,
  operationToJson,
  withHistory,
} from "../../node/index.js";
import { type EntryChange, entryChanges } from "../../state/index.js";
import type { ExitStatus } from "../arguments/command.js";
import { GROUPS, nameList } from "../arguments/ids.js";
import { isSmall } from "../database/small.js";
import { MORE } from "../output/limit.js";
import { shortDate, wrapped } from "../output/lines.js";
import { programRows } from "../output/table.js";
import type { Terminal } from "../output/terminal.js";
import { clip } from "../output/text.js";
import { type DeltaData, deltaData, viewsFor } from "../state/delta-changes.js";
import type { StateOptionValues } from "../state/used-state.js";
import { authorOf, changeToJson, lifeLines, lifeRow } from "./entry-life.js";
import { deltaLines, deltaRow, HISTORY_HEADS, operationRow, operationText } from "./history-lines.js";
import { idAndName } from "./labels.js";
import type { OpenNode } from "./options.js";
import type { HistoryFilter } from "./wanted.js";

/** The default of `--limit`. */
const SHOWN = 2_000;

/** Options of the timeline. */
export interface NodeLogOptions extends StateOptionValues {
  readonly limit: number | undefined;
  readonly wanted: HistoryFilter;
  /** The path of entries; undefined for all deltas and operations. */
  readonly entry: string | undefined;
  readonly oneline: boolean;
  /** Read the times of operations, however many deltas there are. */
  readonly times: boolean;
  readonly json: boolean;
  readonly utc: boolean;
}

/** A delta, an operation or a change of an entry, with the time that decides its place. */
type Entry = { readonly time: number | undefined; readonly of: Named } & (
  | { readonly delta: string }
  | { readonly operation: Operation }
  | { readonly change: EntryChange }
);

/** Prints the timeline, newest first. An operation has no time of its own, so deltas give the bounds of its place. */
export async function printNodeLog(
  terminal: Terminal,
  open: OpenNode,
  options: NodeLogOptions,
): Promise<ExitStatus> {
  const { limit = SHOWN, json, oneline } = options;
  const { store, node } = open;
  const newest = new Newest(limit);
  // The times of operations come from deltas, and need all of them.
  const times = options.times || options.wanted.isTimed || (await isSmall(store, "Delta"));
  const entries =
    options.entry === undefined
      ? historyOf(open, options, times)
      : changesOf(terminal, open, options, options.entry);
  for await (const entry of entries) {
    terminal.check();
    newest.add(entry);
  }
  const { width } = terminal;
  const lines = new Lines(terminal, open, options, await isSmall(store, "Delta", "State"));
  const print = await programRows(terminal, HISTORY_HEADS);
  for (const entry of newest.sorted()) {
    terminal.check();
    const cells = print && (await lines.row(entry));
    if (cells !== undefined) await print?.(cells);
    else if (json) await terminal.line(await entryJson(node, entry, options));
    else if (oneline) await terminal.line(clip(inOne(await lines.of(entry, undefined)), width));
    else await terminal.lines(await lines.of(entry, width));
  }
  if (json && newest.leftOut > 0) await terminal.line(MORE);
  if (!json && options.limit === undefined && newest.leftOut > 0)
    terminal.remark(`older ones are left out: --limit shows more than ${SHOWN}`);
  if (!json && !times && options.entry === undefined)
    terminal.remark("operations stand at the end, without times: --times reads them");
  if (newest.added === 0 && limit > 0) {
    terminal.remark("the node has no such delta or operation");
    return 1;
  }
  return 0;
}

/** Joins the lines of an entry: the first one, then the others after a colon. */
function inOne([first = "", ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first}: ${others.map((line) => line.trim()).join(" ")}`;
}

/** Keeps the newest of the added entries, and counts the others. */
class Newest {
  added = 0;
  readonly #most: number;
  #entries: Entry[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  get leftOut(): number {
    return Math.max(0, this.added - this.#most);
  }

  add(entry: Entry): void {
    this.added++;
    if (this.#entries.push(entry) > 2 * this.#most + SHOWN) this.sorted();
  }

  sorted(): readonly Entry[] {
    // Entries without a time count as the oldest.
    const timeOf = ({ time }: Entry): number => time ?? Number.NEGATIVE_INFINITY;
    this.#entries.sort((a, b) => (timeOf(a) === timeOf(b) ? 0 : timeOf(b) - timeOf(a)));
    this.#entries.length = Math.min(this.#entries.length, this.#most);
    return this.#entries;
  }
}

async function* historyOf(
  { node, store }: OpenNode,
  { limit = SHOWN, wanted }: NodeLogOptions,
  times: boolean,
): AsyncGenerator<Entry, void, undefined> {
  const most = wanted.needsNewestOnly ? limit + 1 : undefined;
  for (const of of await withHistory(node, store, "context"))
    for await (const delta of node.deltas(of.id, { limit: most }))
      if (wanted.hasDelta(delta)) yield { time: delta.time, of, delta: delta.id };
  for (const of of await withHistory(node, store, "namespace")) {
    // An operation comes below its children, whatever its time bounds.
    let time: number | undefined;
    for await (const operation of node.history(of.id, { limit: most, times })) {
      const bound = operation.time?.after ?? operation.time?.before ?? time;
      time = time === undefined || bound === undefined ? bound : Math.min(time, bound);
      if (wanted.hasOperation(operation)) yield { time, of, operation };
    }
  }
}

/** The changes of the entries at a path in all contexts that have it. */
async function* changesOf(
  terminal: Terminal,
  open: OpenNode,
  options: NodeLogOptions,
  path: string,
): AsyncGenerator<Entry, void, undefined> {
  const names = await open.node.names();
  for (const { context: of } of await open.node.contextFacts()) {
    const views = await viewsFor(terminal, open, of.id, options);
    for await (const change of entryChanges(views, await views.now(), path))
      if (options.wanted.hasDelta({ author: authorOf(change, of.id, names), time: change.position.time }))
        yield { time: change.position.time, of, change };
  }
}

/** Makes the lines of entries, with the changes of the application's data if these can be read quickly. */
class Lines {
  readonly #terminal: Terminal;
  readonly #open: OpenNode;
  readonly #options: NodeLogOptions;
  readonly #tells: boolean;
  readonly #data = new Map<string, Promise<(delta: string) => Promise<DeltaData>>>();

  constructor(terminal: Terminal, open: OpenNode, options: NodeLogOptions, tells: boolean) {
    this.#terminal = terminal;
    this.#open = open;
    this.#options = options;
    this.#tells = tells;
  }

  /**
   * The lines of an entry: time, id, actor, action and place. `>` marks the earliest time of an operation, `<` the
   * latest.
   */
  async of(entry: Entry, width: number | undefined): Promise<readonly string[]> {
    const { node, labels } = this.#open;
    const { utc } = this.#options;
    await labels.prepare([entry.of]);
    const where = ` in ${labels.of(entry.of)}`;
    if ("change" in entry) {
      const author = authorOf(entry.change, entry.of.id, await node.names());
      const { delta: id } = entry.change.position;
      await labels.prepare([author, id]);
      return lifeLines(entry.change, author, { labels, utc, where }, width);
    }
    if ("delta" in entry) {
      const [delta] = await node.deltasOf(entry.of.id, [entry.delta]);
      if (delta === undefined) return [];
      const data = await this.#dataOf(delta);
      const [line = ""] = await deltaLines(delta, { labels, utc, patch: false, width: undefined }, data);
      return wrapped(` ${line}${where}`, width, 6);
    }
    const { id, time: { after, before } = {} } = entry.operation;
    await labels.prepare([id]);
    const bound = after ?? before;
    const mark = after === undefined ? "<" : ">";
    const when = bound === undefined ? " time unknown" : mark + shortDate(bound, utc);
    const start = when.padEnd(shortDate(0, utc).length + 1);
    const text = await operationText(entry.operation, labels, utc);
    return wrapped(`${start}  ${labels.id(id)}  ${text}`, width, 6);
  }

  /** The cells of an entry; undefined for a delta that was deleted meanwhile. */
  async row(entry: Entry): Promise<readonly string[] | undefined> {
    const { node, labels } = this.#open;
    const how = { labels, utc: this.#options.utc };
    if ("operation" in entry) return operationRow(entry.operation, labels, how.utc);
    if ("change" in entry)
      return lifeRow(entry.change, authorOf(entry.change, entry.of.id, await node.names()), entry.of, how);
    const [delta] = await node.deltasOf(entry.of.id, [entry.delta]);
    return delta && deltaRow(delta, how, await this.#dataOf(delta));
  }

  async #dataOf({ id, context }: Delta): Promise<DeltaData> {
    if (!this.#tells) return {};
    let data = this.#data.get(context.id);
    if (data === undefined) {
      data = deltaData(this.#terminal, this.#open, context.id, this.#options);
      this.#data.set(context.id, data);
    }
    return (await data)(id);
  }
}

async function entryJson(
  node: CalimeroNode,
  entry: Entry,
  { entry: path = "" }: NodeLogOptions,
): Promise<string> {
  if ("operation" in entry) return toJsonLine(operationToJson(entry.operation));
  if ("change" in entry)
    return toJsonLine({ context: idAndName(entry.of), ...changeToJson(entry.change, path) });
  const [delta] = await node.deltasOf(entry.of.id, [entry.delta]);
  return toJsonLine(delta === undefined ? null : deltaToJson(delta));
}

/** The error for options that are about one thing, with the names of things. */
export async function needsThing(node: CalimeroNode, option: string): Promise<Error> {
  const names = await nameList(node, [...GROUPS, "context"]);
  const listed = names === undefined ? "" : `, for example ${names}`;
  return invalidArgument(`--${option} is about one group or context: name it${listed}`);
}
