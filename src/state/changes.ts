/** The actions of deltas as changes of the application's data. */
import { toHex } from "../bytes/hex.js";
import { equalBytes } from "../bytes/order.js";
import type { Json } from "../codec/index.js";
import { applicationStateId, rotationLogId } from "../digests/index.js";
import { checkArgument } from "../options.js";
import { Pause } from "../pause.js";
import { type AnyAction, parentIn } from "../payloads/index.js";
import { isState } from "./arguments.js";
import type { StateCollection } from "./collections/collection.js";
import { StateCounter } from "./collections/counter.js";
import { plainName } from "./collections/layout.js";
import { collectionsIn, shownJson } from "./collections/parts-of-value.js";
import { StateText } from "./collections/sequence.js";
import { fieldPath, ROOT_PATH } from "./path.js";
import { problem, StateError, type StateProblem } from "./problem.js";
import type { State } from "./state.js";
import { codecOf } from "./types/codec-of.js";
import { readUnchecked } from "./types/read-value.js";
import { holdsCollections, isCollection, type RecordType } from "./types/type.js";

/** The change that an action makes, as the application sees it. */
export interface StateChange {
  /**
   * `set` an entry or a field, `delete` an entity, `create` a collection, `insert` into a text. `none` for a change
   * that only the storage library needs, for unchanged data, and for a part that another change of the delta includes.
   */
  readonly kind: "set" | "delete" | "create" | "insert" | "none";
  /** The entity that the action names, 64 hex digits. */
  readonly entity: string;
  /** The path of the entity, such as `items["alice"]`; undefined if it is unknown. */
  readonly path: string | undefined;
  /**
   * The new value of `set`, without the collections in it. An amount that an identity subtracted from a counter is
   * negative. For a text, the inserted or deleted characters. Undefined without a value, or with a problem.
   */
  readonly value: Json | undefined;
  /**
   * The place of the inserted or deleted characters in the author's text, in characters from 0; undefined if unknown.
   */
  readonly at: number | undefined;
  /** @internal The path of the counter or text that it is a part of. */
  readonly whole?: string | undefined;
  /** @internal The id of the text that has the character, 64 hex digits. */
  readonly text?: string | undefined;
  /** The problem; undefined if there is none. */
  readonly problem: StateProblem | undefined;
  /** True if it belongs to a private struct: then path and value are secret. */
  readonly isSecret: boolean;
}

/**
 * Returns the data that an entity had at the parents of a delta: empty if it did not exist; undefined if that is
 * unknown.
 *
 * @param entity 32 bytes
 */
export type DataBefore = (entity: Uint8Array) => Promise<readonly Uint8Array[] | undefined>;

interface Known {
  readonly collection: StateCollection;
  readonly isSecret: boolean;
}

/** A path that an action has named, for the deletion that may follow. */
interface Named {
  readonly path: string;
  readonly isSecret: boolean;
  /** The id of its collection. */
  readonly parent?: Uint8Array;
  /** The text that has it as a character. */
  readonly text?: string | undefined;
}

/** Paths of entities that are remembered. */
const MOST_NAMED = 200_000;

/**
 * Explains the actions of one context's deltas. It remembers the paths of the entities that it has seen, so that a
 * deletion has a path: explain deltas in their order.
 *
 * The private collections of core-0.10 are in deltas too. Their changes are explained only if the state was read with
 * `secrets` and the types of the private structs.
 *
 * @example
 * const changes = new StateChanges(await stateOf(store, contextId, { manifest }));
 * await changes.explain(delta.value.actions.value ?? []); // items["alice"] = 3
 */
export class StateChanges {
  readonly #state: State;
  readonly #collections = new Map<string, Known>();
  readonly #logs = new Map<string, string>();
  readonly #names = new Map<string, Named>();
  readonly #type: RecordType | undefined;
  /** True if collections inside others were looked for. */
  #isExplored = false;

  /** @param state the state after the deltas, or about that time */
  constructor(state: State) {
    checkArgument("StateChanges", state, isState);
    this.#state = state;
    for (const { value } of state.fields) this.#learn(value, false);
    for (const { fields } of state.privateStructs) for (const { value } of fields) this.#learn(value, true);
    const { fields } = state;
    const isWhole =
      fields.length > 0 && fields.every(({ type, raw }) => type !== undefined && raw !== undefined);
    this.#type = isWhole
      ? {
          kind: "record",
          name: undefined,
          fields: fields.map(({ name, type }) => ({ name, type: type as NonNullable<typeof type> })),
        }
      : undefined;
  }

