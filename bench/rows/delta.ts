/** Rows of Delta: a chain of causal deltas with their lists of actions, and the state to which they lead. */
import { Payload } from "../../src/codec/index.js";
import { deltaId010 } from "../../src/digests/index.js";
import { ContextDagDelta } from "../../src/keys/index.js";
import { type Action010, ActionList010, type Metadata010 } from "../../src/payloads/index.js";
import type { ContextDagDeltaValue010 } from "../../src/values/index.js";
import type { Random } from "../random.js";
import { addEntity, ancestorsOf, type Entity } from "./entities.js";
import { mapMetadata, plainMetadata } from "./metadata.js";
import type { Put } from "./put.js";

/** The id of the application's own state. */
const STATE = new Uint8Array(32).fill(0x76);

/** Entries of one collection. */
const CHILDREN = 64;

/** The end of a history. */
export interface History {
  /** The root of the entities. */
  readonly root: Entity;
  /** The id of the last delta. */
  readonly head: Uint8Array;
}

/** The size of a history. */
export interface HistorySize {
  readonly deltas: number;
  /** Entries that the deltas add, at least one each. */
  readonly entries: number;
}

/** Seconds since 1970 of the year 2026. */
const BEGIN = 1_795_242_408n;

/** The deltas of a context: each adds entries, and changes the application's own state. Every tenth names two parents. */
export function* fillDeltas(
  put: Put,
  random: Random,
  contextId: Uint8Array,
  { deltas, entries }: HistorySize,
): Generator<void, History, undefined> {
  const begun = BEGIN * 1_000_000_000n;
  const root = addEntity(null, { id: contextId, data: contextId, metadata: plainMetadata(begun) });
  let [last, before]: [Uint8Array, Uint8Array | undefined] = [new Uint8Array(32), undefined];
  let added = 0;
  for (let count = 0; count < deltas; count++) {
    const seconds = BEGIN + BigInt(count);
    const wanted = Math.floor(((count + 1) * entries) / deltas);
    const actions = makeActions(random, root, seconds * 1_000_000_000n, wanted - added);
    added = wanted;
    const parents = before !== undefined && random.chance(10) ? [last, before] : [last];
    const id = deltaId010(parents, actions);
    const value = makeDelta(random, parents, ActionList010.encode(actions), id, seconds << 32n);
    put(new ContextDagDelta({ contextId, deltaId: id }), { ...value, expectedRootHash: root.fullHash });
    before = count === 0 ? undefined : last;
    last = id;
    yield;
  }
  return { root, head: last };
}

/** A delta with these parents, actions, id and time; its events are gone, as after their handlers ran. */
export function makeDelta(
  random: Random,
  parents: readonly Uint8Array[],
  actions: Uint8Array,
  id: Uint8Array,
  time: bigint,
): ContextDagDeltaValue010 {
  return {
    deltaId: id,
    parents,
    actions: new Payload(ActionList010, actions),
    hlc: { time, id: (random.u64() << 63n) | random.u64() | 1n },
    applied: true,
    expectedRootHash: random.id(),
    events: null,
  };
}

/** Adds entries to the newest collection. Returns the actions of that, in the order in which a node writes them. */
function makeActions(random: Random, root: Entity, now: bigint, entries: number): Action010[] {
  const actions: Action010[] = [];
  const time = (): bigint => now + BigInt(actions.length);
  const write = (kind: "Add" | "Update", entity: Entity): Entity => {
    const { id, data, metadata } = entity;
    actions.push({ kind, id, data, ancestors: ancestorsOf(entity), metadata });
    return entity;
  };
  const add = (parent: Entity, id: Uint8Array, data: Uint8Array, metadata: Metadata010): Entity =>
    write("Add", addEntity(parent, { id, data, metadata }));
  // The data stay as they are, and so do the hashes.
  const update = (entity: Entity): void => {
    entity.metadata = { ...entity.metadata, updatedAt: time() };
    write("Update", entity);
  };
  const [state = add(root, STATE, random.bytes(64), plainMetadata(time())), ...collections] = root.children;
  let collection = collections.at(-1);
  for (let added = 0; added < entries; added++) {
    const id = random.id();
    if (collection === undefined || collection.children.length === CHILDREN)
      collection = add(root, id, id, mapMetadata(time()));
    const entry = random.id();
    add(collection, entry, entryPayload(random, entry), plainMetadata(time()));
  }
  update(state);
  update(root);
  return actions;
}

/** Data of the application: 50 to 200 bytes that end with the entity's id. */
function entryPayload(random: Random, id: Uint8Array): Uint8Array {
  const payload = random.bytes(random.between(50, 200));
  payload.set(id, payload.length - id.length);
  return payload;
}
