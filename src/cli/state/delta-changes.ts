/** The changes of the application's data by deltas, for the commands that show deltas. */
import { fromHex } from "../../bytes/hex.js";
import { toJsonLine, visible } from "../../bytes/visible.js";
import type { Json } from "../../codec/index.js";
import {
  AuthorViews,
  type Certainty,
  type ChangedEntry,
  changedEntries,
  type StateChange,
  StateHistory,
  stateOf,
} from "../../state/index.js";
import type { OpenDatabase } from "../database/database.js";
import { refuseLeftOut } from "../database/lacking-rows.js";
import type { Terminal } from "../output/terminal.js";
import { printable, shortened } from "../output/text.js";
import { remarkOtherRows } from "./beside-rows.js";
import { REPLAYED } from "./replayed.js";
import { knowledgeOf, recordIn, type StateOptionValues } from "./used-state.js";

/**
 * The history of a context's data; undefined for a revision without one. Without a manifest, the types in the rows are
 * used.
 */
export async function historyFor(
  terminal: Terminal,
  open: OpenDatabase,
  context: string,
  options: StateOptionValues,
): Promise<StateHistory | undefined> {
  const { store } = open;
  if (store.schema.name === "documented") return undefined;
  refuseLeftOut(store, REPLAYED);
  const contextId = fromHex(context);
  const known = await knowledgeOf(terminal, open, contextId, options, "silently");
  return new StateHistory(store, await stateOf(store, contextId, known));
}

/** The known changes of a delta to the application's data. */
export interface DeltaData {
  readonly changes?: readonly StateChange[] | undefined;
  /** Old and new values, by the paths of the changes. */
  readonly entries?: ReadonlyMap<string, ChangedEntry> | undefined;
  /** The certainty of these values. */
  readonly certainty?: Certainty;
}

/**
 * Returns a function from a delta's id to its changes of a context's data. Without a manifest the types in the rows
 * serve.
 *
 * @param views the data around the deltas, for old values
 */
export async function deltaData(
  terminal: Terminal,
  open: OpenDatabase,
  context: string,
  options: StateOptionValues,
  views?: AuthorViews,
): Promise<(delta: string) => Promise<DeltaData>> {
  const history = await historyFor(terminal, open, context, options);
  return async (delta) => {
    const changes = await history?.changes(delta);
    const around = changes === undefined ? undefined : await views?.around(delta);
    if (changes === undefined || around === undefined) return { changes };
    const entries = await changedEntries(around, changes);
    return { changes, entries, certainty: around.position };
  };
}

/**
 * The data around the deltas of a context.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` for a revision whose deltas cannot be replayed
 */
export async function viewsFor(
  terminal: Terminal,
  open: OpenDatabase,
  context: string,
  options: StateOptionValues,
): Promise<AuthorViews> {
  const contextId = fromHex(context);
  const known = await knowledgeOf(terminal, open, contextId, options, "silently");
  const views = await AuthorViews.of(open.store, contextId, { ...known, record: recordIn(options.recorded) });
  await remarkOtherRows(terminal, open.store, views.replay);
  return views;
}

/** The path of the state as a whole. */
const STATE = "$";

/**
 * A change on one line: `items["alice"] = 3`, or for a text `"abc" at 12 in notes`; undefined if only the entity is
 * known.
 */
export function changeText(change: StateChange): string | undefined {
  const { kind, path, value, at, problem, isSecret } = change;
  if (isSecret) return "private data";
  if (path === undefined || (path === STATE && problem === undefined)) return undefined;
  if (problem !== undefined) return `${visible(path)} ! ${problem.name}: ${printable(problem.message)}`;
  if ((kind === "insert" || kind === "delete") && value !== undefined)
    return `${shortened(toJsonLine(value))}${at === undefined ? "" : ` at ${at}`} in ${visible(path)}`;
  return value === undefined ? visible(path) : `${visible(path)} = ${shortened(toJsonLine(value))}`;
}

/** Changes in JSON. */
export function changesToJson(changes: readonly StateChange[]): Json {
  return changes.map(({ kind, entity, path, value, at, problem, isSecret }) => ({
    kind: isSecret ? "private" : kind,
    entity,
    path: (isSecret ? undefined : path) ?? null,
    ...(value !== undefined && !isSecret && { value }),
    ...(at !== undefined && !isSecret && { at }),
    ...(problem !== undefined && { problem: problem.name }),
  }));
}

/** Returns whether none of a delta's changes is visible to the application. */
export function isNothing(changes: readonly StateChange[]): boolean {
  return changes.every(
    ({ kind, problem, isSecret }) => kind === "none" && !isSecret && problem === undefined,
  );
}