  /**
   * Explains the actions of a delta, in their order. An action on several fields of the state gives several changes.
   * Programs write all fields of the state, and values around collections, with every delta. Only `before` shows which
   * of them changed.
   */
  async explain(
    actions: readonly AnyAction[],
    before: DataBefore = async () => undefined,
  ): Promise<readonly StateChange[]> {
    const changes = new Map<AnyAction, readonly StateChange[]>();
    const pause = new Pause();
    let open = actions;
    // A collection may be made by a later action of the same delta than its entries.
    while (open.length > 0) {
      const left: AnyAction[] = [];
      for (const action of open) {
        if (pause.isLong) await pause.ifLong();
        const explained = await this.#one(action, before);
        if (explained === undefined) left.push(action);
        else changes.set(action, explained);
      }
      if (left.length < open.length) open = left;
      else if (!this.#isExplored) await this.#explore();
      else {
        for (const action of left) changes.set(action, [this.#unknown(action)]);
        break;
      }
    }
    return actions.flatMap((action) => changes.get(action) ?? []);
  }

  /** The changes of an action; undefined if the collection is not known yet. */
  async #one(action: AnyAction, before: DataBefore): Promise<readonly StateChange[] | undefined> {
    const entity = toHex(action.id);
    if (action.kind === "Compare") return [unchanged(entity)];
    if (action.kind === "DeleteRef") return [this.#deletion(action)];
    const { contextId } = this.#state;
    if (equalBytes(action.id, contextId)) return [unchanged(entity)];
    if (equalBytes(action.id, applicationStateId()))
      return this.#fields(action.data, await before(action.id));
    const parent = await this.#parentOf(action);
    if (parent === undefined) return [unchanged(entity)];
    const known = this.#collections.get(toHex(parent));
    if (known !== undefined && !isOwnId(action)) return [await this.#entry(action, known, before)];
    if (this.#logs.has(toHex(parent)) || this.#logs.has(entity))
      return [this.#writers(entity, toHex(parent))];
    if (!equalBytes(parent, contextId) && !isOwnId(action)) return undefined;
    // The entity of a shared value has the writers in its metadata.
    const isShared = this.#collections.get(entity)?.collection.kind === "shared";
    const created = this.#created(action);
    return [!isShared && (await isAsBefore(action, before)) ? { ...created, kind: "none" } : created];
  }

  /** The parent of a changed entity. In core-1.0, an update of an entity that its author had does not name it. */
  async #parentOf(action: AnyAction): Promise<Uint8Array | undefined> {
    const parent = parentIn(action) ?? this.#names.get(toHex(action.id))?.parent;
    return parent ?? (await this.#state.scope.rows.index(action.id))?.parentId ?? undefined;
  }

  async #entry(
    action: AnyAction & { readonly data: Uint8Array },
    { collection, isSecret }: Known,
    before: DataBefore,
  ): Promise<StateChange> {
    const decoded = await collection.decodeAction(action.id, action.data);
    const { path, value, type, problem: wrong } = decoded;
    const entity = toHex(action.id);
    const text = collection instanceof StateText ? toHex(collection.id) : undefined;
    this.#remember(entity, { path, isSecret, parent: collection.id, text });
    const isPart = text !== undefined || collection instanceof StateCounter;
    const change = { ...unchanged(entity), path, isSecret, whole: isPart ? collection.path : undefined };
    if (wrong !== undefined || type === undefined) return { ...change, kind: "set", problem: wrong };
    if (collection instanceof StateText)
      return { ...change, kind: "insert", value: collection.charactersOf(decoded), text };
    if (holdsCollections(type)) {
      this.#learn(this.#state.scope.live(value, path, []), isSecret);
      if (await isAsBefore(action, before)) return change;
    }
    const isSubtracted = collection instanceof StateCounter && collection.isNegative;
    const shown = shownJson(isSubtracted ? -(value as bigint) : value);
    return { ...change, kind: shown === undefined ? "create" : "set", value: shown };
  }

  /** The changed fields of the state that are not collections. */
  #fields(data: Uint8Array, before: readonly Uint8Array[] = []): readonly StateChange[] {
    const entity = toHex(applicationStateId());
    const same: StateChange = { ...unchanged(entity), path: ROOT_PATH };
    if (before.some((earlier) => equalBytes(earlier, data))) return [same];
    const fields = this.#inlineFields(data);
    if (fields === undefined) {
      const message = "the bytes of the state are not those of its type";
      const bytes = data.subarray(0, Math.max(0, data.length - 32));
      return [failed(entity, problem("ValueDecode", ROOT_PATH, message, bytes), ROOT_PATH)];
    }
    const earlier = before.flatMap((one) => this.#inlineFields(one) ?? []);
    const changed = [...fields].filter(
      ([name, { bytes }]) => !earlier.some((one) => equalBytes(one.get(name)?.bytes ?? NOTHING, bytes)),
    );
    const changes = changed.map(
      ([name, { value }]): StateChange => ({
        ...unchanged(entity),
        kind: "set",
        path: fieldPath(ROOT_PATH, name),
        value: shownJson(value),
      }),
    );
    return changes.length === 0 ? [same] : changes;
  }

  /** The fields of the state that are not collections, with their bytes; undefined if they cannot be read. */
  #inlineFields(
    data: Uint8Array,
  ): ReadonlyMap<string, { readonly value: unknown; readonly bytes: Uint8Array }> | undefined {
    const bytes = data.subarray(0, Math.max(0, data.length - 32));
    const reading = this.#type && readUnchecked(this.#type, bytes);
    if (reading?.outcome !== "value") return undefined;
    const values = reading.value as Readonly<Record<string, unknown>>;
    const { fields } = reading.type as RecordType;
    return new Map(
      fields
        .filter(({ type }) => !isCollection(type))
        .map(({ name, type }) => [
          name,
          { value: values[name], bytes: codecOf(type).encode(values[name] as never) },
        ]),
    );
  }

  #deletion({ id }: AnyAction): StateChange {
    const entity = toHex(id);
    const known = this.#names.get(entity) ?? this.#collectionName(entity);
    return { ...unchanged(entity), kind: "delete", ...known };
  }

  #created(action: AnyAction): StateChange {
    const entity = toHex(action.id);
    const known = this.#collectionName(entity);
    const name = "metadata" in action ? action.metadata.fieldName : null;
    const isField =
      name !== null && !/^__(?:nested|set|sorted_set|vector|rga|counter_(?:positive|negative))/.test(name);
    const path = known?.path ?? (isField ? fieldPath(ROOT_PATH, plainName(name)) : undefined);
    return { ...unchanged(entity), kind: "create", path, isSecret: known?.isSecret ?? false };
  }

  /** A change of who may write a shared value. */
  #writers(entity: string, parent: string): StateChange {
    return { ...unchanged(entity), path: this.#logs.get(entity) ?? this.#logs.get(parent) };
  }

  #unknown(action: AnyAction): StateChange {
    const entity = toHex(action.id);
    const message = "nothing says to which collection the entity belongs";
    return failed(entity, problem("TypeUnknown", `#${entity}`, message), undefined);
  }

  #collectionName(entity: string): Named | undefined {
    const known = this.#collections.get(entity);
    return known && { path: known.collection.path, isSecret: known.isSecret };
  }

