/** The past of a group: its members, roles and keys right after any operation of its namespace. */
import { type CalimeroNode, capabilityNames, graphId, type HistoryGraph, type Member } from "merostore/node";
import { coloursOf } from "../database/colours.js";
import type { Database } from "../database/database.js";
import { Kept } from "../database/kept.js";
import { compareNamed } from "../database/order.js";
import { namedPeople } from "../database/people.js";
import { graphOf } from "../history/history.js";
import { operationsAt } from "../history/rows.js";
import {
  type By,
  diffOf,
  FORK,
  GAP,
  type Moment,
  type PastChange,
  type PastDiff,
  type PastRow,
  passes,
  type RowsWanted,
  type Timeline,
  type Wanted,
} from "./answers.js";

/** The log of the namespace of a group. Row 0 is the newest. */
async function logOf(database: Database, group: string): Promise<HistoryGraph> {
  const details = await database.node.groupDetails(group);
  return graphOf(database, "namespace", details?.namespace.id ?? group);
}

/** The positions of the log. */
export async function groupTimeline(
  database: Database,
  group: string,
): Promise<Omit<Timeline, "of" | "within">> {
  const graph = await logOf(database, group);
  const { size, people, authors, before, after, parents, parentsFrom } = graph;
  const colourOf = await coloursOf(database);
  const rows = new Uint32Array(people.length);
  const times = new Float64Array(size);
  const [colours, marks, followers] = [new Uint8Array(size), new Uint8Array(size), new Uint8Array(size)];
  for (let row = 0; row < size; row++) {
    const at = size - 1 - row;
    const author = authors[row] as number;
    rows[author]!++;
    times[at] = Number.isNaN(before[row]) ? (after[row] as number) : (before[row] as number);
    colours[at] = colourOf(people[author]);
    for (let edge = parentsFrom[row] as number; edge < (parentsFrom[row + 1] as number); edge++) {
      const parent = parents[edge] as number;
      if (parent >= size) marks[at] = (marks[at] as number) | GAP;
      else if (++followers[parent]! > 1)
        marks[size - 1 - parent] = (marks[size - 1 - parent] as number) | FORK;
    }
  }
  const listed = people.map((person, at) => ({ person, colour: colourOf(person), rows: rows[at] as number }));
  return { size, times, colours, marks, people: listed, isJoined: false, since: undefined, pending: 0 };
}

/** The wanted position; the newest one for an unknown id. */
export async function groupPosition(database: Database, group: string, wanted: Wanted): Promise<number> {
  const graph = await logOf(database, group);
  if (typeof wanted === "number") return Math.max(Math.min(1, graph.size), Math.min(graph.size, wanted));
  for (let row = 0; row < graph.size; row++)
    if (graphId(graph, row).startsWith(wanted)) return graph.size - row;
  return graph.size;
}

/** A group right after an operation. */
interface PastGroup {
  readonly by: By;
  readonly rows: readonly PastRow[];
}

async function groupAt(database: Database, group: string, position: number): Promise<PastGroup> {
  const graph = await logOf(database, group);
  const row = graph.size - position;
  const id = graphId(graph, row);
  const pasts = database.kept("past groups", () => new Kept(8));
  return pasts.get(`${group} ${id}`, async () => {
    const node = await database.node.at(id);
    const colourOf = await coloursOf(database);
    const author = graph.people[graph.authors[row] as number];
    const time = graph.before[row] as number;
    const by = {
      id,
      position,
      author,
      colour: colourOf(author),
      time: Number.isNaN(time) ? undefined : time,
    };
    const isThere = (await node.groupDetails(group))?.record.meta !== undefined;
    return { by, rows: isThere ? await membersAt(database, node, graph, group) : [] };
  });
}

