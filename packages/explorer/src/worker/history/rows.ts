/** Rows of a history in words. */
import { Heap } from "merostore/internal";
import { type Delta, graphId, type HistoryGraph, type Named, type Operation } from "merostore/node";
import type { StateChange, StateHistory } from "merostore/state";
import { coloursOf } from "../database/colours.js";
import { contextFacts } from "../database/context-facts.js";
import type { Database } from "../database/database.js";
import { deltaWords, type Word } from "../database/words.js";
import { stateHistoryOf, tellsChanges } from "../state/context-changes.js";

/**
 * The owner of a history: the deltas of a context, the operations of a namespace, or a group's own log of operations.
 */
export type HistoryOf = "context" | "namespace" | "group";

/** A row of a history. */
export interface HistoryRow {
  readonly id: string;
  readonly author: Named | undefined;
  /** The bounds of its time, in milliseconds since 1970; undefined if unknown. */
  readonly after: number | undefined;
  readonly before: number | undefined;
  readonly words: readonly Word[];
  /** The number of an operation. */
  readonly sequence: string | undefined;
  /** The name of an operation: `MemberAdded`. */
  readonly kind: string | undefined;
}

/** The words of the rows [from, to). */
export async function rowsInWords(
  database: Database,
  of: HistoryOf,
  graph: HistoryGraph,
  from: number,
  to: number,
): Promise<readonly HistoryRow[]> {
  const numbers = Array.from({ length: Math.max(0, Math.min(to, graph.size) - from) }, (_, at) => from + at);
  return wordsOf(database, of, graph, numbers, await historyIfQuick(database, of, graph));
}

/** The words of some rows. */
export async function wordsOf(
  database: Database,
  of: HistoryOf,
  graph: HistoryGraph,
  rows: readonly number[],
  changes: StateHistory | undefined,
): Promise<readonly HistoryRow[]> {
  const ids = rows.map((row) => graphId(graph, row));
  if (of === "context") {
    const deltas = await database.node.deltasOf(graph.of.id, ids);
    const told: HistoryRow[] = [];
    for (const [at, delta] of deltas.entries()) {
      const what = delta && changes && (await changes.changes(delta.id));
      told.push(deltaRow(graph, rows[at] as number, delta, what));
    }
    return told;
  }
  const operations = await operationsAt(database, of, graph, ids);
  return operations.map((operation, at) => operationRow(graph, rows[at] as number, operation));
}

/** The most rows that are shown before the graph is known. Each may take a request to a server. */
const NEWEST = 24;
/** The most heads of a context, and parents of a delta, that are read for these rows. */
const MOST_HEADS = 256;

/** A row of a history, with the colour of its author. */
export interface ColouredRow extends HistoryRow {
  readonly colour: number;
}

/**
 * The newest deltas of a context, found from its heads without reading the others. Empty for a log, which is read
 * whole, and for a context with many heads.
 */
export async function newestRows(
  database: Database,
  of: HistoryOf,
  id: string,
): Promise<readonly ColouredRow[]> {
  const heads = of === "context" ? ((await contextFacts(database)).get(id)?.heads ?? []) : [];
  const colourOf = await coloursOf(database);
  if (heads.length > MOST_HEADS) return [];
  return (await newestFrom(database, id, heads)).map((delta) => {
    const { author, time } = delta;
    const base = { id: delta.id, author, after: time, before: time, sequence: undefined, kind: undefined };
    return { ...base, words: deltaWords(delta, undefined), colour: colourOf(author) };
  });
}

/** Collects deltas from the heads on: takes the newest known delta, then reads its parents. */
async function newestFrom(
  { node }: Database,
  context: string,
  heads: readonly string[],
): Promise<readonly Delta[]> {
  const newest: Delta[] = [];
  const seen = new Set<string>();
  const next = new Heap<Delta>((a, b) => (b.time ?? 0) - (a.time ?? 0));
  let ids = heads;
  while (newest.length < NEWEST && ids.length + next.size > 0) {
    const unseen = ids.filter((id) => !seen.has(id)).slice(0, MOST_HEADS);
    for (const id of unseen) seen.add(id);
    for (const delta of await node.deltasOf(context, unseen)) if (delta !== undefined) next.push(delta);
    const delta = next.pop();
    if (delta === undefined) break;
    newest.push(delta);
    ids = delta.parents;
  }
  return newest;
}

const UNREADABLE: readonly Word[] = ["its row cannot be read"];

/** A row of the history of a context in words. */
export function deltaRow(
  graph: HistoryGraph,
  row: number,
  delta: Delta | undefined,
  changes: readonly StateChange[] | undefined,
): HistoryRow {
  const words = delta === undefined ? UNREADABLE : deltaWords(delta, changes);
  return { ...common(graph, row), words, sequence: undefined, kind: undefined };
}

/** A row of a log in words. */
export function operationRow(graph: HistoryGraph, row: number, operation: Operation | undefined): HistoryRow {
  const isNumbered = operation !== undefined && operation.state !== "skeleton";
  return {
    ...common(graph, row),
    words: operation?.sentence ?? UNREADABLE,
    sequence: isNumbered ? String(operation.sequence) : undefined,
    kind: operation?.kind,
  };
}

/** Operations by their ids. A group's own log has no ids in its keys, so it is cached. */
export async function operationsAt(
  database: Database,
  of: HistoryOf,
  { of: { id } }: HistoryGraph,
  ids: readonly string[],
): Promise<readonly (Operation | undefined)[]> {
  if (of === "namespace") return database.node.operationsOf(id, ids);
  const all = await database.kept(`own log of ${id}`, async () => {
    const operations = new Map<string, Operation>();
    for await (const operation of database.node.groupLog(id)) operations.set(operation.id, operation);
    return operations;
  });
  return ids.map((one) => all.get(one));
}

function common(graph: HistoryGraph, row: number): Pick<HistoryRow, "id" | "author" | "after" | "before"> {
  return {
    id: graphId(graph, row),
    author: graph.people[graph.authors[row] as number],
    after: known(graph.after[row]),
    before: known(graph.before[row]),
  };
}

function known(time: number | undefined): number | undefined {
  return time === undefined || Number.isNaN(time) ? undefined : time;
}

/** The history of the data, if it is quick to put every row in sight into words. */
export async function historyIfQuick(
  database: Database,
  of: HistoryOf,
  graph: HistoryGraph,
): Promise<StateHistory | undefined> {
  if (of !== "context" || !(await tellsChanges(database))) return undefined;
  return stateHistoryOf(database, graph.of.id);
}
