/** The events of a history: the graph of a history, and its rows in words. */
import { graphId, type HistoryGraph, type Named, RowMark } from "merostore/node";
import { coloursOf } from "../database/colours.js";
import { contextFacts } from "../database/context-facts.js";
import type { Database } from "../database/database.js";
import { namedPeople } from "../database/people.js";
import { type Activity, activityOf } from "./activity.js";
import { detailOf, type HistoryDetail } from "./detail.js";
import { type Fold, foldsOf, followersOf } from "./folds.js";
import { assignLanes, type Lanes, type Parentage } from "./lanes.js";
import { type HistoryOf, type HistoryRow, rowsInWords } from "./rows.js";

/** The most rows whose missing parents are searched in the log of the namespace. */
const MOST_LOOKED_UP = 1_000;

/** Somebody in a history. */
export interface Person {
  /** Undefined for rows without an author. */
  readonly person: Named | undefined;
  /** The colour: 1 for this node, 2 to 5 for four others, 6 for all other people. */
  readonly colour: number;
  /** The number of rows by this person. */
  readonly rows: number;
}

/** A history without its words. */
export interface HistoryShape extends Parentage {
  readonly of: Named;
  /** The namespace or group of a context or group. */
  readonly within: readonly Named[];
  readonly ids: Uint8Array;
  readonly marks: Uint8Array;
  /** The colour of each row. */
  readonly colours: Uint8Array;
  readonly lanes: Lanes;
  readonly folds: readonly Fold[];
  readonly people: readonly Person[];
  readonly forks: number;
  readonly merges: number;
  readonly heads: number;
  readonly pending: number;
  /** The rows with a parent that is not in the database. */
  readonly orphans: number;
  /** Rows of a group's own log that follow operations in the log of the namespace. */
  readonly elsewhere: readonly number[];
  readonly activity: Activity | undefined;
}

/** The cached graph of a history. */
export function graphOf(database: Database, of: HistoryOf, id: string): Promise<HistoryGraph> {
  const kinds = of === "context" ? (["context"] as const) : (["namespace", "group"] as const);
  return database.kept(`graph of ${of} ${id}`, async () => {
    const graph = await database.node.graph(id, { own: of === "group", kinds });
    return { ...graph, people: await namedPeople(database, graph.people) };
  });
}

export async function history(database: Database, of: HistoryOf, id: string): Promise<HistoryShape> {
  const graph = await graphOf(database, of, id);
  const { size, ids, parentsFrom, parents, marks } = graph;
  const lanes = assignLanes(graph);
  const followers = followersOf(graph);
  const people = await peopleOf(database, graph);
  const colours = Uint8Array.from(graph.authors, (one) => people[one]?.colour ?? 6);
  let [forks, merges, orphans] = [0, 0, 0];
  const elsewhere: number[] = [];
  for (let row = 0; row < size; row++) {
    if ((followers[row] as number) > 1) forks++;
    const [from, to] = [parentsFrom[row] as number, parentsFrom[row + 1] as number];
    if (to - from > 1) merges++;
    const missing = parents.subarray(from, to).filter((parent) => parent >= size);
    if (missing.length === 0) continue;
    const isLookedUp = of === "group" && elsewhere.length < MOST_LOOKED_UP;
    if (isLookedUp && (await haveOperations(database, graph, missing))) elsewhere.push(row);
    else orphans++;
  }
  const withMark = (mark: number): number =>
    marks.reduce((sum, one) => sum + ((one & mark) === 0 ? 0 : 1), 0);
  return {
    of: graph.of,
    within: await withinOf(database, of, id),
    size,
    ids,
    parentsFrom,
    parents,
    marks,
    colours,
    lanes,
    folds: foldsOf(graph, followers),
    people,
    forks,
    merges,
    heads: withMark(RowMark.HEAD),
    pending: withMark(RowMark.PENDING),
    orphans,
    elsewhere,
    activity: activityOf(graph, colours),
  };
}

/** Returns whether all of these numbers stand for operations. */
async function haveOperations(
  { node }: Database,
  graph: HistoryGraph,
  numbers: Uint32Array,
): Promise<boolean> {
  for (const number of numbers)
    if ((await node.operation(graphId(graph, number))) === undefined) return false;
  return true;
}

/** The words of the rows [from, to). */
export async function historyRows(
  database: Database,
  of: HistoryOf,
  id: string,
  from: number,
  to: number,
): Promise<readonly HistoryRow[]> {
  return rowsInWords(database, of, await graphOf(database, of, id), from, to);
}

/** Everything about one row; undefined if the history does not have it. */
export async function historyDetail(
  database: Database,
  of: HistoryOf,
  id: string,
  row: number,
): Promise<HistoryDetail | undefined> {
  const graph = await graphOf(database, of, id);
  return row < 0 || row >= graph.size ? undefined : detailOf(database, of, graph, row);
}

/** The newest row at or before a time; the oldest row if all are later. */
export async function historyAt(
  database: Database,
  of: HistoryOf,
  id: string,
  time: number,
): Promise<number> {
  const { before, size } = await graphOf(database, of, id);
  for (let row = 0; row < size; row++) if ((before[row] as number) <= time) return row;
  return size - 1;
}

/** The authors of the rows, with colours. */
async function peopleOf(database: Database, { people, authors }: HistoryGraph): Promise<readonly Person[]> {
  const colourOf = await coloursOf(database);
  const rows = new Uint32Array(people.length);
  for (const author of authors) rows[author] = (rows[author] as number) + 1;
  return people.map((person, at) => ({ person, colour: colourOf(person), rows: rows[at] as number }));
}

/** The namespace, and the group in it, of a context or group. */
export async function withinOf(database: Database, of: HistoryOf, id: string): Promise<readonly Named[]> {
  if (of === "namespace") return [];
  const group = of === "group" ? id : (await contextFacts(database)).get(id)?.group?.id;
  const details = group === undefined ? undefined : await database.node.groupDetails(group);
  if (details === undefined) return [];
  const above =
    details.namespace.id === details.group.id ? [details.group] : [details.namespace, details.group];
  return of === "group" ? above.filter((one) => one.id !== id) : above;
}
