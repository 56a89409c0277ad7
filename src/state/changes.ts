/** The actions of deltas as changes of the application's data. */
import { toHex } from "../bytes/hex.js";
import { equalBytes } from "../bytes/order.js";
import type { Json } from "../codec/index.js";
import { applicationStateId, rotationLogId } from "../digests/index.js";
import type { Action, Action010 } from "../payloads/index.js";
import type { StateCollection } from "./collections/collection.js";
import { plainName } from "./collections/layout.js";
import { collectionsIn, shownJson } from "./collections/parts-of-value.js";
import { fieldPath, ROOT_PATH } from "./path.js";
import { problem, StateError, type StateProblem } from "./problem.js";
import type { State } from "./state.js";
import { readUnchecked } from "./types/read-value.js";
import { holdsCollections, isCollection, type RecordType } from "./types/type.js";

/** The change that an action makes, as the application sees it. */
export interface StateChange {
  /**
   * `set` an entry or a field, `delete` an entity, `create` a collection; `none` for a change that only the storage library
   * needs.
   */
  readonly kind: "set" | "delete" | "create" | "none";
  /** The entity that the action names, 64 hex digits. */
  readonly entity: string;
  /** The path of the entity: `items["alice"]`; undefined where it is unknown. */
  readonly path: string | undefined;
  /** The new value, of `set`; collections in it are left out. Undefined where there is none, or a problem. */
  readonly value: Json | undefined;
  /** The problem; undefined if there is none. */
  readonly problem: StateProblem | undefined;
  /** Whether it belongs to a private struct: then path and value are secret. */
  readonly isSecret: boolean;
}

/** An action, in the layout of either revision. */
export type AnyAction = Action | Action010;

interface Known {
  readonly collection: StateCollection;
  readonly isSecret: boolean;
}

/** A path that an action has named, for the deletion that may follow. */
interface Named {
  readonly path: string;
  readonly isSecret: boolean;
}

/** Paths of entities that are remembered. */
const MOST_NAMED = 200_000;

/**
 * Explains the actions of one context's deltas. It remembers the paths of the entities that it has seen, so that a deletion
 * has a path: explain deltas in their order.
 *
 * The private collections of core-0.10 are in deltas too. Their values are explained only if the state was read with
 * `secrets` and the types of the private structs; otherwise nothing of them is.
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
  /** Whether collections inside others were looked for. */
  #isExplored = false;

  /** @param state the state after the deltas, or about that time */
  constructor(state: State) {
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

  /** Explains the actions of a delta, in their order. One that changes several fields of the state is several changes. */
  async explain(actions: readonly AnyAction[]): Promise<readonly StateChange[]> {
    const changes = new Map<AnyAction, readonly StateChange[]>();
    let open = actions;
    // A collection may be made by a later action of the same delta than its entries.
    while (open.length > 0) {
      const left: AnyAction[] = [];
      for (const action of open) {
        const explained = await this.#one(action);
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

  /** The changes of an action; undefined where the collection is not known yet. */
  async #one(action: AnyAction): Promise<readonly StateChange[] | undefined> {
    const entity = toHex(action.id);
    if (action.kind === "Compare") return [unchanged(entity)];
    if (action.kind === "DeleteRef") return [this.#deletion(action)];
    const { contextId } = this.#state;
    if (equalBytes(action.id, contextId)) return [unchanged(entity)];
    if (equalBytes(action.id, applicationStateId())) return this.#fields(action.data);
    const parent = action.ancestors[0]?.id;
    if (parent === undefined) return [unchanged(entity)];
    const known = this.#collections.get(toHex(parent));
    if (known !== undefined && !isOwnId(action)) return [await this.#entry(action, known)];
    if (this.#logs.has(toHex(parent)) || this.#logs.has(entity))
      return [this.#writers(entity, toHex(parent))];
    return equalBytes(parent, contextId) || isOwnId(action) ? [this.#created(action)] : undefined;
  }

  async #entry(
    action: AnyAction & { readonly data: Uint8Array },
    { collection, isSecret }: Known,
  ): Promise<StateChange> {
    const { path, value, type, problem: wrong } = await collection.decodeAction(action.id, action.data);
    const entity = toHex(action.id);
    this.#remember(entity, { path, isSecret });
    const change = { ...unchanged(entity), path, isSecret };
    if (wrong !== undefined || type === undefined) return { ...change, kind: "set", problem: wrong };
    if (holdsCollections(type)) this.#learn(this.#state.scope.live(value, path, []), isSecret);
    const shown = shownJson(value);
    return { ...change, kind: shown === undefined ? "create" : "set", value: shown };
  }

  /** The fields of the state that are not collections. */
  #fields(data: Uint8Array): readonly StateChange[] {
    const entity = toHex(applicationStateId());
    const bytes = data.subarray(0, Math.max(0, data.length - 32));
    const reading = this.#type && readUnchecked(this.#type, bytes);
    if (reading?.outcome !== "value") {
      const message = "the bytes of the state are not those of its type";
      return [failed(entity, problem("ValueDecode", ROOT_PATH, message, bytes), ROOT_PATH)];
    }
    const values = Object.entries(reading.value as Readonly<Record<string, unknown>>);
    const changes = values
      .filter(
        ([name]) => !this.#type?.fields.some((field) => field.name === name && isCollection(field.type)),
      )
      .map(
        ([name, value]): StateChange => ({
          ...unchanged(entity),
          kind: "set",
          path: fieldPath(ROOT_PATH, name),
          value: shownJson(value),
        }),
      );
    return changes.length === 0 ? [{ ...unchanged(entity), path: ROOT_PATH }] : changes;
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
      const negative = collection.handle.negativeId;
      if (negative !== undefined) this.#collections.set(toHex(negative), { collection, isSecret });
      if (collection.kind === "shared") this.#logs.set(toHex(rotationLogId(collection.id)), collection.path);
    }
  }

  /** Adds the collections that are inside others. */
  async #explore(): Promise<void> {
    this.#isExplored = true;
    // The map grows while it is read, and a loop over it reaches what is added.
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
  return { kind: "none", entity, path: undefined, value: undefined, problem: undefined, isSecret: false };
}

/** A change whose value cannot be shown. */
function failed(entity: string, wrong: StateProblem, path: string | undefined): StateChange {
  return { ...unchanged(entity), kind: "set", path, problem: wrong };
}

/** Whether the data of an action is the entity's id alone, as that of collections is. */
function isOwnId(action: AnyAction): boolean {
  return "data" in action && equalBytes(action.data, action.id);
}

function mayHoldCollections({ type }: StateCollection): boolean {
  if ("value" in type) return true;
  return "item" in type && type.kind === "vector";
}
