/** The place of an entity in the application's data. */

import { toHex } from "../bytes/hex.js";
import { type IdLike, idBytes } from "../bytes/id.js";
import { equalBytes } from "../bytes/order.js";
import { checkArgument } from "../options.js";
import { Pause } from "../pause.js";
import { isState } from "./arguments.js";
import type { StateCollection } from "./collections/collection.js";
import { collectionsIn } from "./collections/parts-of-value.js";
import { StateError } from "./problem.js";
import type { State } from "./state.js";

/** The place of an entity in the application's data. */
export interface EntityPlace {
  /** The path of the part that the entity holds, or belongs to: a collection in a value, its log, a slot of a counter. */
  readonly path: string;
  /** The name of the private struct that it is in; undefined for the state. */
  readonly struct: string | undefined;
}

/**
 * Returns the place of an entity; undefined for one that the state does not reach. Entries of the collections that are
 * fields are found by their rows; others only by reading the data up to them.
 *
 * @param entity its id
 */
export async function placeOfEntity(state: State, entity: IdLike): Promise<EntityPlace | undefined> {
  checkArgument("placeOfEntity", state, isState);
  const id = idBytes(entity);
  const roots = [
    ...state.fields.map((field) => ({ field, struct: undefined })),
    ...state.privateStructs.flatMap(({ name, fields }) => fields.map((field) => ({ field, struct: name }))),
  ];
  for (const { field, struct } of roots)
    if (field.entity !== undefined && equalBytes(field.entity, id)) return { path: field.path, struct };
  const known = roots.flatMap(({ field, struct }) =>
    [...collectionsIn(field.value)].map((collection) => ({ collection, struct })),
  );
  for (const { collection, struct } of known) {
    const path = await quickly(collection, id);
    if (path !== undefined) return { path, struct };
  }
  const walk = new Walk(id);
  for (const { collection, struct } of known) {
    const path = await walk.find(collection);
    if (path !== undefined) return { path, struct };
  }
  return undefined;
}

async function quickly(collection: StateCollection, id: Uint8Array): Promise<string | undefined> {
  if (equalBytes(collection.id, id)) return collection.path;
  try {
    const entry = await collection.entryOf(id);
    return entry && (isPartOf(collection) ? entry.path : collection.path);
  } catch (error) {
    if (error instanceof StateError) return undefined;
    throw error;
  }
}

/** Returns true if the entries of a collection are parts of the data. Those of a counter or a text are not: it is one value. */
function isPartOf({ kind }: StateCollection): boolean {
  return kind !== "counter" && kind !== "sequence" && kind !== "shared";
}

class Walk {
  readonly #id: Uint8Array;
  readonly #seen = new Set<string>();
  readonly #pause = new Pause();

  constructor(id: Uint8Array) {
    this.#id = id;
  }

  async find(collection: StateCollection): Promise<string | undefined> {
    const own = toHex(collection.id);
    if (this.#seen.has(own)) return undefined;
    this.#seen.add(own);
    try {
      for (const id of await collection.belongings()) if (equalBytes(id, this.#id)) return collection.path;
      for await (const { id, path, value } of collection.parts()) {
        await this.#pause.ifLong();
        if (equalBytes(id, this.#id)) return isPartOf(collection) ? path : collection.path;
        for (const inner of collectionsIn(value)) {
          const found = await this.find(inner);
          if (found !== undefined) return found;
        }
      }
    } catch (error) {
      if (!(error instanceof StateError)) throw error;
    }
    return undefined;
  }
}
