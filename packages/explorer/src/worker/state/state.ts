/** The data of contexts as their applications see it. */
import { fromHex, type Schema, toHex } from "merostore";
import { Pause } from "merostore/internal";
import { countEntities, fieldParts, StateError, type StateProblem, surveyState } from "merostore/state";
import { contextFacts } from "../database/context-facts.js";
import type { Database } from "../database/database.js";
import { compareNamed } from "../database/order.js";
import { sortedPage } from "./pages.js";
import { entityOf, rowOf, type ShownEntity, type ShownProblem, type StateRow, shownProblem } from "./rows.js";
import { type ManifestSource, openState, partOf } from "./source.js";

/** A context with a state. */
export interface StateContext {
  readonly id: string;
  readonly name: string | undefined;
  readonly application: string | undefined;
  readonly group: { readonly id: string; readonly name: string | undefined } | undefined;
  /** The number of its entities; undefined if counting would take long. */
  readonly entities: number | undefined;
}

/** The most bytes of State that are counted without a request. */
const QUICK_BYTES = 32 * 1024 * 1024;
/** The most problems, and entities that no field reaches, that are sent to the page. */
const MOST_LISTED = 1_000;

/** The contexts, the last changed first. */
export function stateContexts(database: Database): Promise<readonly StateContext[]> {
  return database.kept("state contexts", async () => {
    const { store } = database;
    const isQuick = await isSmall(database);
    const contexts: StateContext[] = [];
    const facts = await contextFacts(database);
    for (const id of new Set([...facts.keys(), ...(await contextsWithRows(database))])) {
      const { context, application, group } = facts.get(id) ?? {};
      contexts.push({
        id,
        name: context?.name,
        application: application?.name ?? application?.id,
        group: group && { id: group.id, name: group.name },
        entities: isQuick ? await countEntities(store, fromHex(id)) : undefined,
      });
    }
    const changedAt = ({ id }: StateContext): number => facts.get(id)?.changedAt ?? 0;
    return contexts.sort((a, b) => changedAt(b) - changedAt(a) || compareNamed(a, b));
  });
}

/** The most contexts that are found by their state alone: no other row names them. */
const MOST_CONTEXTS = 10_000;

/** The contexts that rows of state name. Reads one row of each context, and the rows of no known kind. */
async function contextsWithRows({ store }: Database): Promise<readonly string[]> {
  const schema: Schema = store.schema;
  const row = schema.rows.find(({ kind }) => kind === "ContextState");
  if (row === undefined || !store.columns.includes(row.column)) return [];
  const pause = new Pause();
  /** The context of the first row from a key on that names a context. */
  const next = async (from: Uint8Array | undefined): Promise<Uint8Array | undefined> => {
    // Usually the first row names one. Rows of no known kind name none.
    for (const limit of [1, undefined])
      for await (const keys of store.raw.scan(row.column, { gte: from }, { limit }).keys().chunks()) {
        for (const key of keys)
          if (row.key.matches(key)) return (row.key.fromBytes(key) as unknown as OfContext).contextId;
        await pause.ifLong();
      }
    return undefined;
  };
  const found: string[] = [];
  let from: Uint8Array | undefined;
  while (found.length < MOST_CONTEXTS) {
    const contextId = await next(from);
    if (contextId === undefined) break;
    found.push(toHex(contextId));
    from = row.key.range({ contextId }).lt;
    if (from === undefined) break;
  }
  return found;
}

interface OfContext {
  readonly contextId: Uint8Array;
}

async function isSmall({ store }: Database): Promise<boolean> {
  if (store.schema.name === "documented" || !store.columns.includes("State")) return false;
  return (await store.raw.approximateSize("State")) <= QUICK_BYTES;
}

/** The beginning of a state. */
export interface StateRoot {
  readonly source: ManifestSource;
  readonly rows: readonly StateRow[];
  /** Problems of the state as a whole. Problems of fields are in their rows. */
  readonly problems: readonly ShownProblem[];
  /** The root of the Merkle tree. */
  readonly root: ShownEntity;
  readonly privateStructs: readonly {
    readonly name: string;
    readonly rows: readonly StateRow[];
    readonly problem: ShownProblem | undefined;
  }[];
  /** Rows of private data on this node; more than a thousand are not counted. */
  readonly privateRows: number;
  /** True if all entities may be counted without a request. */
  readonly isSmall: boolean;
}

