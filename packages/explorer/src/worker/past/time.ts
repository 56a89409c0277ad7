/** The questions of the view Time: the data of a context, or a group, at any moment. */
import { contextFacts } from "../database/context-facts.js";
import type { Database } from "../database/database.js";
import { isId } from "../database/text.js";
import { withinOf } from "../history/history.js";
import type { LifeEvent, Moment, PastDiff, PastVerdict, RowsWanted, Timeline, Wanted } from "./answers.js";
import { diffBetween, lifeOf, momentOf, positionIn, timelineOf } from "./data.js";
import { groupDiff, groupMoment, groupPosition, groupTimeline } from "./group.js";
import { pastOf } from "./kept-past.js";
import { textIn, verdictOf } from "./replayed.js";

/** The subject of a past: the data of a context, or the members of a group. */
export type TimeOf = "context" | "group";

/**
 * The positions of a history; undefined for an unknown thing.
 *
 * @param goesOn gets the number of deltas that were replayed; the work ends when it answers false
 */
export async function timeline(
  database: Database,
  of: TimeOf,
  id: string,
  revealed: boolean,
  goesOn: (deltas: number) => Promise<boolean>,
): Promise<Timeline | undefined> {
  if (!isId(id)) return undefined;
  const thing =
    of === "context"
      ? (await contextFacts(database)).get(id)?.context
      : (await database.node.groupDetails(id))?.group;
  if (thing === undefined) return undefined;
  const shape =
    of === "context"
      ? timelineOf(await pastOf(database, id, revealed, goesOn))
      : await groupTimeline(database, id);
  return { of: thing, within: await withinOf(database, of, id), ...shape };
}

/** The data at a moment. */
export async function timeAt(
  database: Database,
  of: TimeOf,
  id: string,
  revealed: boolean,
  at: Wanted,
  rows: RowsWanted,
): Promise<Moment> {
  if (of === "group") return groupMoment(database, id, await groupPosition(database, id, at), rows);
  const past = await pastOf(database, id, revealed);
  return momentOf(past, positionIn(past, at), rows);
}

/** The differences between two moments. */
export async function timeDiff(
  database: Database,
  of: TimeOf,
  id: string,
  revealed: boolean,
  one: number,
  other: number,
): Promise<PastDiff> {
  if (of === "group") return groupDiff(database, id, one, other);
  return diffBetween(await pastOf(database, id, revealed), one, other);
}

/** The life of an entry of a context's data, the oldest event first. */
export async function timeLife(
  database: Database,
  id: string,
  revealed: boolean,
  key: string,
): Promise<readonly LifeEvent[]> {
  return lifeOf(await pastOf(database, id, revealed), key);
}

/** A text of a context's data at a moment, as JSON; undefined if it cannot be read. */
export async function timeText(
  database: Database,
  id: string,
  revealed: boolean,
  position: number,
  path: string,
): Promise<string | undefined> {
  return textIn(await pastOf(database, id, revealed), position, path);
}

/** The verdict on the state of a context at a moment. */
export async function timeVerdict(
  database: Database,
  id: string,
  revealed: boolean,
  position: number,
): Promise<PastVerdict> {
  return verdictOf(await pastOf(database, id, revealed), position);
}

/** The position of a moment. */
export async function timePosition(
  database: Database,
  of: TimeOf,
  id: string,
  revealed: boolean,
  wanted: Wanted,
): Promise<number> {
  if (of === "group") return groupPosition(database, id, wanted);
  return positionIn(await pastOf(database, id, revealed), wanted);
}
