import { toJsonLine } from "../../bytes/visible.js";
import { invalidArgument, isMerostoreError } from "../../errors.js";
import {
  type CalimeroNode,
  type Delta,
  deltaToJson,
  type Linked,
  type Named,
  operationToJson,
} from "../../node/index.js";
import { AuthorViews, type ReplayPosition } from "../../state/index.js";
import { command, type ExitStatus, type OptionValues } from "../arguments/command.js";
import { flag, text, wholeNumber } from "../arguments/option-kinds.js";
import { tableForm } from "../arguments/options.js";
import { refuseLeftOut } from "../database/lacking-rows.js";
import { isSmall } from "../database/small.js";
import { refuseDamaged, remarkNothing } from "../database/unread.js";
import { Graph } from "../output/graph.js";
import { asked, upTo } from "../output/limit.js";
import { type PrintRow, programRows } from "../output/table.js";
import type { Terminal } from "../output/terminal.js";
import { clip } from "../output/text.js";
import { changesToJson, type DeltaData, deltaData, viewsFor } from "../state/delta-changes.js";
import { manifestOptions } from "../state/manifest-file.js";
import { entriesToJson } from "../state/past-value.js";
import { certaintyJson, isProven, positionText, typedMoment } from "../state/replayed.js";
import { hints, recorded } from "../state/used-state.js";
import { printLife } from "./entry-life.js";
import { existingContext } from "./existing.js";
import { printExplanation } from "./explanation.js";
import { deltaLines, deltaRow, HISTORY_HEADS, operationLines, operationRow } from "./history-lines.js";
import type { Labels } from "./labels.js";
import { momentLabel, operationAt, type PastState } from "./moment.js";
import { needsThing, printNodeLog } from "./node-log.js";
import { nodeOptions, type OpenNode, withNode } from "./options.js";
import { filterOptions, HistoryFilter } from "./wanted.js";

const options = {
  limit: wholeNumber("<n>", "at most this many, the newest"),
  at: text(
    "<moment>",
    "as of then, without what is newer: the number or id of an operation or delta, or a time",
    { conflicts: ["own", "explain", "graph"] },
  ),
  ...filterOptions,
  oneline: flag("print one line each, cut at the width of the terminal", {
    conflicts: ["graph", "patch", "json"],
  }),
  graph: flag("draw the parents beside the lines", { conflicts: ["json"] }),
  patch: flag("also the fields of operations, and each action of deltas"),
  explain: text("<member>", "of a group: the operations behind this member, oldest first", {
    conflicts: ["graph", "member", "author", "own", "since", "until"],
  }),
  entry: text(
    "<path>",
    "the history of an entry of a context, or of all: each delta that wrote it, old and new value",
    {
      conflicts: ["graph", "patch"],
    },
  ),
  own: flag("of a group: its own log, with the operations that this node applied, in its order"),
  ...manifestOptions,
  hints,
  recorded,
  times: flag("derive the times of operations from deltas; reads all deltas"),
  ...nodeOptions,
  output: tableForm("graph", "patch", "oneline", "explain"),
};

