/** Rows of State: for each entity an index row (who is its parent, who are its children) and an entry row. */

import { entryStateKey, fullHash010, indexStateKey, ownHash } from "../../src/digests/index.js";
import { ContextState011 } from "../../src/keys/index.js";
import { type ChildInfo010, EntityIndex010, type Metadata010 } from "../../src/payloads/index.js";
import type { Random } from "../random.js";
import { entryMetadata, mapMetadata } from "./metadata.js";
import type { Put } from "./put.js";

/** Entries of one collection. */
const CHILDREN = 64;

/**
 * The State rows of a context: its root, and collections of entries below it. About `rows` rows. Returns the root's
 * hash.
 */
export function* fillState(
  put: Put,
  random: Random,
  contextId: Uint8Array,
  rows: number,
): Generator<void, Uint8Array, undefined> {
  const entities = new Entities(put, random, contextId);
  const collections = Math.max(1, Math.round(rows / (2 * CHILDREN + 2)));
  const children: ChildInfo010[] = [];
  for (let count = 0; count < collections; count++) {
    const id = random.id();
    const entries: ChildInfo010[] = [];
    for (let entry = 0; entry < CHILDREN; entry++) {
      entries.push(entities.put(random.id(), id, null, entryMetadata(random)));
      yield;
    }
    children.push(entities.put(id, contextId, entries, mapMetadata(random)));
    yield;
  }
  const { merkleHash } = entities.put(contextId, null, children, entryMetadata(random));
  yield;
  return merkleHash;
}

/** Puts the rows of entities, children before their parents. */
class Entities {
  readonly #put: Put;
  readonly #random: Random;
  readonly #contextId: Uint8Array;

  constructor(put: Put, random: Random, contextId: Uint8Array) {
    this.#put = put;
    this.#random = random;
    this.#contextId = contextId;
  }

  /** Returns the parent's record of the entity. */
  put(
    id: Uint8Array,
    parentId: Uint8Array | null,
    children: readonly ChildInfo010[] | null,
    metadata: Metadata010,
  ): ChildInfo010 {
    const contextId = this.#contextId;
    const entry = entryPayload(this.#random, id);
    const own = ownHash(entry);
    const merkleHash = fullHash010({ ownHash: own, children });
    const index = EntityIndex010.encode({
      id,
      parentId,
      children,
      fullHash: merkleHash,
      ownHash: own,
      metadata,
      deletedAt: null,
    });
    this.#put(new ContextState011({ contextId, stateKey: indexStateKey(id) }), index);
    this.#put(new ContextState011({ contextId, stateKey: entryStateKey(id) }), entry);
    return { id, merkleHash, metadata };
  }
}

/** Data of the application: 50 to 200 bytes that end with the entity's id. */
export function entryPayload(random: Random, id: Uint8Array): Uint8Array {
  const payload = random.bytes(random.between(50, 200));
  payload.set(id, payload.length - id.length);
  return payload;
}
