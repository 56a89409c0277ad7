/** One entity of a state: its place, its row in the Merkle tree, and the deltas that changed it. */

import { fromHex, toHex } from "merostore";
import { Pause } from "merostore/internal";
import {
  type EntityKey,
  type EntityPlace,
  entityKeys,
  parsePath,
  partAt,
  partContent,
  placeOfEntity,
  type State,
  type StateChange,
  StateCollection,
  StateCounter,
  StateError,
  StateShared,
} from "merostore/state";
import { coloursOf } from "../database/colours.js";
import type { Database } from "../database/database.js";
import { namedPeople } from "../database/people.js";
import { cut, isId } from "../database/text.js";
import {
  entityOf,
  rowKey,
  rowOf,
  type ShownEntity,
  type ShownProblem,
  type StateRow,
  shownProblem,
} from "./rows.js";
import { openState } from "./source.js";

/** An entity, or a part of one. */
export interface EntityOfState {
  /** The row of the tree; undefined for an entity that no field reaches. */
  readonly row: StateRow | undefined;
  /** The keys of the rows around it, the outermost first. */
  readonly within: readonly string[];
  readonly entity: ShownEntity | undefined;
  /**
   * The entities that belong to its value: the collection in it, and the entities of a counter or of a shared value.
   */
  readonly belonging: readonly { readonly what: string; readonly entity: ShownEntity }[];
  /** The amounts that identities added to a counter. */
  readonly slots: readonly {
    readonly who: string;
    readonly name: string | undefined;
    readonly amount: string;
  }[];
  /** Names of accounts and identities in it, by id. */
  readonly names: Readonly<Record<string, string>>;
  /** The rows of the entity: their kinds, and their keys in hex. */
  readonly rows: readonly {
    readonly kind: "ContextState" | "ContextPrivateState";
    readonly what: EntityKey["what"];
    readonly key: string;
  }[];
}

/** The most characters of a value in the detail. */
const MOST_SHOWN = 20_000;
/** The most slots of a counter that are listed. */
const MOST_SLOTS = 100;

const NOWHERE = "-";

async function placeOf(state: State, entityId: string | undefined): Promise<EntityPlace | undefined> {
  return isId(entityId) ? placeOfEntity(state, fromHex(entityId)) : undefined;
}

/**
 * An entity by its id, or a part of the data by its path.
 *
 * @param path the path of the row; empty to search for the entity, `-` for an entity that no field reaches
 */
export async function stateEntity(
  database: Database,
  contextId: string,
  revealed: boolean,
  entityId: string | undefined,
  path: string,
  struct: string | undefined,
  isWanted: boolean,
): Promise<EntityOfState | undefined> {
  if (!isWanted) return undefined;
  const { state } = await openState(database, contextId, revealed);
  const place =
    path === "" ? await placeOf(state, entityId) : path === NOWHERE ? undefined : { path, struct };
  const part = place && (await partAt(state, place.path, place.struct).catch(ifStateError));
  const id = part?.entity ?? (isId(entityId) ? fromHex(entityId) : undefined);
  const entity = id && (await entityOf(state, id));
  const names = await database.node.names();
  const known: Record<string, string> = {};
  for (const one of [entity?.row?.owner, ...(entity?.row?.writers ?? []).map(({ account }) => account)]) {
    const name = one === undefined ? undefined : names.of(one)?.name;
    if (one !== undefined && name !== undefined) known[one] = name;
  }
  const belonging: EntityOfState["belonging"][number][] = [];
  const slots: EntityOfState["slots"][number][] = [];
  if (part !== undefined && part.problem === undefined)
    try {
      const { value } = await partContent(part);
      for (const one of [part.value, value])
        if (
          one instanceof StateCollection &&
          toHex(one.id) !== entity?.id &&
          !belonging.some((b) => b.entity.id === toHex(one.id))
        )
          belonging.push({ what: one.kind, entity: await entityOf(state, one.id) });
      if (part.value instanceof StateShared) {
        const written = await part.value.value();
        if (written) belonging.push({ what: "value", entity: await entityOf(state, written.id) });
      }
      if (value instanceof StateCounter)
        for (const [who, amount] of [...(await value.slots())].slice(0, MOST_SLOTS))
          slots.push({ who, name: names.of(who)?.name, amount: String(amount) });
    } catch (error) {
      ifStateError(error);
    }
  return {
    row: part && (await rowOf(state, part, place?.struct, MOST_SHOWN)),
    within: place === undefined ? [] : ways(place.path, place.struct),
    entity,
    belonging,
    slots,
    names: known,
    rows: id === undefined ? [] : await rowsOfEntity(database, state, id),
  };
}

const COLUMNS = [
  ["State", "ContextState"],
  ["PrivateState", "ContextPrivateState"],
] as const;

async function rowsOfEntity(
  { store }: Database,
  state: State,
  id: Uint8Array,
): Promise<EntityOfState["rows"]> {
  const keys = entityKeys(state, id);
  const found: EntityOfState["rows"][number][] = [];
  for (const [column, kind] of COLUMNS) {
    if (!store.columns.includes(column)) continue;
    const values = await store.raw.getMany(
      column,
      keys.map(({ key }) => key),
    );
    for (const [at, { what, key }] of keys.entries())
      if (values[at] !== undefined) found.push({ kind, what, key: toHex(key) });
  }
  return found;
}

function ifStateError(error: unknown): undefined {
  if (error instanceof StateError) return undefined;
  throw error;
}

