/** New deltas and operations in words, with their changes. */
import type { Named } from "merostore/node";
import { coloursOf } from "../database/colours.js";
import type { Database } from "../database/database.js";
import { namedPeople } from "../database/people.js";
import { deltaWords, type Word } from "../database/words.js";
import { stateHistoryOf, tellsChanges } from "../state/context-changes.js";
import type { PastChange } from "./answers.js";
import { changesBy } from "./data.js";

/** A delta or an operation in a row. */
export interface ToldId {
  readonly of: "delta" | "operation";
  readonly id: string;
}

/** A delta or an operation in words. */
export interface Told extends ToldId {
  /** The context that a delta changed; the group that an operation is about. */
  readonly where: Named;
  /** The context or the namespace whose history has it. */
  readonly history: Named;
  readonly author: Named | undefined;
  readonly colour: number;
  /** The bounds of its time, in milliseconds since 1970; undefined if unknown. */
  readonly after: number | undefined;
  readonly before: number | undefined;
  readonly words: readonly Word[];
  /** The entries that a delta changed, with their values before and after; empty if unknown. */
  readonly changes: readonly PastChange[];
  readonly changeCount: number;
}

/** Puts deltas and operations into words; undefined for one that is not in the database any more. */
export async function told(
  database: Database,
  revealed: boolean,
  ids: readonly ToldId[],
): Promise<readonly (Told | undefined)[]> {
  const found: (Told | undefined)[] = [];
  for (const { of, id } of ids)
    found.push(of === "delta" ? await toldDelta(database, revealed, id) : await toldOperation(database, id));
  return found;
}

async function toldDelta(database: Database, revealed: boolean, id: string): Promise<Told | undefined> {
  const delta = await database.node.delta(id);
  if (delta === undefined) return undefined;
  const { context, time } = delta;
  const isQuick = await tellsChanges(database);
  const history = isQuick ? await stateHistoryOf(database, context.id) : undefined;
  const changed = history && delta.applied ? await changesBy(database, context.id, revealed, id) : undefined;
  return {
    ...{ of: "delta", id, where: context, history: context, after: time, before: time },
    ...(await authorOf(database, delta.author)),
    words: deltaWords(delta, await history?.changes(id)),
    changes: changed?.changes ?? [],
    changeCount: changed?.changeCount ?? 0,
  };
}

async function toldOperation(database: Database, id: string): Promise<Told | undefined> {
  const operation = await database.node.operation(id);
  if (operation === undefined) return undefined;
  const { group, namespace, time, sentence } = operation;
  return {
    ...{ of: "operation", id, where: group, history: namespace, words: sentence },
    ...{ after: time?.after, before: time?.before, changes: [], changeCount: 0 },
    ...(await authorOf(database, operation.actor)),
  };
}

async function authorOf(
  database: Database,
  person: Named | undefined,
): Promise<Pick<Told, "author" | "colour">> {
  const [author] = await namedPeople(database, [person]);
  return { author, colour: (await coloursOf(database))(person) };
}