/** The fields of a context's state. @param revealed whether private data is part of the answer */
export async function stateRoot(
  database: Database,
  contextId: string,
  revealed: boolean,
): Promise<StateRoot> {
  const { state, source } = await openState(database, contextId, revealed);
  const ofFields = new Set(state.fields.map(({ problem }) => problem));
  const structs: StateRoot["privateStructs"][number][] = [];
  for (const struct of state.privateStructs) {
    const { name, problem } = struct;
    structs.push({
      name,
      rows: await Promise.all(fieldParts(struct).map((part) => rowOf(state, part, name))),
      problem: problem && shownProblem(problem),
    });
  }
  return {
    source,
    rows: await Promise.all(fieldParts(state).map((part) => rowOf(state, part, undefined))),
    problems: state.problems.filter((problem) => !ofFields.has(problem)).map(shownProblem),
    root: await entityOf(state, state.contextId),
    privateStructs: structs,
    privateRows: await countPrivateRows(database, contextId),
    isSmall: await isSmall(database),
  };
}

async function countPrivateRows({ store }: Database, contextId: string): Promise<number> {
  const schema: Schema = store.schema;
  const row = schema.rows.find(({ kind }) => kind === "ContextPrivateState");
  if (row === undefined || !store.columns.includes(row.column)) return 0;
  const { gte: from, lt: to } = row.key.range({ contextId: fromHex(contextId) });
  const scan = store.raw.scan(row.column, { gte: from, lt: to }, { limit: MOST_LISTED });
  let count = 0;
  for await (const keys of scan.keys().chunks()) count += keys.length;
  return count;
}

/** Some of the rows in a row. */
export interface StateChildren {
  readonly rows: readonly StateRow[];
  readonly total: number;
  readonly isSorted: boolean;
  /** The reason if the list is empty. */
  readonly problem: ShownProblem | undefined;
}

/** The rows in a row, from a place on. */
export async function stateChildren(
  database: Database,
  contextId: string,
  revealed: boolean,
  path: string,
  struct: string | undefined,
  from: number,
  count: number,
): Promise<StateChildren> {
  const opened = await openState(database, contextId, revealed);
  const { state } = opened;
  const pause = new Pause();
  try {
    const part = await partOf(opened, path, struct);
    if (part === undefined) return { rows: [], total: 0, isSorted: true, problem: undefined };
    const { parts, total, isSorted } = await sortedPage(part, from, count);
    const rows: StateRow[] = [];
    for (const one of parts) {
      await pause.ifLong();
      rows.push(await rowOf(state, one, struct));
    }
    return { rows, total, isSorted, problem: undefined };
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    return { rows: [], total: 0, isSorted: true, problem: shownProblem(error.problem) };
  }
}

/** A count of all entities of a context. */
export interface ShownSurvey {
  readonly entities: number;
  readonly tombstones: number;
  readonly undecoded: number;
  readonly unreachableCount: number;
  readonly problemCount: number;
  readonly problems: readonly (ShownProblem & { readonly path: string })[];
  /** The parts that no field reaches. */
  readonly unreachable: readonly {
    readonly id: string;
    readonly name: string | undefined;
    readonly entity: ShownEntity;
  }[];
}

/** Reads all of a state, and counts its entities. */
export async function stateSurvey(
  database: Database,
  contextId: string,
  revealed: boolean,
  isWanted = true,
): Promise<ShownSurvey | undefined> {
  if (!isWanted) return undefined;
  const { state } = await openState(database, contextId, revealed);
  const survey = await surveyState(state);
  const { entities, tombstones, undecoded, unreachableCount, problemCount } = survey;
  const unreachable: ShownSurvey["unreachable"][number][] = [];
  for (const { id, name } of survey.unreachable.slice(0, MOST_LISTED))
    unreachable.push({ id, name, entity: await entityOf(state, fromHex(id)) });
  return {
    entities,
    tombstones,
    undecoded,
    unreachableCount,
    problemCount,
    problems: survey.problems.slice(0, MOST_LISTED).map(withPath),
    unreachable,
  };
}

function withPath(problem: StateProblem): ShownProblem & { readonly path: string } {
  return { ...shownProblem(problem), path: problem.path };
}