  #remember(entity: string, named: Named): void {
    this.#names.set(entity, named);
    if (this.#names.size <= MOST_NAMED) return;
    const [oldest] = this.#names.keys();
    this.#names.delete(oldest as string);
  }

  /** Adds the collections in a value. */
  #learn(value: unknown, isSecret: boolean): void {
    for (const collection of collectionsIn(value)) {
      this.#collections.set(toHex(collection.id), { collection, isSecret });
      const negative = collection instanceof StateCounter ? collection.negative() : undefined;
      if (negative !== undefined)
        this.#collections.set(toHex(negative.id), { collection: negative, isSecret });
      if (collection.kind === "shared") this.#logs.set(toHex(rotationLogId(collection.id)), collection.path);
    }
  }

  /** Adds the collections that are inside others. */
  async #explore(): Promise<void> {
    this.#isExplored = true;
    // The map grows during the loop, and the loop reaches the added entries.
    for (const { collection, isSecret } of this.#collections.values()) {
      if (!mayHoldCollections(collection)) continue;
      try {
        for await (const { value } of collection.parts())
          for (const inner of collectionsIn(value))
            if (!this.#collections.has(toHex(inner.id))) this.#learn(inner, isSecret);
      } catch (error) {
        if (!(error instanceof StateError)) throw error;
      }
    }
  }
}

/** A change that only the storage library needs. */
export function unchanged(entity: string): StateChange {
  const nothing = { path: undefined, value: undefined, at: undefined, problem: undefined };
  return { kind: "none", entity, ...nothing, isSecret: false };
}

/** A change whose value cannot be shown. */
function failed(entity: string, wrong: StateProblem, path: string | undefined): StateChange {
  return { ...unchanged(entity), kind: "set", path, problem: wrong };
}

const NOTHING = new Uint8Array(0);

/** Returns true if an update writes what the entity held at a parent of its delta. */
async function isAsBefore(
  action: AnyAction & { readonly data: Uint8Array },
  before: DataBefore,
): Promise<boolean> {
  if (action.kind !== "Update") return false;
  return (await before(action.id))?.some((earlier) => equalBytes(earlier, action.data)) ?? false;
}

/** Returns true if the data of an action is the entity's id alone, as for collections. */
function isOwnId(action: AnyAction): boolean {
  return "data" in action && equalBytes(action.data, action.id);
}

function mayHoldCollections({ type }: StateCollection): boolean {
  if ("value" in type) return true;
  return "item" in type && type.kind === "vector";
}
