/** The data of a context at its past positions. */

import type { Named } from "merostore/node";
import type { EntryLives } from "merostore/state";
import type { Database } from "../database/database.js";
import { compareTexts } from "../database/order.js";
import { isId } from "../database/text.js";
import {
  type By,
  diffOf,
  FORK,
  GAP,
  type LifeEvent,
  type Moment,
  type PastChange,
  type PastDiff,
  type PastRow,
  type PastValue,
  passes,
  type RowsWanted,
  type Timeline,
  type Wanted,
} from "./answers.js";
import { type Past, pastOf } from "./kept-past.js";

/** The positions of a context's history. */
export function timelineOf({ replay, lives, personOf }: Past): Omit<Timeline, "of" | "within"> {
  const { length } = lives;
  const times = new Float64Array(length);
  const [colours, marks] = [new Uint8Array(length), new Uint8Array(length)];
  const people = new Map<Named | undefined, { person: Named | undefined; colour: number; rows: number }>();
  for (let at = 0; at < length; at++) {
    const { time = Number.NaN, author, isFork, lacksParents } = lives.deltaAt(at + 1);
    const { person, colour } = personOf(author);
    times[at] = time;
    colours[at] = colour;
    marks[at] = (isFork ? FORK : 0) + (lacksParents && !replay.isJoined ? GAP : 0);
    const known = people.get(person) ?? { person, colour, rows: 0 };
    people.set(person, known);
    known.rows++;
  }
  const { isJoined, pending } = replay;
  return {
    ...{ size: length, times, colours, marks, people: [...people.values()], isJoined },
    ...{ since: lives.since, pending: pending.length },
  };
}

/** The wanted position; the newest one for an unknown id. */
export function positionIn({ lives, replay }: Past, wanted: Wanted): number {
  const found = typeof wanted === "number" ? wanted : (placeOf(lives, wanted) ?? lives.length);
  return Math.max(replay.isJoined ? 0 : Math.min(1, lives.length), Math.min(lives.length, found));
}

/** The position of a delta by its id, or the first digits of it. */
function placeOf(lives: EntryLives, id: string): number | undefined {
  if (isId(id)) return lives.positionOf(id);
  for (let position = 1; position <= lives.length; position++)
    if (lives.deltaAt(position).id.startsWith(id)) return position;
  return undefined;
}

function byAt({ lives, personOf }: Past, position: number): By | undefined {
  if (position === 0) return undefined;
  const { id, author, time } = lives.deltaAt(position);
  const { person, colour } = personOf(author);
  return { id, position, author: person, colour, time };
}

/** The value of an event; undefined for none. */
function valueIn({ lives }: Past, event: number | undefined): PastValue {
  return event === undefined ? undefined : lives.event(event).value;
}

/** The data at a position. */
export function momentOf(past: Past, position: number, { order, filter, from, to }: RowsWanted): Moment {
  const { lives } = past;
  const [count, ever] = [lives.countAt(position), lives.everUntil(position)];
  const isPlain = order === "newest" && filter === "";
  // A step in the list of newest entries costs only the rows in sight.
  const listed = isPlain ? firstOf(lives.newest(position), to) : listOf(past, position, order, filter);
  const { changes, changeCount } = changesAt(past, position);
  const by = byAt(past, position);
  return {
    ...{ position, by, words: undefined, changes, changeCount, facts: [] },
    parents: position === 0 ? [] : lives.deltaAt(position).parents,
    ...{ count, removed: ever - count, total: isPlain ? ever : listed.length },
    rows: listed.slice(from, to).map((event) => rowOf(past, event)),
  };
}

function changesAt(past: Past, position: number): Pick<Moment, "changes" | "changeCount"> {
  const changes: PastChange[] = [];
  let changeCount = 0;
  if (position > 0)
    for (const pair of past.lives.between(position - 1, position))
      if (changeCount++ < MOST_CHANGES) changes.push(changeOf(past, pair));
  return { changes, changeCount };
}