/** The keys of the rows along a path. */
function ways(path: string, struct: string | undefined): readonly string[] {
  const found: string[] = [];
  // The ancestors of a path: its prefixes that are paths too.
  for (let end = 1; end < path.length; end++) {
    if (path[end] !== "." && path[end] !== "[") continue;
    const beginning = path.slice(0, end);
    try {
      if (parsePath(beginning).length > (struct === undefined ? 0 : 1)) found.push(rowKey(beginning, struct));
    } catch {
      // This bracket or point is within a key.
    }
  }
  return found;
}

/** A delta that changed an entity. */
export interface EntityDelta {
  readonly id: string;
  /** The effects of its actions on the entity: `Add`, `Update`, …; each once. */
  readonly kinds: readonly string[];
  /** In milliseconds since 1970; undefined for a checkpoint. */
  readonly time: number | undefined;
  readonly author: { readonly id: string; readonly name: string | undefined } | undefined;
  /** The colour of the author. */
  readonly colour: number;
}

/** The deltas that changed an entity, newest first. */
export interface EntityDeltas {
  readonly deltas: readonly EntityDelta[];
  readonly count: number;
  /** True if every delta of the context was read. */
  readonly isWhole: boolean;
}

type IndexedDelta = Omit<EntityDelta, "kinds">;

/** A delta of an entity by its place in the index. */
interface DeltaPlace {
  readonly at: number;
  readonly kinds: string[];
}

interface DeltaIndex {
  readonly deltas: readonly IndexedDelta[];
  readonly byEntity: ReadonlyMap<string, readonly DeltaPlace[]>;
  readonly isWhole: boolean;
}

/** The most actions of deltas that are kept. */
const MOST_ACTIONS = 1_000_000;
/** The most deltas that are listed. */
const MOST_DELTAS = 100;
/** Deltas between two messages about the progress. */
const REPORT_EVERY = 512;

/** The deltas that changed an entity. The first question reads all deltas of the context. */
export async function entityDeltas(
  database: Database,
  contextId: string,
  entityId: string,
  onProgress: (deltas: number) => void,
): Promise<EntityDeltas> {
  const index = await database.kept(`deltas by entity ${contextId}`, () =>
    indexDeltas(database, contextId, onProgress),
  );
  const found = index.byEntity.get(entityId) ?? [];
  const deltas = found
    .slice(0, MOST_DELTAS)
    .map(({ at, kinds }) => ({ ...(index.deltas[at] as IndexedDelta), kinds }));
  return { deltas, count: found.length, isWhole: index.isWhole };
}

async function indexDeltas(
  database: Database,
  contextId: string,
  onProgress: (deltas: number) => void,
): Promise<DeltaIndex> {
  const colourOf = await coloursOf(database);
  const index = {
    deltas: [] as IndexedDelta[],
    byEntity: new Map<string, DeltaPlace[]>(),
  };
  const pause = new Pause();
  let left = MOST_ACTIONS;
  for await (const { id, author, time, actions } of database.node.deltas(contextId)) {
    await pause.ifLong();
    const at = index.deltas.length;
    if (at % REPORT_EVERY === 0) onProgress(at);
    const [person] = await namedPeople(database, [author]);
    index.deltas.push({
      id,
      time,
      author: person && { id: person.id, name: person.name },
      colour: colourOf(author),
    });
    for (const { entity, kind } of actions ?? []) {
      if (--left < 0) return { ...index, isWhole: false };
      append(index.byEntity, entity, at, kind);
    }
  }
  return { ...index, isWhole: true };
}

/** A delta may act on an entity several times. */
function append(index: Map<string, DeltaPlace[]>, id: string, at: number, kind: string): void {
  const list = index.get(id);
  const last = list?.at(-1);
  if (list === undefined) index.set(id, [{ at, kinds: [kind] }]);
  else if (last?.at !== at) list.push({ at, kinds: [kind] });
  else if (!last.kinds.includes(kind)) last.kinds.push(kind);
}

/** A change by a delta. */
export interface ShownChange {
  readonly kind: "set" | "delete" | "create" | "insert" | "none";
  readonly entity: string;
  /** Undefined if it is unknown or secret. */
  readonly path: string | undefined;
  readonly value: string | undefined;
  readonly problem: ShownProblem | undefined;
  readonly isSecret: boolean;
}

/** The most changes of a delta that are listed. */
const MOST_CHANGES = 500;

/** The changes of a delta. */
export interface DeltaOfState {
  /** The changes; undefined if the delta does not exist or its actions do not decode. */
  readonly changes: readonly ShownChange[] | undefined;
  /** The number of all changes. */
  readonly count: number;
}

/** The changes of a delta, as the application sees them. */
export async function stateDelta(
  database: Database,
  contextId: string,
  revealed: boolean,
  deltaId: string,
): Promise<DeltaOfState> {
  if (!isId(deltaId)) return { changes: undefined, count: 0 };
  const { history } = await openState(database, contextId, revealed);
  const changes = await history.changes(deltaId);
  return {
    count: changes?.length ?? 0,
    changes: changes?.slice(0, MOST_CHANGES).map((change) => shownChange(change, revealed)),
  };
}

/** The most characters of a value that a delta wrote. */
const MOST_WRITTEN = 400;

function shownChange(
  { kind, entity, path, value, problem, isSecret }: StateChange,
  revealed: boolean,
): ShownChange {
  const isHidden = isSecret && !revealed;
  const text = value === undefined || isHidden ? undefined : JSON.stringify(value);
  return {
    kind,
    entity,
    path: isHidden ? undefined : path,
    value: text && cut(text, MOST_WRITTEN),
    problem: problem && !isHidden ? shownProblem(problem) : undefined,
    isSecret,
  };
}