async function membersAt(
  database: Database,
  node: CalimeroNode,
  graph: HistoryGraph,
  group: string,
): Promise<readonly PastRow[]> {
  const colourOf = await coloursOf(database);
  const accounts = database.opened.revision !== "core-0.10";
  const { members: joinings } = await node.origins(group);
  const roleOf = ({ role, isOwner, capabilities }: Member): string => {
    const may =
      capabilities === undefined || capabilities === 0 ? "" : `, ${capabilityNames(capabilities, accounts)}`;
    return `${role}${isOwner ? ", owner" : ""}${may}`;
  };
  const rowOf = (who: Member["member"], value: string | undefined, was: string | undefined): PastRow => {
    const joining = joinings.get(who.id)?.operation;
    const by = joining && {
      ...{ id: joining.id, position: positionOf(graph, joining.id), author: joining.actor },
      ...{ colour: colourOf(joining.actor), time: joining.time?.before },
    };
    return { key: who.id, name: who.name ?? who.id.slice(0, 8), value, was, by, life: undefined };
  };
  const members = await node.members(group);
  const gone = (await node.groupDetails(group))?.gone ?? [];
  const left = await namedPeople(
    database,
    gone.map(({ member }) => member),
  );
  return [
    ...members
      .toSorted((a, b) => compareNamed(a.member, b.member))
      .map((one) => rowOf(one.member, roleOf(one), undefined)),
    ...gone.map(({ member, why }, at) => rowOf(left[at] ?? member, undefined, why.toLowerCase())),
  ];
}

function positionOf(graph: HistoryGraph, id: string): number | undefined {
  for (let row = 0; row < graph.size; row++) if (graphId(graph, row) === id) return graph.size - row;
  return undefined;
}

/** The members at a position. */
export async function groupMoment(
  database: Database,
  group: string,
  position: number,
  { order, filter, from, to }: RowsWanted,
): Promise<Moment> {
  const nothing = { words: undefined, changes: [], changeCount: 0, facts: [], parents: [] };
  const counts = { count: 0, removed: 0, total: 0, rows: [] };
  if (position === 0) return { position, by: undefined, ...nothing, ...counts };
  const graph = await logOf(database, group);
  const { by, rows } = await groupAt(database, group, position);
  const [operation] = await operationsAt(database, "namespace", graph, [by.id]);
  const before = position === 1 ? [] : (await groupAt(database, group, position - 1)).rows;
  const changes = diffOf(changesBetween(before, rows), { from: undefined, to: by, steps: 1 });
  const listed = rows.filter((row) => passes(filter, row));
  const place = (row: PastRow): number => row.by?.position ?? 0;
  const inOrder = order === "newest" ? listed.toSorted((a, b) => place(b) - place(a)) : listed;
  const count = rows.filter(({ value }) => value !== undefined).length;
  const keys = (await database.node.groupDetails(group))?.keys ?? [];
  const sequence = operation?.state === "skeleton" ? undefined : operation?.sequence;
  const epochs = keys.filter(
    ({ epoch }) => epoch !== undefined && sequence !== undefined && epoch <= sequence,
  );
  return {
    ...{ position, by, words: operation?.sentence, parents: operation?.parents ?? [] },
    changes: [...changes.added, ...changes.removed, ...changes.changed],
    changeCount: changes.counts.reduce((sum, one) => sum + one, 0),
    ...{ count, removed: rows.length - count, total: listed.length, rows: inOrder.slice(from, to) },
    facts: [
      ["Operation", sequence === undefined ? "without a number" : String(sequence)],
      [
        "Keys of then",
        epochs.map(({ id, epoch }) => `${id.slice(0, 8)}, epoch ${epoch}`).join("; ") || "none is here",
      ],
    ],
  };
}

function* changesBetween(before: readonly PastRow[], after: readonly PastRow[]): Generator<PastChange> {
  const old = new Map(before.map((row) => [row.key, row]));
  for (const { key, name, value } of after) {
    const was = old.get(key)?.value;
    old.delete(key);
    if (was !== value) yield { name, before: was, after: value };
  }
  for (const { name, value } of old.values())
    if (value !== undefined) yield { name, before: value, after: undefined };
}

/** The differences between two positions. */
export async function groupDiff(
  database: Database,
  group: string,
  one: number,
  other: number,
): Promise<PastDiff> {
  const [from, to] = one <= other ? [one, other] : [other, one];
  const [a, b] = [await groupAt(database, group, from), await groupAt(database, group, to)];
  return diffOf(changesBetween(a.rows, b.rows), { from: a.by, to: b.by, steps: to - from });
}