/** The entries that a delta changed; undefined if the past does not have the delta. */
export async function changesBy(
  database: Database,
  id: string,
  revealed: boolean,
  delta: string,
): Promise<Pick<Moment, "changes" | "changeCount"> | undefined> {
  const past = await pastOf(database, id, revealed);
  const position = past.lives.positionOf(delta);
  return position === undefined ? undefined : changesAt(past, position);
}

/** The entries at a position that pass a filter, in an order. */
function listOf(past: Past, position: number, order: RowsWanted["order"], filter: string): readonly number[] {
  const { lives, lists } = past;
  return lists.get(`at ${position} ${order} ${filter}`, () => {
    const found: number[] = [];
    for (const event of lives.newest(position))
      if (passes(filter, { name: nameOf(past, event), ...valuesOf(past, event) })) found.push(event);
    if (order === "newest") return found;
    const ranks = lists.get("ranks", () => ranksOf(lives));
    const rankOf = (event: number): number => ranks[lives.event(event).entry] as number;
    return found.sort((a, b) => rankOf(a) - rankOf(b));
  });
}

function firstOf(all: Iterable<number>, most: number): readonly number[] {
  const first: number[] = [];
  for (const one of all) if (first.push(one) >= most) break;
  return first;
}

/** The most changes of a delta that are sent to the page. */
const MOST_CHANGES = 20;

function nameOf({ lives }: Past, event: number): string {
  return lives.pathOf(lives.event(event).entry);
}

function changeOf(past: Past, [before, after]: readonly [number | undefined, number]): PastChange {
  return { name: nameOf(past, after), before: valueIn(past, before), after: valueIn(past, after) };
}

/** The places of entries by their names. */
function ranksOf(lives: EntryLives): Uint32Array {
  const ranks = new Uint32Array(lives.size);
  const paths = Array.from({ length: lives.size }, (_, entry) => [lives.pathOf(entry), entry] as const);
  paths.sort(([a], [b]) => compareTexts(a, b));
  for (const [rank, [, entry]] of paths.entries()) ranks[entry] = rank;
  return ranks;
}

function valuesOf(past: Past, event: number): Pick<PastRow, "value" | "was"> {
  const value = valueIn(past, event);
  if (value !== undefined) return { value, was: undefined };
  const events = past.lives.eventsOf(past.lives.event(event).entry);
  return { value, was: valueIn(past, events[events.indexOf(event) - 1]) };
}

function rowOf(past: Past, event: number): PastRow {
  const { lives } = past;
  const { entry, position, value } = lives.event(event);
  const events = lives.eventsOf(entry);
  const at = events.indexOf(event);
  const isGone = (one: number): boolean => valueIn(past, one) === undefined;
  let first = value === undefined ? Math.max(0, at - 1) : at;
  while (first > 0 && !isGone(events[first - 1] as number)) first--;
  const end = value === undefined ? event : events.subarray(at).find(isGone);
  const from = lives.event(events[first] as number).position;
  return {
    ...{ key: String(entry), name: lives.pathOf(entry), by: byAt(past, position), ...valuesOf(past, event) },
    life: {
      from,
      colour: byAt(past, from)?.colour ?? 6,
      to: end === undefined ? lives.length + 1 : lives.event(end).position,
    },
  };
}

/** The differences between two positions. */
export function diffBetween(past: Past, one: number, other: number): PastDiff {
  const [from, to] = one <= other ? [one, other] : [other, one];
  const changes = (function* () {
    for (const pair of past.lives.between(from, to)) yield changeOf(past, pair);
  })();
  return diffOf(changes, { from: byAt(past, from), to: byAt(past, to), steps: to - from });
}

/** The most events of an entry that are sent to the page. */
const MOST_EVENTS = 200;

/** The life of an entry, the oldest event first. A long life has only its newest events. */
export function lifeOf(past: Past, key: string): readonly LifeEvent[] {
  const entry = Number(key);
  if (!Number.isInteger(entry) || entry < 0 || entry >= past.lives.size) return [];
  return [...past.lives.eventsOf(entry).slice(-MOST_EVENTS)].map((event) => ({
    value: valueIn(past, event),
    by: byAt(past, past.lives.event(event).position),
  }));
}