/** Prints the operations of a group, or the deltas of a context, in words. */
export const log = command({
  words: "log <db> [thing]",
  description: "tell the history of a group, a context or the whole node, newest first",
  options,
  help: `Name a group or context by its name, its id, or at least the first four digits of its id. Without a name, the deltas of
all contexts and the operations of all namespaces form one timeline. It has at most 2,000 lines unless --limit is given.
">" precedes the earliest time of an operation, "<" the latest one.

A namespace's log is the same on all nodes; that of a group contains those operations that are about the group.
Operations are decrypted with the keys in the database; without the key they are shown as encrypted. The number
is that of the operation in the namespace's log; concurrent operations can have the same number. Operations have
no time. --times derives bounds from the deltas of the contexts, and is on if these are small. --graph draws the
parents as lines; a line without an end goes on with entries that are older than the limit, or missing. Each delta
lists its changes of the application's data, in a large database only with --patch.

--patch and --entry show old and new values as the delta's author saw them, by a replay of the deltas. "not
proven" marks a delta whose author recorded another root hash than the replay has. Deltas of core-1.0 contain no
hash: they are marked by comparison with the present rows, unless --recorded proves them. "without" names an
earlier delta that the author did not have.

Examples:
  merostore log node/data --limit 20 --oneline
  merostore log node/data --since 2026-11-21 --until 2026-11-21T05:51Z --member 38ec7407
  merostore log node/data office --limit 10
  merostore log node/data office --own
  merostore log node/data office --member 38ec7407
  merostore log node/data office --explain 38ec7407
  merostore log node/data lobby --limit 3 --patch
  merostore log node/data lobby --entry items.a10
  merostore log node/data office --at 9
  merostore log node/data lobby --graph
  merostore log node/data lobby --since 2026-11-21T05:51:40Z --json`,

  async run(terminal, { db, thing }, options) {
    // The present log includes the log of that moment.
    const how = { ...options, at: undefined, partial: true };
    return withNode(terminal, db, how, async (open) => {
      const { node, labels } = open;
      const wanted = await HistoryFilter.of(node, options);
      if ((wanted.period.since ?? 0) > Date.now()) terminal.remark("--since is in the future");
      if (thing === undefined) {
        const one = OF_ONE.find((name) => options[name] !== undefined && options[name] !== false);
        if (one !== undefined) throw await needsThing(node, one);
        return printNodeLog(terminal, open, { ...options, wanted });
      }
      const of = await node.resolve(thing, ["namespace", "group", "context"]);
      refuseUseless(of, labels, options);
      if (options.explain !== undefined)
        return printExplanation(terminal, open, { ...options, group: of.id, member: options.explain });
      const asked = { ...options, of, wanted };
      if (of.kind !== "context") return printOperations(terminal, open, asked);
      refuseLeftOut(open.store, ["Delta"]);
      // An alias may name something without deltas.
      if (await isNoContext(node, of)) await existingContext(open, thing);
      return options.entry === undefined
        ? printDeltas(terminal, open, asked)
        : printEntry(terminal, open, { ...asked, entry: options.entry });
    });
  },
});

/** The options of the command for one thing, with what they mean. */
type Asked = OptionValues<typeof options> & { readonly of: Named; readonly wanted: HistoryFilter };

/** Prints the rows of a history in the requested form. */
class HistoryPrinter {
  readonly graph: Graph | undefined;
  /** True if each row is text for people, in one or more lines. */
  readonly isText: boolean;
  readonly #terminal: Terminal;
  readonly #asked: Asked;
  readonly #printCells: PrintRow | undefined;

  private constructor(terminal: Terminal, asked: Asked, printCells: PrintRow | undefined) {
    this.#terminal = terminal;
    this.#asked = asked;
    this.#printCells = printCells;
    this.graph = asked.graph ? new Graph(terminal.width) : undefined;
    this.isText = !asked.json && printCells === undefined;
  }

  static async of(terminal: Terminal, asked: Asked): Promise<HistoryPrinter> {
    const cells = await programRows(terminal, HISTORY_HEADS);
    return new HistoryPrinter(terminal, asked, cells);
  }

