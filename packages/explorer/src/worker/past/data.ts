/** The past of a context's data, from one replay of its deltas, which is cached. */
import { fromHex, type Progress, toHex } from "merostore";
import type { Named } from "merostore/node";
import {
  type Certainty,
  type ContextReplay,
  EntryLives,
  pastValueAt,
  readerAt,
  readReplay,
  stateOf,
} from "merostore/state";
import { atMostEvery } from "../database/at-most-every.js";
import { coloursOf } from "../database/colours.js";
import type { Database } from "../database/database.js";
import { Kept } from "../database/kept.js";
import { compareTexts } from "../database/order.js";
import { namedPeople } from "../database/people.js";
import { isId } from "../database/text.js";
import type { Person } from "../history/history.js";
import { type OpenState, openState } from "../state/source.js";
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
  type PastVerdict,
  passes,
  type RowsWanted,
  type Timeline,
  type Wanted,
} from "./answers.js";

/** The past of a context. */
export interface Past {
  readonly id: string;
  readonly reader: Database["store"];
  readonly replay: ContextReplay;
  readonly lives: EntryLives;
  readonly open: OpenState;
  readonly personOf: (key: string | undefined) => Omit<Person, "rows">;
  /** The last lists of entries. */
  readonly lists: Kept;
  /** Runs moves of the replay one after another. */
  moves: Promise<unknown>;
}

/** Milliseconds between two reports. */
const EVERY = 200;

/**
 * The past of a context. Only one is cached, because a large one takes hundreds of megabytes.
 *
 * @param goesOn gets the number of deltas that were replayed; the work ends when it answers false
 */
export async function pastOf(
  database: Database,
  id: string,
  revealed: boolean,
  goesOn: (deltas: number) => Promise<boolean> = async () => true,
): Promise<Past> {
  try {
    return await keptPast(database, id, revealed, goesOn);
  } catch (error) {
    // The caller that began the work has left; this caller may still want the result.
    if (!(error instanceof ViewLeft) || !(await goesOn(0))) throw error;
    return keptPast(database, id, revealed, goesOn);
  }
}

class ViewLeft extends Error {
  override readonly message = "The view was left.";
}

function keptPast(
  database: Database,
  id: string,
  revealed: boolean,
  goesOn: (deltas: number) => Promise<boolean>,
): Promise<Past> {
  return database
    .kept("past", () => new Kept(1))
    .get(`${id} ${revealed}`, async () => {
      const over = new AbortController();
      let deltas = 0;
      const tell = async (): Promise<void> => {
        if (!(await goesOn(deltas))) over.abort(new ViewLeft());
      };
      await tell();
      const report = atMostEvery(EVERY, () => void tell());
      const onProgress = ({ done }: Progress): void => {
        deltas = done;
        report();
      };
      const open = await openState(database, id, revealed);
      const replay = await readReplay(database.store, fromHex(id), open.options);
      const lives = await EntryLives.of(replay, open.state, { onProgress, signal: over.signal });
      const personOf = await personsOf(database, id, lives);
      return {
        id,
        reader: database.store,
        replay,
        lives,
        open,
        personOf,
        lists: new Kept(4),
        moves: Promise.resolve(),
      };
    });
}

/** The authors of deltas by their keys, as all views name and colour them. */
async function personsOf(database: Database, id: string, lives: EntryLives): Promise<Past["personOf"]> {
  const names = await database.node.names();
  const colourOf = await coloursOf(database);
  const keys = new Set<string>();
  for (let position = 1; position <= lives.length; position++) {
    const { author } = lives.deltaAt(position);
    if (author !== undefined) keys.add(author);
  }
  const all = [...keys];
  const named = await namedPeople(
    database,
    all.map((key) => names.authorIn(id, key)),
  );
  const people = new Map(all.map((key, at) => [key, { person: named[at], colour: colourOf(named[at]) }]));
  const nobody = { person: undefined, colour: colourOf(undefined) };
  return (key) => people.get(key ?? "") ?? nobody;
}

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

/** Runs work with the replay while no other work moves it. */
function alone<T>(past: Past, work: () => Promise<T>): Promise<T> {
  const done = past.moves.then(work);
  past.moves = done.catch(() => undefined);
  return done;
}

/** The most entries of a state whose texts are read. */
const MOST_ENTRIES = 20_000;

/** A text as JSON; undefined if the state is too large to read it. */
export function textIn(past: Past, position: number, path: string): Promise<string | undefined> {
  const { id, replay, lives, open } = past;
  if (lives.countAt(position) > MOST_ENTRIES) return Promise.resolve(undefined);
  return alone(past, async () => {
    await replay.moveToFirst(position);
    const reader = await readerAt(past.reader, replay);
    const value = await pastValueAt(await stateOf(reader, fromHex(id), open.options), path);
    return value.kind === "value" ? JSON.stringify(value.json) : undefined;
  });
}

/** The verdict on the state at a position. The first one replays all deltas again, with their hashes. */
export function verdictOf(past: Past, position: number): Promise<PastVerdict> {
  const { replay, lives } = past;
  return alone(past, async () => {
    const certainty = await replay.certaintyOfFirst(position);
    await replay.moveToFirst(position);
    const root = replay.rootHash && toHex(replay.rootHash).slice(0, 8);
    const others = certainty.verdict === "proven-with-unnamed" ? await replay.position(position) : undefined;
    const count = others && others.unnamed.length + others.leftOut.length + others.takenOver.length;
    return worded(certainty, root ?? "unknown", count ?? 0, await lives.headsAt(position));
  });
}

function worded(
  { verdict, unknown, witnesses: [witness] }: Certainty,
  root: string,
  others: number,
  heads: number,
): PastVerdict {
  if (verdict === "proven") {
    const whose = witness?.kind === "author" ? "its author had" : "was recorded";
    return {
      severity: "ok",
      words: witness === undefined ? "proven: nothing was before" : `proven: root ${root} is what ${whose}`,
    };
  }
  if (verdict === "proven-with-unnamed")
    return {
      severity: "ok",
      words: `proven with ${others} further ${others === 1 ? "delta or entity" : "deltas or entities"}: root ${root} is what its author had`,
    };
  if (verdict === "agrees") {
    const kind = witness?.kind ?? "rows";
    return { severity: "ok", words: `agrees with ${WITNESSES[kind]}: no hash proves just this state` };
  }
  if (verdict === "differs")
    return {
      severity: "error",
      words: `differs: root ${root} is not ${WITNESSES[witness?.kind ?? "author"]}`,
    };
  if (unknown === "no hash" && heads > 1)
    return {
      severity: "skip",
      words: `root ${root}, which no author had: ${heads} deltas were written at the same time`,
    };
  return { severity: "info", words: `not proven: ${UNKNOWN[unknown ?? "no hash"]}` };
}

const WITNESSES = {
  author: "the one that its author had",
  record: "a root hash that was recorded",
  checkpoint: "the root hash of the checkpoint",
  rows: "the rows of now",
} as const;

const UNKNOWN = {
  "no hash": "no delta carries the root hash of this state",
  "no beginning": "the node joined from a snapshot, and no checkpoint has the state of then",
  "older data": "it has data from before the first delta that is not known",
  unread: "the changes of a delta do not decode",
  merge: "it has an entry that only the application merges",
} as const;