  /**
   * The most rows to read; undefined for all. A filter needs all, because the newest rows of a member may not be among
   * the newest of all.
   */
  get most(): number | undefined {
    return this.#asked.wanted.needsNewestOnly && this.#asked.at === undefined
      ? asked(this.#asked)
      : undefined;
  }

  /** Prints the wanted rows. Returns the status: 1, with a remark, if there is none. */
  async print<T extends Linked>(
    rows: AsyncIterable<T>,
    isWanted: (row: T) => boolean,
    { none, formsOf }: { readonly none: () => void; readonly formsOf: (row: T) => Promise<RowForms> },
  ): Promise<ExitStatus> {
    const { limit, json } = this.#asked;
    let found = false;
    for await (const row of upTo(this.#terminal, this.#asked, chosen(rows, this.graph, isWanted))) {
      found = true;
      const forms = await formsOf(row);
      if (json) await this.#terminal.line(forms.json());
      else if (this.#printCells !== undefined) await this.#printCells(await forms.cells());
      else await this.#terminal.lines(await this.#lines(row, forms.lines));
    }
    if (found || limit === 0) return 0;
    none();
    return 1;
  }

  async #lines(row: Linked, textOf: RowForms["lines"]): Promise<readonly string[]> {
    const { width } = this.#terminal;
    if (this.graph !== undefined) return this.graph.lines(row, (taken) => textOf(width && width - taken));
    return this.#asked.oneline ? [clip((await textOf(undefined))[0] ?? "", width)] : textOf(width);
  }
}

/** A row of a history in its forms. */
interface RowForms {
  readonly json: () => string;
  readonly cells: () => Promise<string[]>;
  readonly lines: (width: number | undefined) => Promise<string[]>;
}

/** The states that the authors of deltas saw, if all rows for them can be read. */
async function authorViews(terminal: Terminal, open: OpenNode, asked: Asked) {
  const views = await viewsFor(terminal, open, asked.of.id, asked);
  refuseDamaged(open.node);
  return views;
}

async function printEntry(
  terminal: Terminal,
  open: OpenNode,
  asked: Asked & { readonly entry: string },
): Promise<ExitStatus> {
  const views = await authorViews(terminal, open, asked);
  const as = await deltasUntil(views, asked);
  const { labels, node } = open;
  return printLife(terminal, { labels, names: await node.names(), read: open }, views, {
    ...asked,
    path: asked.entry,
    as,
  });
}

async function printDeltas(terminal: Terminal, open: OpenNode, asked: Asked): Promise<ExitStatus> {
  const { store, node, labels } = open;
  const { of, patch, utc, json, wanted } = asked;
  const printer = await HistoryPrinter.of(terminal, asked);
  // The changes of a delta need the state, and all deltas if one deletes something.
  const tells = patch || (!json && (await isSmall(store, "Delta", "State")));
  const hasOldValues = patch && AuthorViews.areOf(store);
  const views = hasOldValues || asked.at !== undefined ? await authorViews(terminal, open, asked) : undefined;
  const oldValues = hasOldValues ? views : undefined;
  const dataOf = tells ? await deltaData(terminal, open, of.id, asked, oldValues) : undefined;
  const then = views && (await deltasUntil(views, asked));
  if (then !== undefined && printer.isText)
    await terminal.wrapped(`as of ${positionText(then.position, utc, labels.look)}`, 4);
  const how = { labels, utc, patch };
  return printer.print(
    node.deltas(of.id, { limit: printer.most }),
    (delta) => then?.ids.has(delta.id) !== false && wanted.hasDelta(delta),
    {
      none: () => {
        refuseDamaged(node);
        const unread = "no delta of the context that can be read is such a one";
        remarkNothing(terminal, open, { text: `the context has no ${wanted.such}delta`, unread });
      },
      formsOf: async (delta) => {
        const data = await dataOf?.(delta.id);
        return {
          json: () => deltaJson(delta, data),
          cells: () => deltaRow(delta, how, data),
          lines: (width) => deltaLines(delta, { ...how, width }, data),
        };
      },
    },
  );
}

async function printOperations(terminal: Terminal, open: OpenNode, asked: Asked): Promise<ExitStatus> {
  const { store, node, labels } = open;
  const { of, patch, utc, wanted, at } = asked;
  const printer = await HistoryPrinter.of(terminal, asked);
  const { most: limit, graph } = printer;
  const times = asked.times || wanted.isTimed || (await isSmall(store, "Delta"));
  const all = asked.own
    ? node.groupLog(of.id, { limit })
    : node.history(of.id, { limit, times, leftOut: (operation) => graph?.skip(operation) });
  const then = at === undefined ? undefined : await operationsUntil(node, at, utc, of.id);
  if (then !== undefined && printer.isText) await terminal.line(`as of ${await momentLabel(then, labels)}`);
  return printer.print(
    all,
    (operation) => then?.ids.has(operation.id) !== false && wanted.hasOperation(operation),
    {
      none: () => {
        const unread = "no operation of the log that can be read is such a one";
        remarkNothing(terminal, open, { text: `the log has no ${wanted.such}operation`, unread });
      },
      formsOf: async (operation) => ({
        json: () => toJsonLine(operationToJson(operation)),
        cells: () => operationRow(operation, labels, utc),
        lines: (width) => operationLines(operation, { labels, utc, patch, width }),
      }),
    },
  );
}

/** Yields the wanted rows of a history. The graph also gets the other rows. */
async function* chosen<T extends Linked>(
  rows: AsyncIterable<T>,
  graph: Graph | undefined,
  isWanted: (row: T) => boolean,
): AsyncGenerator<T, void, undefined> {
  for await (const row of rows) {
    if (isWanted(row)) yield row;
    else graph?.skip(row);
  }
}

/** The operations up to a moment, on every head of the log. */
async function operationsUntil(
  node: CalimeroNode,
  typed: string,
  utc: boolean,
  group: string,
): Promise<Omit<PastState, "now"> & { readonly ids: ReadonlySet<string> }> {
  const last = await operationAt(node, typed, utc, group);
  const { operation, made } = last;
  if (made !== undefined) return { ...last, ids: new Set(made) };
  const ids = new Set<string>();
  let isNewer = true;
  for await (const { id } of node.history(operation.namespace.id)) {
    isNewer &&= id !== operation.id;
    if (!isNewer) ids.add(id);
  }
  return { ...last, ids };
}

/** The delta of the typed moment, and the deltas of its context up to it; undefined if no moment was typed. */
async function deltasUntil(
  { replay }: AuthorViews,
  { at, utc }: { readonly at?: string | undefined; readonly utc: boolean },
): Promise<{ readonly position: ReplayPosition; readonly ids: ReadonlySet<string> } | undefined> {
  if (at === undefined) return undefined;
  const position = await replay.position(typedMoment(at, replay, utc));
  const all = await replay.positions();
  const ids = all.slice(0, position.position).map(({ delta }) => delta);
  return { position, ids: new Set([...ids, ...replay.checkpointIds]) };
}

/** Returns true if only an alias says that a thing is a context. */
async function isNoContext(node: CalimeroNode, { id }: Named): Promise<boolean> {
  if ((await node.names()).of(id)?.kind === "context") return false;
  try {
    for await (const _ of node.deltas(id, { limit: 1 })) return false;
  } catch (error) {
    if (!isMerostoreError(error, "UNKNOWN_NAME")) throw error;
  }
  return true;
}

/** Options for groups alone, and for contexts alone. */
const OF_GROUPS = ["own", "explain", "times"] as const;
const OF_CONTEXTS = ["entry", "abi", "blobs", "hints", "recorded"] as const;
/** Options for one thing. */
const OF_ONE = ["own", "explain", "abi", "blobs", "hints", "recorded", "at", "graph", "patch"] as const;

/** Refuses options that have no effect on the history of a thing. */
function refuseUseless(of: Named, labels: Labels, options: Readonly<Partial<Record<string, unknown>>>): void {
  const isTyped = (name: string): boolean => options[name] !== undefined && options[name] !== false;
  const wrong = (of.kind === "context" ? OF_GROUPS : OF_CONTEXTS).find(isTyped);
  if (wrong !== undefined)
    throw invalidArgument(
      `--${wrong} is for ${of.kind === "context" ? "groups" : "contexts"}, and ${labels.name(of)} is a ${of.kind}`,
    );
  if (isTyped("recorded") && !isTyped("patch") && !isTyped("entry"))
    throw invalidArgument("--recorded goes with --patch or --entry: it proves past values");
  const timed = (["times", "since", "until"] as const).find(isTyped);
  if (options.own === true && timed !== undefined)
    throw invalidArgument(`--${timed} cannot be used with --own: a group's own log has no times`);
}

/** A delta in JSON, with its changes of the application's data if they are known. */
export function deltaJson(delta: Delta, { changes, entries, certainty }: DeltaData = {}): string {
  return toJsonLine({
    ...deltaToJson(delta),
    ...(changes && { changes: changesToJson(changes) }),
    ...(entries && { entries: entriesToJson(entries.values()) }),
    ...(certainty && { proven: isProven(certainty), ...certaintyJson(certainty) }),
  });
}
